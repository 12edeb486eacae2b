"""scripts/write_dialect_page: the page is what the tests say, and what no test says can't stand there.
Usage: dialect_page_test.py PROGRAM SOURCE_FOLDER; the test programs lie beside PROGRAM."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(sys.argv[1]).resolve().parent
SOURCE = pathlib.Path(sys.argv[2]).resolve()
SCRIPT = SOURCE / "scripts/write_dialect_page"

LISTED = """Language/Sums.
  matches/one_cpu  # GetParam() = one on cpu
  matches/two_cpu  # GetParam() = two on cpu
Loose.
  goes_through_the_devices
"""
FEATURES = """
[[section]]
title = "Sums"
text = "What adds up."
[[section.row]]
feature = "One"
tier = "T1"
tests = ["Language/Sums.*/one"]
note = "alone"
[[section.row]]
feature = "Two"
tier = "refused"
tests = ["Language/Sums.*/two", "Loose.*"]
"""


class DialectPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sprue-dialect-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.list_tests(LISTED)
        self.features(FEATURES)

    def list_tests(self, text, program="language_test"):
        """A test program that can do nothing but list its tests."""
        path = self.folder / program
        path.write_text(f"#!/bin/sh\ncat <<'END'\n{text}END\n", encoding="utf-8")
        path.chmod(0o755)

    def features(self, text):
        (self.folder / "features.toml").write_text(text, encoding="utf-8")

    def run_script(self, *options):
        command = [sys.executable, SCRIPT, "--features", self.folder / "features.toml", "--page",
                   self.folder / "page.md", *options, self.folder]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def written(self):
        result = self.run_script()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return (self.folder / "page.md").read_text(encoding="utf-8")

    def expect_problem(self, *words):
        result = self.run_script()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stdout)
        self.assertFalse((self.folder / "page.md").exists())

    def test_a_row_says_what_its_tests_say(self):
        page = self.written()
        self.assertIn("## Sums\n\nWhat adds up.\n", page)
        self.assertIn("| One: alone | T1 | runs | – | unchanged | `Language/Sums.*/one` |\n", page)
        self.assertIn("| Two | – | refused | – | refused | `Language/Sums.*/two`, `Loose.*` |\n", page)

    def test_check_sees_another_text(self):
        self.written()
        self.assertEqual(self.run_script("--check").returncode, 0)
        page = self.folder / "page.md"
        page.write_text(page.read_text(encoding="utf-8").replace("runs", "works"), encoding="utf-8")
        result = self.run_script("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("page.md: expected what scripts/write_dialect_page writes", result.stdout)
        page.unlink()
        self.assertEqual(self.run_script("--check").returncode, 1)

    def test_a_test_without_a_row(self):
        self.list_tests(LISTED + "Language/More.\n  matches/three_cpu\n")
        self.expect_problem("Language/More.matches/three (cpu): expected a row that names this test")

    def test_a_row_without_a_test(self):
        self.list_tests(LISTED.replace("one_cpu", "ones_cpu"))
        self.expect_problem("One: expected a test of Language/Sums.*/one, got none")
        self.features(FEATURES.replace('["Language/Sums.*/one"]', "[]"))
        self.expect_problem("One: expected tests that pin it, got none")

    def test_cuda_compiled_and_run(self):
        compiled = LISTED + LISTED.replace("_cpu", "_nvrtc")
        self.list_tests(compiled)
        page = self.written()
        self.assertIn("| runs | compiled | unchanged |", page)
        self.assertIn("| refused | refused | refused |", page)
        self.list_tests(compiled + LISTED.replace("_cpu", "_cuda"))
        self.assertIn("| runs | runs | unchanged |", self.written())

    def test_cuda_with_a_hole_needs_a_reason(self):
        self.list_tests(LISTED + "Language/Sums.\n  matches/two_nvrtc\n")
        self.expect_problem("One: expected a test of Language/Sums.*/one on the device nvrtc, got none")
        self.features(FEATURES.replace('note = "alone"', 'cuda = "needs a GPU"'))
        self.assertIn("| One | T1 | runs | needs a GPU | unchanged |", self.written())

    def test_rows_of_other_programs(self):
        self.list_tests("Limits.\n  buffers\n", "kernel_test")
        row = '[[section.row]]\nfeature = "Limits"\ntier = "refused"\ntests = ["kernel: Limits.*"]\n'
        self.features(FEATURES + row)
        self.assertIn("| Limits | – | refused | – | refused | `kernel: Limits.*` |", self.written())
        self.features(FEATURES + row.replace("Limits.*", "None.*"))
        (self.folder / "page.md").unlink()
        self.expect_problem("Limits: expected a test of kernel: None.*, got none")
        # It says nothing of CUDA, unless the host does it.
        self.list_tests(LISTED + LISTED.replace("_cpu", "_nvrtc"))
        self.features(FEATURES + row)
        self.expect_problem("Limits: expected a test of kernel: Limits.* on the device nvrtc, got none")
        self.features(FEATURES + row + "host = true\n")
        self.assertIn("| Limits | – | refused | refused | refused |", self.written())

    def test_rows_that_are_badly_written(self):
        self.features(FEATURES.replace("note =", "nota ="))
        self.expect_problem("One: expected the keys", "got 'nota'")
        self.features(FEATURES.replace('"T1"', '"T4"'))
        self.expect_problem("One: expected a tier of T1, T2, T3, refused, absent, got T4")
        self.features(FEATURES.replace('"Two"', '"One"'))
        self.expect_problem("One: expected one row, got 2")

    def test_the_page_of_this_tree(self):
        result = subprocess.run([sys.executable, SCRIPT, "--check", PROGRAMS], capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
