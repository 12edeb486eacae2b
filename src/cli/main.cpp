// sprue: custom kernels on every device, from the command line.
#include "base/version.h"
#include "cli/command.h"

int main(int argc, char** argv) {
  using namespace sprue;
  CLI::App app{"Custom GPU kernels, just-in-time or precompiled, on whatever this machine has.",
               "sprue"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("sprue ") + kVersion);
  app.footer(
      "Exit codes: 0 success, 1 an expectation or bar failed or the time was up, 2 usage or input "
      "error.");
  cli::command_line() = "sprue";
  for (int i = 1; i < argc; ++i) cli::command_line() += fmt::format(" {}", argv[i]);
  cli::Action action;
  cli::add_devices(app, action);
  cli::add_run(app, action);
  cli::add_cast(app, action);
  cli::add_emit(app, action);
  cli::add_bench(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kSuccess : cli::kInputError;
  }
  try {
    auto code = action();
    return code ? *code : cli::report_error(code.error());
  } catch (const Error& error) {
    return cli::report_error(error);
  } catch (const std::exception& error) {  // out of memory
    return cli::report_error(Error(
        ErrorCode::internal, fmt::format("[sprue] expected to finish, got {}", error.what())));
  }
}
