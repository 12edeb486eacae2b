"""Runs the commands of README.md and docs/*.md. Usage: docs_test.py PROGRAM SOURCE_FOLDER.

Every line of a ```sh block that begins with build/release/bin/sprue is run, page by page, in a folder of its
own that looks like the source folder. Lines that begin with make or git are CI's to run."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands_of(page):
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.strip() and not line.startswith("#"):
                yield line


class Pages(unittest.TestCase):
    def run_page(self, page):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="sprue-docs-"))
        self.addCleanup(shutil.rmtree, folder)
        for name in ("examples", "src"):
            (folder / name).symlink_to(SOURCE / name)
        (folder / "build/release").mkdir(parents=True)
        (folder / "build/release/bin").symlink_to(PROGRAM.parent)
        count = 0
        for command in commands_of(page):
            words = shlex.split(command)
            if words[0] in ("make", "git", "bash", "cd"):
                continue
            self.assertEqual(words[0], "build/release/bin/sprue", f"{page.name}: {command}")
            if words[1] == "bench":
                words += ["--seconds", "0"]  # what it prints is what is tested, not how well it resolves
            result = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=180, check=False,
                                    env=dict(os.environ))
            self.assertEqual(result.returncode, 0, f"{page.name}: {command}\n{result.stderr}")
            count += 1
        return count

    def test_readme(self):
        self.assertGreater(self.run_page(SOURCE / "README.md"), 0)

    def test_docs(self):
        for page in sorted((SOURCE / "docs").glob("*.md")):
            with self.subTest(page=page.name):
                self.run_page(page)

    def test_performance_page_holds_what_the_results_hold(self):
        script = SOURCE / "scripts/performance-page"
        result = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
