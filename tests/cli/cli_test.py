"""End to end: the sprue program as users run it. Usage: cli_test.py PROGRAM SOURCE_FOLDER.

The program's own figures are never the reference: expected outputs are computed here."""
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
EXP = SOURCE / "examples/exp/exp.toml"
MATVEC = SOURCE / "examples/quantized_matvec/quantized_matvec.toml"


def sprue(*arguments, environment=None, folder=None):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(environment or {})}, cwd=folder, check=False)


def write_npy(path, values):
    """A float32 vector in NPY version 1."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * ((64 - (len(header) + 11) % 64) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}f", *values))


def read_npy(path):
    content = path.read_bytes()
    size = struct.unpack("<H", content[8:10])[0]
    values = content[10 + size:]
    return struct.unpack(f"<{len(values) // 4}f", values)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sprue-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def kernel_file(self, body="y[thread_position_in_grid.x] = 2 * x[thread_position_in_grid.x];", extra="",
                    expect="", call_extra=""):
        write_npy(self.folder / "x.npy", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
        path = self.folder / "kernel.toml"
        path.write_text(f"""name = "twice"
inputs = ["x"]
outputs = ["y"]
source_file = "kernel.metal"
{extra}
[[call]]
grid = [9, 1, 1]
threadgroup = [4, 1, 1]
{call_extra}
[call.inputs]
x = {{ file = "x.npy" }}
[call.outputs]
y = {{ shape = [9], dtype = "float32"{expect} }}
""")
        (self.folder / "kernel.metal").write_text(body)
        return path

    def check_error(self, result, *parts):
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_help_of_every_command(self):
        self.assertEqual(sprue("--help").returncode, 0)
        for command in ("devices", "run", "cast", "bench"):
            result = sprue(command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("--json", result.stdout)

    def test_usage_errors_exit_with_2(self):
        for arguments in ([], ["melt"], ["run"], ["run", EXP, "--policy", "never"], ["cast", EXP],
                          ["bench", EXP, "--arms", "gold"], ["run", EXP, "--nonsense"]):
            self.assertEqual(sprue(*arguments).returncode, 2, arguments)

    def test_devices(self):
        devices = json.loads(sprue("devices", "--json").stdout)["devices"]
        self.assertEqual(devices[0]["name"], "cpu")
        self.assertIn("cpu:x86-64-v3", devices[0]["casting_targets"])

    def test_run_prints_and_saves_what_the_kernel_computes(self):
        path = self.kernel_file()
        result = sprue("run", path, "--save", self.folder / "out", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        output = json.loads(result.stdout)["calls"][0]["outputs"][0]
        self.assertEqual((output["shape"], output["dtype"], output["summary"]["max"]), ([9], "float32", 18.0))
        self.assertEqual(read_npy(self.folder / "out/default.y.npy"), tuple(2.0 * i for i in range(1, 10)))
        self.assertIn("float32 (9,)", sprue("run", path).stdout)

    def test_expectations(self):
        write_npy(self.folder / "good.npy", [2.0 * i for i in range(1, 10)])
        write_npy(self.folder / "bad.npy", [2.0 * i for i in range(1, 9)] + [17.0])
        good = sprue("run", self.kernel_file(expect=', expect = "good.npy"'))
        self.assertEqual(good.returncode, 0, good.stderr)
        self.assertIn("as expected", good.stdout)
        bad = sprue("run", self.kernel_file(expect=', expect = "bad.npy"'))
        self.assertEqual(bad.returncode, 1, bad.stderr)
        self.assertIn("1 of 9", bad.stdout)

    def test_an_element_that_no_thread_writes_shows(self):
        path = self.kernel_file(body="if (thread_position_in_grid.x != 3) y[thread_position_in_grid.x] = x[0];")
        summary = json.loads(sprue("run", path, "--json").stdout)["calls"][0]["outputs"][0]["summary"]
        self.assertEqual(summary["nan"], 1)

    def test_casting_gives_the_same_digest_without_the_compiler_library(self):
        casting = self.folder / "e.casting"
        jit = json.loads(sprue("run", EXP, "--json").stdout)
        made = sprue("cast", EXP, "-o", casting, "--target", "cpu")
        self.assertEqual(made.returncode, 0, made.stderr)
        without = {"SPRUE_CLANG_LIBRARY": str(self.folder / "moved-away.so")}
        cast = sprue("run", EXP, "--casting", casting, "--policy", "precompiled", "--json", environment=without)
        self.assertEqual(cast.returncode, 0, cast.stderr)
        self.assertEqual(json.loads(cast.stdout)["calls"][0]["outputs"][0]["digest"],
                         jit["calls"][0]["outputs"][0]["digest"])
        self.check_error(sprue("run", EXP, environment=without), "libsprue-clang.so")

    def test_casting_twice_gives_the_same_bytes(self):
        for name in ("a", "b"):
            sprue("cast", MATVEC, "-o", self.folder / name, "--target", "cpu:x86-64-v3,cpu:x86-64-v4")
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())

    def test_bad_castings(self):
        casting = self.folder / "k.casting"
        path = self.kernel_file()
        self.assertEqual(sprue("cast", path, "-o", casting).returncode, 0)
        self.check_error(sprue("run", path, "--policy", "precompiled"), "--casting")
        self.check_error(sprue("run", path, "--casting", self.folder / "none.casting"), "none.casting")
        (self.folder / "kernel.metal").write_text("y[thread_position_in_grid.x] = 3;")
        self.check_error(sprue("run", path, "--casting", casting), "another")
        content = bytearray(casting.read_bytes())
        content[len(content) // 2] ^= 1
        casting.write_bytes(content)
        self.check_error(sprue("run", path, "--casting", casting), "casting")

    def test_compile_errors_show_the_users_file_and_line(self):
        path = self.kernel_file(body="uint i = thread_position_in_grid.x;\n  y[i] = nothing;\n")
        result = sprue("run", path, folder=self.folder)
        self.check_error(result, "twice", "kernel.metal:2:10: error:", "nothing", "^")
        self.assertNotIn("metal_cpu.h", result.stderr)
        github = sprue("run", path, "--format", "github")
        self.assertIn("::error file=", github.stderr)
        self.assertIn(",line=2,col=10::", github.stderr)
        error = json.loads(sprue("run", path, "--json").stdout)["error"]
        self.assertEqual((error["code"], error["line"], error["column"]), ("compile_failed", 2, 10))

    def test_bad_kernel_files(self):
        self.check_error(sprue("run", self.folder / "none.toml"), "none.toml")
        self.check_error(sprue("run", self.kernel_file(extra="colour = 3")), "kernel.toml:5", "colour")
        self.check_error(sprue("run", self.kernel_file(extra="inputs = [")), "kernel.toml")
        self.check_error(sprue("run", self.kernel_file(), "--call", "other"), "other")
        self.check_error(sprue("run", self.kernel_file(), "--device", "abacus"), "abacus")

    def test_bench(self):
        result = sprue("bench", MATVEC, "--call", "8-bit", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        call = json.loads(result.stdout)["calls"][0]
        self.assertEqual([arm["name"] for arm in call["arms"]], ["native", "jit", "cast"])
        self.assertEqual(len(call["pairs"]), 3)
        self.assertTrue(all(parity["holds"] for parity in call["parity"]))
        self.assertTrue(all(pair["sentence"] and pair["ratio"]["median"] > 0 for pair in call["pairs"]))
        self.assertEqual(call["trials"], 31)
        self.assertGreaterEqual(call["operations"], 1)

    def test_example_exp_is_within_4_ulp(self):
        result = sprue("run", EXP, "--save", self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        # The input is uniform in [0, 1) and the same on every machine: its exponentials lie in [1, e).
        values = read_npy(self.folder / "default.y.npy")
        self.assertEqual(len(values), 1 << 20)
        self.assertTrue(all(1.0 <= value <= math.e for value in values))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] if os.environ.get("VERBOSE") else sys.argv[:1])
