#include "program/includes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sprue {
namespace {

namespace fs = std::filesystem;

class Includes : public testing::Test {
 protected:
  Includes() : folder_(fs::path(testing::TempDir()) / "includes") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Includes() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::vector<std::string> dirs(std::vector<std::string> names) const {
    for (std::string& name : names) name = (folder_ / name).string();
    return names;
  }
  // "name:text name:text", or the error.
  std::string read(const std::vector<std::string_view>& texts,
                   const std::vector<std::string>& folders) {
    const auto included = read_includes(texts, folders, "metal_kernel");
    if (!included) return included.error().message();
    std::string all;
    for (const IncludedText& one : *included)
      all += (all.empty() ? "" : " ") + one.name + ":" + one.text;
    return all;
  }

  fs::path folder_;
};

TEST_F(Includes, ReadsEachFileOnceInOrder) {
  write("a/x.h", "X");
  write("a/y.h", "Y");
  EXPECT_EQ(read({"#include \"y.h\"\n  #  include <x.h>\n#include \"y.h\"", "#include \"x.h\""},
                 dirs({"a"})),
            "y.h:Y x.h:X");
}

TEST_F(Includes, TakesTheFirstFolderAndKeepsOrder) {
  write("a/x.h", "first");
  write("b/x.h", "second");
  EXPECT_EQ(read({"#include \"x.h\""}, dirs({"a", "b"})), "x.h:first");
  EXPECT_EQ(read({"#include \"x.h\""}, dirs({"b", "a"})), "x.h:second");
}

TEST_F(Includes, LooksBesideTheIncludingHeaderFirst) {
  write("a/sub/x.h", "#include \"y.h\"");
  write("a/sub/y.h", "near");
  write("a/y.h", "far");
  EXPECT_EQ(read({"#include \"sub/x.h\""}, dirs({"a"})), "sub/x.h:#include \"y.h\" y.h:near");
  write("a/sub/x.h", "#include <y.h>");
  EXPECT_EQ(read({"#include \"sub/x.h\""}, dirs({"a"})), "sub/x.h:#include <y.h> y.h:far");
}

TEST_F(Includes, RefusesOneSpellingForTwoFiles) {
  write("a/sub/x.h", "#include \"y.h\"");
  write("a/sub/y.h", "near");
  write("a/y.h", "far");
  const std::string error = read({"#include \"y.h\"\n#include \"sub/x.h\""}, dirs({"a"}));
  EXPECT_NE(error.find("expected 'y.h' to name one file"), std::string::npos) << error;
}

TEST_F(Includes, EndsWhereHeadersIncludeEachOther) {
  write("a/x.h", "#include \"y.h\"");
  write("a/y.h", "#include \"x.h\"");
  EXPECT_EQ(read({"#include \"x.h\""}, dirs({"a"})), "x.h:#include \"y.h\" y.h:#include \"x.h\"");
}

TEST_F(Includes, LeavesWhatItDoesntFindToTheCompiler) {
  write("a/x.h", "X");
  EXPECT_EQ(read({"// #include \"none.h\"\n#include <metal_stdlib>\n#include \"\"\n#include "
                  "x.h\n#includes \"x.h"},
                 dirs({"a"})),
            "");
  EXPECT_EQ(read({"#include \"x.h\""}, {}), "");
}

TEST_F(Includes, NeverLeadsOutOfItsFolders) {
  write("secret.h", "secret");
  write("a/x.h", "#include \"../secret.h\"");
  const std::string absolute = (folder_ / "secret.h").string();
  fs::create_symlink(folder_ / "secret.h", folder_ / "a" / "link.h");
  for (const std::string& name : {std::string("../secret.h"), absolute, std::string("link.h"),
                                  std::string("b/../../secret.h")})
    EXPECT_EQ(read({"#include \"" + name + "\""}, dirs({"a"})), "") << name;
  EXPECT_EQ(read({"#include \"x.h\""}, dirs({"a"})), "x.h:#include \"../secret.h\"");
}

TEST_F(Includes, NamesAFolderThatIsntThere) {
  const std::string error = read({"x"}, dirs({"none"}));
  EXPECT_NE(error.find("[metal_kernel] expected a folder in include_dirs"), std::string::npos)
      << error;
}

TEST_F(Includes, BoundsTheirNumber) {
  std::string all;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "h" + std::to_string(i) + ".h";
    write("a/" + name, "x");
    all += "#include \"" + name + "\"\n";
  }
  EXPECT_NE(read({all}, dirs({"a"})).find("expected at most 256 included files"),
            std::string::npos);
}

}  // namespace
}  // namespace sprue
