"""End to end: sprue bench as users run it. Usage: bench_test.py PROGRAM SOURCE_FOLDER.

No test asserts a time: verdicts are checked on tables with known times, the rest by what is reported."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
PUBLIC_TABLE = SOURCE / "tests/data/measure/int4_gemv_public.json"

KERNEL = """name = "twice"
inputs = ["x"]
outputs = ["y"]
source = "uint i = thread_position_in_grid.x; y[i] = EXPRESSION;"
bytes = "8 * N"
ops = "N"
[[call]]
sizes = { N = 256 }
grid = ["N", 1, 1]
threadgroup = [64, 1, 1]
[call.inputs]
x = { shape = ["N"], dtype = "float32", fill = "normal" }
[call.outputs]
y = { shape = ["N"], dtype = "float32" }
"""


def sprue(*arguments, folder=None):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          cwd=folder, check=False, env=dict(os.environ))


def table(arms, **more):
    """A report of one row with the trials given for each arm."""
    return {"kernel": "k", "calls": [{"call": "only", "arms": [
        {"name": name, "route": name, "trials": trials} for name, trials in arms.items()]}], **more}


class Bench(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sprue-bench-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def kernel_file(self, expression="2 * x[i]", name="twice.toml"):
        path = self.folder / name
        path.write_text(KERNEL.replace("EXPRESSION", expression))
        return path

    def bench(self, *arguments, code=0):
        result = sprue("bench", *arguments, "--json", folder=self.folder)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout[-2000:])
        return json.loads(result.stdout)

    def read(self, content, *arguments, code=0):
        path = self.folder / "table.json"
        path.write_text(json.dumps(content))
        return self.bench("--read", path, *arguments, code=code)

    def test_every_arm_and_every_pair(self):
        report = self.bench(self.kernel_file(), "--arms", "jit,jit-fast,cast,cast-fast", "--trials", "31")
        self.assertEqual(report["kernel"], "twice")
        self.assertEqual(report["command"].split()[:2], ["sprue", "bench"])
        row = report["calls"][0]
        self.assertEqual([arm["name"] for arm in row["arms"]], ["jit", "jit-fast", "cast", "cast-fast"])
        self.assertEqual([arm["optimization"] for arm in row["arms"]], ["default", "fast", "default", "fast"])
        self.assertEqual({(pair["arm"], pair["reference"]) for pair in row["pairs"]},
                         {("jit-fast", "jit"), ("cast", "jit"), ("cast", "jit-fast"), ("cast-fast", "jit"),
                          ("cast-fast", "jit-fast"), ("cast-fast", "cast")})
        self.assertTrue(all(len(arm["trials"]) == 31 for arm in row["arms"]))
        self.assertTrue(all(one["holds"] for one in row["parity"]))
        self.assertEqual(row["bytes"], 8 * 256)
        self.assertIn(row["bound"]["by"], ("launch", "bandwidth", "arithmetic"))
        for key in ("sprue", "machine", "kernel_compilers", "libraries"):
            self.assertIn(key, report["stack"])
        self.assertGreater(report["roofline"]["operations"], 0)
        self.assertEqual(report["roofline"]["levels"][-1]["name"], "memory")
        self.assertIn("control_spread", report["noise"])
        same = [pair for pair in row["pairs"] if pair["same_binary"]]
        digests = [arm["digest"] for arm in row["arms"]]
        self.assertEqual(len(same), sum(digests[i] == digests[j] for i in range(4) for j in range(i)))

    def test_text_states_every_pair_in_words(self):
        result = sprue("bench", self.kernel_file(), "--arms", "jit,cast", "--trials", "31")
        self.assertEqual(result.returncode, 0, result.stderr)
        for part in ("twice on cpu", "ceilings, measured", "cast", "31 trials", "outputs: cast and jit are identical",
                     "bound by (inferred)", "ratio"):
            self.assertIn(part, result.stdout)

    def test_sweep(self):
        report = self.bench(self.kernel_file(), "--arms", "jit", "--trials", "31", "--sweep", "N=64,128,256")
        self.assertEqual([row["call"] for row in report["calls"]], ["N=64", "N=128", "N=256"])
        self.assertEqual([row["sizes"]["N"] for row in report["calls"]], [64, 128, 256])

    def test_two_versions(self):
        new, old = self.kernel_file("x[i] + x[i]", "new.toml"), self.kernel_file("2 * x[i]", "old.toml")
        report = self.bench(new, "--vs", old, "--trials", "31")
        row = report["calls"][0]
        self.assertEqual([(arm["name"], pathlib.Path(arm["source"]).name) for arm in row["arms"]],
                         [("old", "old.toml"), ("new", "new.toml")])
        self.assertTrue(row["parity"][0]["identical"])

    def test_versions_with_other_results_fail(self):
        new, old = self.kernel_file("3 * x[i]", "new.toml"), self.kernel_file("2 * x[i]", "old.toml")
        report = self.bench(new, "--vs", old, "--trials", "31", code=1)
        parity = report["calls"][0]["parity"][0]
        self.assertFalse(parity["holds"])
        self.assertIn("256 of 256", parity["mismatch"])
        self.bench(new, "--vs", old, "--trials", "31", "--parity", "0.6", code=0)  # off by 0.5 of the largest

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_version_in_git(self):
        path = self.kernel_file("2 * x[i]")
        for words in (["init", "-q"], ["add", "."],
                      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"]):
            subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)
        self.kernel_file("x[i] + x[i]")
        report = self.bench(path, "--vs-git", "HEAD", "--trials", "31")
        self.assertEqual(report["calls"][0]["arms"][0]["source"], "HEAD:twice.toml")
        self.assertEqual(sprue("bench", path, "--vs-git", "nowhere").returncode, 2)

    def test_runs_are_fresh_processes(self):
        report = self.bench(self.kernel_file(), "--arms", "jit,cast", "--trials", "31", "--runs", "2")
        self.assertEqual([(run["arm"], len(run["medians"])) for run in report["runs"]], [("jit", 2), ("cast", 2)])
        for run in report["runs"]:
            low, high = sorted(run["medians"])
            self.assertAlmostEqual(run["spread"], (high - low) / low)
        self.assertEqual(len(report["run_pairs"][0]["intervals"]), 2)

    def test_runs_pass_errors_on(self):
        result = sprue("bench", self.kernel_file("undeclared"), "--runs", "2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("undeclared", result.stderr)

    def test_preset(self):
        report = self.bench("--preset", "int4-gemv", "--sweep", "K=256,512", "--sweep", "N=8", "--trials", "31")
        self.assertEqual([row["sizes"] for row in report["calls"]],
                         [{"N": 8, "K": 256, "G": 4}, {"N": 8, "K": 512, "G": 8}])
        self.assertEqual(report["calls"][0]["arms"][0]["name"], "native")
        self.assertTrue(all(one["holds"] for row in report["calls"] for one in row["parity"]))
        self.assertEqual(sprue("bench", "--preset", "gold").returncode, 2)

    def test_bar(self):
        fast, slow = [1.0] * 31, [1.2] * 31
        self.assertTrue(self.read(table({"a": fast, "b": fast}), "--bar", "5%")["bar"]["met"])
        report = self.read(table({"a": fast, "b": slow}), "--bar", "5%", code=1)
        self.assertFalse(report["bar"]["met"])
        self.assertIn("MISSED", report["bar"]["sentences"][0])
        self.read(table({"a": fast, "b": slow}), "--bar", "0.25")
        self.read(table({"a": fast, "b": slow}))  # without a bar a slow arm is no failure

    def test_the_public_table(self):
        report = self.bench("--read", PUBLIC_TABLE)
        conclusions = " | ".join(one["sentence"] for one in report["conclusions"])
        self.assertIn("cast-fast beats jit: not shown", conclusions)
        flags = " | ".join(report["flags"])
        self.assertIn("K=32768 (2.440 ms) takes less than K=28672 (2.680 ms)", flags)
        self.assertIn("at once", flags)
        self.assertIn("bytes aren't declared", flags)
        self.assertRegex(flags, "cast-fast.*jit.*7.5 %|0.925")

    def test_read_gives_what_was_printed(self):
        first = self.bench(self.kernel_file(), "--arms", "jit,cast", "--trials", "31")
        again = self.read(first)
        self.assertEqual(again, first)

    def test_report_is_a_page(self):
        page = self.folder / "out.html"
        self.read(table({"a": [1.0] * 31, "b": [1.2] * 31}), "--report", page)
        text = page.read_text(encoding="utf-8")
        self.assertIn("<svg", text)
        self.assertNotIn("<script", text)

    def test_casting(self):
        path = self.kernel_file()
        casting = self.folder / "k.casting"
        self.assertEqual(sprue("cast", path, "-o", casting).returncode, 0)
        report = self.bench(path, "--arms", "jit,cast", "--casting", casting, "--trials", "31")
        self.assertEqual(len(report["calls"][0]["arms"]), 2)
        # It holds no entry of the other optimisation.
        result = sprue("bench", path, "--arms", "cast-fast", "--casting", casting)
        self.assertEqual(result.returncode, 2)

    def test_usage_errors(self):
        path = self.kernel_file()
        (self.folder / "bad.json").write_text("{")
        cases = [
            (), (path, "--preset", "int4-gemv"), (path, "--sweep", "N"), (path, "--sweep", "N=x"),
            (path, "--sweep", "N="), (path, "--sweep", "M=1"), (path, "--sweep", "N=99999999999999999999"),
            (path, "--runs", "0"), (path, "--trials", "7"), (path, "--bar", "much"), (path, "--bar", "-1%"),
            (path, "--arms", "gold"), (path, "--arms", "native"), (path, "--call", "absent"), (path, "--device", "gold"),
            (path, "--vs", "absent.toml"), (path, "--vs", path, "--vs-git", "HEAD"), (path, "--vs", path, "--arms", "jit"),
            ("--preset", "int4-gemv", "--vs", path), ("--read", "absent.json"), ("--read", "bad.json"),
            ("--read", PUBLIC_TABLE, "--runs", "2"), (path, "--parity", "-1"), (path, "--seconds", "-1"),
            ("absent.toml",), (path, "--nonsense"),
        ]
        for arguments in cases:
            with self.subTest(arguments=arguments):
                result = sprue("bench", *arguments, folder=self.folder)
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertTrue(result.stderr)

    def test_help_names_every_flag(self):
        text = sprue("bench", "--help").stdout
        for flag in ("--preset", "--read", "--call", "--arms", "--casting", "--sweep", "--vs", "--vs-git", "--runs",
                     "--trials", "--seconds", "--bar", "--parity", "--report", "--device", "--json", "--format"):
            self.assertIn(flag, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
