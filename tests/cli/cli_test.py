"""End to end: the sprue program as users run it. Usage: cli_test.py PROGRAM SOURCE_FOLDER.

The program's own figures are never the reference: expected outputs are computed here."""
import json
import math
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
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
        for command in ("devices", "run", "cast", "emit", "bench"):
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

    def test_run_with_fast_optimisation_gives_the_same_bits(self):
        digests = set()
        for opt in ("default", "fast"):
            result = sprue("run", EXP, "--opt", opt, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            answer = json.loads(result.stdout)
            self.assertEqual(answer["opt"], opt)
            digests.add(answer["calls"][0]["outputs"][0]["digest"])
        self.assertEqual(len(digests), 1)
        self.assertEqual(sprue("run", EXP, "--opt", "furious").returncode, 2)

    def test_cast_with_optimisations(self):
        casting = self.folder / "k.casting"
        path = self.kernel_file(body="y[thread_position_in_grid.x] = metal::exp(x[thread_position_in_grid.x]);")
        made = sprue("cast", path, "-o", casting, "--opt", "default,fast,default", "--json")
        self.assertEqual(made.returncode, 0, made.stderr)
        entries = json.loads(made.stdout)["entries"]
        self.assertEqual([entry["opt"] for entry in entries], ["default", "fast"])
        self.assertEqual(len({entry["digest"] for entry in entries}), 2)
        outputs = set()
        for opt in ("default", "fast"):
            result = sprue("run", path, "--casting", casting, "--opt", opt, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            outputs.add(json.loads(result.stdout)["calls"][0]["outputs"][0]["digest"])
        self.assertEqual(len(outputs), 1)
        # One optimisation alone is all that there is.
        self.assertIn("fast", sprue("cast", path, "-o", casting, "--opt", "fast").stdout)
        self.assertEqual(sprue("run", path, "--casting", casting, "--opt", "fast").returncode, 0)
        self.check_error(sprue("run", path, "--casting", casting), "twice", "opt (fast for default)")
        self.assertEqual(sprue("cast", path, "-o", casting, "--opt", "default,slow").returncode, 2)

    def test_cast_for_cuda(self):
        path, casting = self.kernel_file(), self.folder / "k.casting"
        result = sprue("cast", path, "-o", casting, "--target", "cpu,cuda:sm_90a")
        if "expected NVRTC" in result.stderr:
            self.skipTest("no NVRTC here")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cuda:sm_90a", result.stdout)
        self.assertEqual(sprue("run", path, "--casting", casting, "--policy", "precompiled").returncode, 0)
        self.assertEqual(sprue("cast", path, "-o", casting, "--target", "cuda:sm_90a").returncode, 0)
        self.check_error(sprue("run", path, "--casting", casting), "code for cuda:sm_90a")

    def test_emit_metal(self):
        path = self.kernel_file()
        result = sprue("emit", path, "--as", "metal")
        self.assertEqual(result.returncode, 0, result.stderr)
        command = "xcrun -sdk macosx metal -std=metal3.1 -fno-fast-math -o twice.metallib twice.metal"
        self.assertIn(command, result.stderr)
        self.assertIn(f"//   {command}\n", result.stdout)
        self.assertIn("#include <metal_stdlib>", result.stdout)
        # The text that run --verbose prints between its fences stands in the file.
        verbose = sprue("run", path, "--verbose").stdout.split("```\n")[1][:-1]
        self.assertIn("[[kernel]] void custom_kernel_twice_float_float(", verbose)
        self.assertIn(verbose, result.stdout)
        output = self.folder / "other.metal"
        written = sprue("emit", path, "--as", "metal", "-o", output, "--json")
        self.assertEqual(written.returncode, 0, written.stderr)
        answer = json.loads(written.stdout)
        self.assertEqual((answer["kernel"], answer["as"], answer["math"], answer["output"]),
                         ("twice", "metal", "safe", str(output)))
        self.assertTrue(answer["command"].endswith("-o other.metallib other.metal"))
        self.assertNotIn("text", answer)
        self.assertEqual(answer["specializations"], [{"entry": "custom_kernel_twice_float_float",
                                                      "specialization": "x: float32 -> y: float32",
                                                      "calls": ["default"]}])
        self.assertEqual(output.read_text(), result.stdout.replace("twice.metal", "other.metal"))

    def test_emit_metal_flags_follow_the_math_mode(self):
        for math_mode, flag in (("relaxed", "-fmetal-math-mode=relaxed"), ("fast", "-ffast-math")):
            path = self.kernel_file(extra=f'math = "{math_mode}"')
            self.assertIn(flag, sprue("emit", path, "--as", "metal").stderr)

    def test_emit_one_call_or_all(self):
        both = json.loads(sprue("emit", MATVEC, "--as", "cpu", "--json").stdout)
        self.assertEqual([item["calls"] for item in both["specializations"]], [["4-bit"], ["8-bit"]])
        one = json.loads(sprue("emit", MATVEC, "--as", "cpu", "--call", "8-bit", "--json").stdout)
        self.assertEqual(len(one["specializations"]), 1)
        entry = one["specializations"][0]["entry"]
        self.assertEqual(entry, both["specializations"][1]["entry"])
        for text, count in ((both["text"], 2), (one["text"], 1)):
            self.assertEqual(text.count("\n// ---- custom_kernel_"), count)
            self.assertEqual(text.count(f"\n// ---- {entry}: "), 1)
            self.assertEqual(text.count("sprue_run_groups("), count)
        self.assertNotIn("target", one)

    def test_emit_what_the_compiler_makes(self):
        path = self.kernel_file(body="y[thread_position_in_grid.x] = metal::exp(x[thread_position_in_grid.x]);")
        for form, comment, part in (("llvm", ";", "define "), ("asm", "#", "\nsprue_run_groups:")):
            native = sprue("emit", path, "--as", form)
            self.assertEqual(native.returncode, 0, native.stderr)
            first = native.stdout.splitlines()[0]
            self.assertTrue(first.startswith(comment), first)
            self.assertIn("cpu:native", first)
            self.assertIn("optimisation default", first)
            self.assertIn(part, native.stdout)
            self.assertIn(f"\n{comment} ---- custom_kernel_twice_float_float: ", native.stdout)
            self.assertEqual(native.stdout, sprue("emit", path, "--as", form, "--target", "native").stdout)
            texts = {native.stdout}
            for target in ("cpu", "cpu:x86-64-v4"):
                for opt in ("default", "fast"):
                    result = sprue("emit", path, "--as", form, "--target", target, "--opt", opt, "--json")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    answer = json.loads(result.stdout)
                    self.assertEqual(answer["target"], target if "v4" in target else "cpu:x86-64-v3")
                    self.assertEqual(answer["opt"], opt)
                    texts.add(answer["text"])
            self.assertEqual(len(texts), 5)
            self.assertEqual(sprue("emit", path, "--as", form, "--target", "cpu:x86-64-v3").stdout,
                             sprue("emit", path, "--as", form, "--target", "cpu").stdout)

    def test_emit_for_cuda(self):
        path = self.kernel_file()
        text = sprue("emit", path, "--as", "cuda").stdout
        self.assertIn('extern "C" __global__ void', text)
        self.assertIn('#include "metal_cuda.h"', text)
        without = {"SPRUE_NVRTC": "/none/libnvrtc.so"}
        self.assertEqual(sprue("emit", path, "--as", "cuda", environment=without).stdout, text)
        self.check_error(sprue("emit", path, "--as", "ptx", environment=without), "NVRTC", "/none/libnvrtc.so")
        self.check_error(sprue("emit", path, "--as", "cuda", "--target", "cuda:sm_80"), "--target")
        self.check_error(sprue("emit", path, "--as", "ptx", "--target", "cpu"), "CUDA", "cpu")
        self.check_error(sprue("emit", path, "--as", "asm", "--target", "cuda:sm_90a"), "the CPU", "cuda:sm_90a")

    def test_emit_ptx(self):
        path = self.kernel_file()
        result = sprue("emit", path, "--as", "ptx")
        if "expected NVRTC" in result.stderr:
            self.skipTest("no NVRTC here")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(".target sm_90a", result.stdout)
        older = json.loads(sprue("emit", path, "--as", "ptx", "--target", "cuda:sm_80", "--json").stdout)
        self.assertIn(".target sm_80", older["text"])
        self.assertEqual(older["target"], "cuda:sm_80")
        self.check_error(sprue("emit", path, "--as", "ptx", "--target", "cuda:sm_20"), "cuda:sm_20")

    def test_emit_errors(self):
        path = self.kernel_file()
        self.assertEqual(sprue("emit", path).returncode, 2)
        self.assertEqual(sprue("emit", path, "--as", "poetry").returncode, 2)
        self.assertEqual(sprue("emit", path, "--as", "asm", "--opt", "slow").returncode, 2)
        self.check_error(sprue("emit", path, "--as", "asm", "--target", "cuda"), "cuda")
        self.check_error(sprue("emit", path, "--as", "metal", "--target", "cpu"), "--target")
        self.check_error(sprue("emit", path, "--as", "cpu", "--opt", "fast"), "--opt")
        self.check_error(sprue("emit", path, "--as", "cpu", "--call", "other"), "other")
        self.check_error(sprue("emit", self.folder / "none.toml", "--as", "cpu"), "none.toml")
        self.check_error(sprue("emit", path, "--as", "cpu", "-o", self.folder / "no/folder"), "no/folder")
        broken = self.kernel_file(body="uint i = thread_position_in_grid.x;\n  y[i] = nothing;\n")
        self.check_error(sprue("emit", broken, "--as", "asm"), "kernel.metal:2:10: error:")
        error = json.loads(sprue("emit", broken, "--as", "llvm", "--json").stdout)["error"]
        self.assertEqual((error["code"], error["line"]), ("compile_failed", 2))
        self.assertIn("::error file=", sprue("emit", broken, "--as", "asm", "--format", "github").stderr)
        # Metal and C++ are text only: nothing is compiled, so nothing is known to be wrong.
        self.assertEqual(sprue("emit", broken, "--as", "metal").returncode, 0)
        without = {"SPRUE_CLANG_LIBRARY": str(self.folder / "moved-away.so")}
        self.assertEqual(sprue("emit", path, "--as", "metal", environment=without).returncode, 0)
        self.check_error(sprue("emit", path, "--as", "asm", environment=without), "libsprue-clang.so")

    def test_emit_two_texts_under_one_label(self):
        path = self.kernel_file(body="y[thread_position_in_grid.x] = x[0];",
                                call_extra='name = "flag"\ntemplate = { B = true }')
        second = path.read_text().split("[[call]]")[1].replace('"flag"', '"number"').replace("true", "1")
        path.write_text(path.read_text() + "\n[[call]]" + second)
        self.check_error(sprue("emit", path, "--as", "metal"), "custom_kernel_twice__1_float_float", "--call")
        for call in ("flag", "number"):
            self.assertEqual(sprue("emit", path, "--as", "metal", "--call", call).returncode, 0)
        self.assertEqual(sprue("emit", path, "--as", "cpu").returncode, 0)

    def test_example_exp_is_within_4_ulp(self):
        result = sprue("run", EXP, "--save", self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        # The input is uniform in [0, 1) and the same on every machine: its exponentials lie in [1, e).
        values = read_npy(self.folder / "default.y.npy")
        self.assertEqual(len(values), 1 << 20)
        self.assertTrue(all(1.0 <= value <= math.e for value in values))

    def test_mismatches_are_reported_element_by_element(self):
        # The kernel doubles 1 to 9.
        write_npy(self.folder / "y.npy", [2.0, 5.0, math.nan, math.inf, 10.0, 12.0, 14.0, 16.0, 18.0])
        path = self.kernel_file(expect=', expect = "y.npy", rtol = 1e-3')
        result = sprue("run", path, "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(json.loads(result.stdout)["calls"][0]["outputs"][0]["mismatch"], {
            "mismatched": 3, "total": 9,
            "first": {"index": [1], "got": 4, "expected": 5, "absolute": 1, "relative": 0.2, "ulp": 2.0 ** 21},
            "worst": {"index": [2], "got": 6, "expected": "nan", "absolute": "nan", "relative": "nan", "ulp": None},
            "nan": {"got": 0, "expected": 1}, "infinite": {"got": 0, "expected": 1}})
        lines = sprue("run", path).stdout.splitlines()
        start = next(i for i, line in enumerate(lines) if "NOT AS EXPECTED: 3 of 9 elements differ" in line)
        table = lines[start + 1:start + 4]
        self.assertEqual([line.split() for line in table],
                         [["index", "got", "expected", "absolute", "relative", "ulp"],
                          ["first", "[1]", "4", "5", "1", "0.2", "2.1e+06"],
                          ["worst", "[2]", "6", "nan", "nan", "nan", "-"]])
        self.assertEqual(len({len(line) for line in table}), 1, table)  # right-aligned columns
        self.assertEqual([line.strip() for line in lines[start + 4:start + 6]],
                         ["NaN: got 0, expected 1", "infinite: got 0, expected 1"])

    def test_expressions_of_sizes(self):
        path = self.kernel_file(call_extra='sizes = { M = 3, N = "M * M" }')
        path.write_text(path.read_text().replace("[9, 1, 1]", '["N", 1, 1]').replace("[9]", '["M * M"]'))
        result = sprue("run", path, "--save", self.folder / "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read_npy(self.folder / "out/default.y.npy"), tuple(2.0 * i for i in range(1, 10)))
        path.write_text(path.read_text().replace('"M * M"]', '"M * K"]'))
        self.check_error(sprue("run", path), "kernel.toml", "expected a size (M, N), got 'K' in column 5 of 'M * K'")

    # Kernels that never end, in each of the two modes of the CPU device.
    SPINS = {"loop": "while (x[0] == 1) y[thread_position_in_grid.x] += 1;",
             "coroutine": "for (;;) { threadgroup_barrier(mem_flags::mem_threadgroup); if (x[0] != 1) break; }"
                          " y[thread_position_in_grid.x] = 1;"}

    def test_timeout_ends_a_kernel_that_spins(self):
        for mode, body in self.SPINS.items():
            path = self.kernel_file(body=body)
            result = sprue("run", path, "--timeout", "0.4", "--save", self.folder / mode, "--json")
            self.assertEqual(result.returncode, 1, result.stderr)
            message = "[run] expected kernel 'twice' to finish within 0.4 s, got none"
            self.assertIn(message, result.stderr)
            self.assertIn(message, json.loads(result.stdout)["error"]["message"])
            self.assertEqual(list((self.folder / mode).iterdir()), [])
        self.assertEqual({item.name for item in self.folder.iterdir()},
                         {"x.npy", "kernel.toml", "kernel.metal", *self.SPINS})

    def test_timeout_ends_where_nobody_takes_what_is_printed(self):
        path = self.kernel_file(body=self.SPINS["loop"])
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        for size in (4096, 1):
            try:
                while True:
                    os.write(writer, b"x" * size)
            except BlockingIOError:
                pass
        os.set_blocking(writer, True)
        as_it_is = (lambda: None, lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]),
                    lambda: signal.signal(signal.SIGALRM, signal.SIG_IGN))
        processes = [subprocess.Popen([str(PROGRAM), "run", str(path), "--timeout", "0.4", "--json"], stdout=writer,
                                      stderr=subprocess.DEVNULL, preexec_fn=prepare) for prepare in as_it_is]
        try:
            self.assertEqual([process.wait(timeout=60) for process in processes], [1, 1, 1])
        finally:
            for process in processes:
                process.kill()
                process.wait()
            os.close(reader)
            os.close(writer)

    def test_timeout_leaves_who_is_in_time_alone(self):
        result = sprue("run", self.kernel_file(), "--timeout", "100")
        self.assertEqual(result.returncode, 0, result.stderr)
        for wrong in ("0", "-1", "soon", "nan", "1e300"):
            self.assertEqual(sprue("run", self.kernel_file(), "--timeout", wrong).returncode, 2, wrong)

    def test_interrupt_ends_a_kernel_that_spins(self):
        for body in self.SPINS.values():
            # Two threads, each with work: the interrupt may reach either.
            path = self.kernel_file(body=body)
            path.write_text(path.read_text().replace("grid = [9, 1, 1]", "grid = [100000, 1, 1]"))
            with subprocess.Popen([str(PROGRAM), "run", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**os.environ, "SPRUE_CPU_THREADS": "2"},
                                  preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
                # It spins once the kernel is loaded (its binary is a file in memory) and computes from then on.
                folder = pathlib.Path(f"/proc/{process.pid}")
                deadline = time.monotonic() + 60

                def ticks():
                    return int((folder / "stat").read_text().rsplit(")", 1)[1].split()[11])

                while "sprue-kernel" not in (folder / "maps").read_text() and time.monotonic() < deadline:
                    self.assertIsNone(process.poll())
                loaded = ticks()
                while ticks() < loaded + 20 and time.monotonic() < deadline:  # 0.2 s
                    self.assertIsNone(process.poll())
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(timeout=20), -signal.SIGINT)

    def test_isolated_runs_give_the_same_digest(self):
        path = self.kernel_file()
        digests = {json.loads(sprue("run", path, "--json", environment={
            "SPRUE_ISOLATE": isolate, "SPRUE_COMPILE_SECONDS": "60"}).stdout)
                   ["calls"][0]["outputs"][0]["digest"] for isolate in ("0", "1")}
        self.assertEqual(len(digests), 1)
        endless = self.kernel_file(body="while (x[0] > 0) " * 3000 + "y[0] = 1;")
        self.check_error(sprue("run", endless, environment={"SPRUE_ISOLATE": "1", "SPRUE_COMPILE_SECONDS": "0.3"}),
                         "[compile] expected kernel 'twice' to compile within 0.3 s")
        self.check_error(sprue("run", path, environment={"SPRUE_ISOLATE": "1", "SPRUE_COMPILE_HELPER": "/none"}),
                         "/none")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] if os.environ.get("VERBOSE") else sys.argv[:1])
