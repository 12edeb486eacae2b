"""The HTML report as a browser shows it. Usage: report_test.py MAKE_REPORT.

make_report writes pages from known times; here the same times are made again, and what must stand where is
computed from them and from the labels that the browser shows."""
import base64
import html
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # nothing is written into the source tree
import browser  # noqa: E402

MAKE_REPORT = sys.argv[1]
SKIPPED = 77  # known to the build
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}
ARMS = [("native", 1), ("jit", 0.95), ("jit-fast", 0.90), ("cast", 0.952), ("cast-fast", 0.8995)]
ROWS = [64, 256, 1024, 4096]
PAGES = ("known", "hostile", "long", "one", "empty")
VIEWS = [(width, scheme) for width in (400, 1200) for scheme in ("light", "dark")]
# Fifty rows, as long as a page may be, take as long as all the others: once is enough.
SEEN = [(page, *view) for page in PAGES for view in VIEWS if page != "long" or view == (400, "dark")]


def trials(base, stride):
    parts = [((stride * i + 3) % 31 - 15) / 15 for i in range(31)]
    return [base * (1 + 0.02 * part ** 3) for part in parts]


def times_of_row(row):
    """{arm: trials} of one row of the known report."""
    times = {name: trials(ROWS[row] * 1e-6 * factor, 3 + 2 * i) for i, (name, factor) in enumerate(ARMS)}
    if row == 1:
        for i in (4, 11, 25):
            times["jit"][i] *= 1.5
    return times


def seconds(text):
    number, unit = re.fullmatch(r"([\d.]+) (\S+)", text).groups()
    return float(number) * UNITS[unit]


def scale_of(ticks, value_of, logarithmic):
    """What position an axis gives to a value, from two of its labels; every other label must agree."""
    change = math.log if logarithmic else float
    points = [(change(value_of(text)), position) for text, position in ticks]
    (v1, p1), (v2, p2) = points[0], points[-1]

    def position(value):
        return p1 + (change(value) - v1) / (v2 - v1) * (p2 - p1)
    worst = max(abs(p1 + (v - v1) / (v2 - v1) * (p2 - p1) - p) for v, p in points)
    assert worst < 0.75, f"tick labels don't stand at their values: {ticks}"
    return position


def verdict(ratios):
    """From the 9th and the 23rd of 31."""
    low, high = sorted(ratios)[8], sorted(ratios)[22]
    if high < 0.99:
        return low, high, "faster"
    if low > 1.01:
        return low, high, "slower"
    return low, high, "same" if low >= 0.99 and high <= 1.01 else "unresolved"


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sprue-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        subprocess.run([MAKE_REPORT, str(cls.folder)], check=True, timeout=60)
        script = (pathlib.Path(__file__).parent / "measure.js").read_text()
        frames = ""
        for page, width, scheme in SEEN:
            content = html.escape((cls.folder / f"{page}.html").read_text())
            frames += (f'<iframe id="{page} {width} {scheme}" srcdoc="{content}" style="width:{width}px;'
                       f'height:900px;border:0;color-scheme:{scheme}"></iframe>\n')
        harness = cls.folder / "harness.html"
        harness.write_text(f"<!DOCTYPE html><meta charset=utf-8><script>{script}</script><body>{frames}")
        shown = browser.dump(cls.folder, harness)
        results = re.search(r'<pre id="results">([^<]*)</pre>', shown).group(1)
        cls.views = json.loads(base64.b64decode(results))

    def each_view(self):
        for page, width, scheme in SEEN:
            view = self.views[f"{page} {width} {scheme}"]
            self.assertNotIn("error", view)
            yield view, width, scheme, self.subTest(page=page, width=width, scheme=scheme)

    def known(self):
        return self.views["known 1200 light"]

    def picture(self, title, page="known"):
        found = [picture for picture in self.views[f"{page} 1200 light"]["pictures"] if picture["title"] == title]
        self.assertEqual(len(found), 1, title)
        return found[0]

    def test_both_schemes_are_shown(self):
        for view, _, scheme, sub_test in self.each_view():
            with sub_test:
                brightness = sum(view["ground"]) / 3
                self.assertTrue(brightness > 230 if scheme == "light" else brightness < 40, view["ground"])

    def test_the_page_stands_alone(self):
        for view, _, _, sub_test in self.each_view():
            with sub_test:
                self.assertEqual((view["scripts"], view["fetched"], view["links"]), (0, 0, 0))

    def test_the_page_does_not_scroll_sideways(self):
        for view, width, _, sub_test in self.each_view():
            with sub_test:
                self.assertEqual(view["width"], width)
                self.assertLessEqual(view["foldedWidth"], width)
                self.assertLessEqual(view["scrollWidth"], width)

    def test_text_is_legible(self):
        for view, _, _, sub_test in self.each_view():
            with sub_test:
                self.assertGreaterEqual(view["worst"]["contrast"], 4.5, view["worst"])
                self.assertGreaterEqual(view["worst"]["size"], 11, view["worst"])

    def test_pictures_are_whole(self):
        for view, _, _, sub_test in self.each_view():
            with sub_test:
                for picture in view["pictures"]:
                    with self.subTest(picture=picture["title"]):
                        self.assertGreater(min(picture["width"], picture["height"]), 50)
                        self.assertEqual(picture["role"], "img")
                        self.assertTrue(picture["title"] and picture["description"])
                        self.assertEqual(picture["outside"], [])
                        self.assertEqual(picture["overlaps"], [])

    def test_how_many_pictures_there_are(self):
        # Two sweeps, the roofline, and two of each row.
        self.assertEqual(len(self.known()["pictures"]), 2 + 1 + 2 * len(ROWS))
        self.assertEqual(len(self.views["one 1200 light"]["pictures"]), 1 + 2)
        self.assertEqual(self.views["empty 1200 light"]["pictures"], [])

    def test_numbers_and_verdicts_stand_in_the_text(self):
        text = " ".join(self.known()["text"].split())
        for row, size in enumerate(ROWS):
            times = times_of_row(row)
            table = self.table_of(row)
            for line in table[1:]:
                name = line[0].split()[0]
                unit = self.unit_of(table)
                quarters = statistics.quantiles(times[name], n=4, method="inclusive")
                shown = [f"{value / unit:.{self.decimals(table)}f}" for value in quarters]
                self.assertEqual(line[1], shown[1])
                self.assertEqual(line[2], f"{shown[0]} to {shown[2]}")
                rate = size * 4096 * 8 / statistics.median(times[name])
                self.assertEqual(float(line[3]), float(f"{rate / 1e9:.3g}"))
                self.assertEqual(line[4], f"{100 * rate / 41e9:.0f} %")
                self.assertEqual(float(line[5]), float(f"{rate / 4 / 1e9:.3g}"))
        self.assertIn("cast-fast is 5 % faster than jit in all of 4 rows", text)
        self.assertIn("jit against native: faster (ratio 0.950, interval 0.943 to 0.955)", text)
        self.assertIn("No arm is shown to be faster than jit-fast (4 of 4 rows) and cast-fast (4 of 4 rows).", text)
        self.assertEqual(text.count("same binary (A/A control)"), len(ROWS))
        self.assertIn("0.950 to 0.950 inside the interval in 0 of 4 rows", text)
        self.assertIn("1.111 to 1.111 inside the interval in 4 of 4 rows", text)
        one = " ".join(self.views["one 1200 light"]["text"].split())
        self.assertIn("0.950 (0.943 to 0.955) outside the interval", one)
        self.assertIn("Left out: c++: the compiler doesn't know <threads>", text)
        self.assertIn("deviation 1.20e-07 of the largest value, allowed 1.00e-05", text)

    def table_of(self, row):
        """The row-th of the tables of times; the overview at the top has other columns."""
        return [table for table in self.known()["tables"] if table[0][1].startswith("median")][row]

    def unit_of(self, table):
        return UNITS[table[0][1].split(", ")[1]]

    def decimals(self, table):
        return len(table[1][1].partition(".")[2])

    def test_noise_and_wrong_outputs_come_first(self):
        text = self.views["hostile 1200 light"]["text"]
        order = [text.index(words) for words in (
            "<script>alert(\"kernel & 'name'\")</script> größe 行列 \ufffd\ufffd \ufffd", "The machine was noisy",
            "load average of 7.9", "Outputs differ", "jit-fast against native", "Before you believe",
            "times of jit aren't monotonic", "coarser than 1 %", "Summary")]
        self.assertEqual(order, sorted(order))

    def test_dots_and_medians_stand_where_the_axis_says(self):
        for row, size in enumerate(ROWS):
            picture = self.picture(f"Times of default, M = {size}, N = 4096")
            times = times_of_row(row)
            position = scale_of([(tick["text"], tick["at"][0]) for tick in picture["ticks"]], seconds, False)
            self.assertEqual([strip["name"] for strip in picture["strips"]], [name for name, _ in ARMS])
            for strip in picture["strips"]:
                mine = times[strip["name"]]
                beyond = 3 if row == 1 and strip["name"] == "jit" else 0
                self.assertEqual(len(strip["dots"]) + beyond, len(mine))
                shown = sorted(mine)[:len(mine) - beyond]
                for dot, value in zip(sorted(strip["dots"]), shown):
                    self.assertAlmostEqual(dot[0], position(value), delta=0.6)
                self.assertEqual(len(strip["median"]), 1)
                self.assertAlmostEqual(strip["median"][0][0], position(statistics.median(mine)), delta=0.6)
        jit = times_of_row(1)["jit"]
        self.assertIn(f"3 trials beyond, to {max(jit) * 1e6:.1f} µs",
                      self.picture("Times of default, M = 256, N = 4096")["notes"])

    def test_medians_stand_right_on_a_logarithmic_axis(self):
        title = "Times of a call with a name that is longer than anyone would choose <&>\"', M = 64, N = 4096"
        picture = self.picture(title, "hostile")
        self.assertIn("time of one operation, logarithmic", picture["notes"])
        position = scale_of([(tick["text"], tick["at"][0]) for tick in picture["ticks"]], seconds, True)
        medians = [64e-6 * factor for _, factor in ARMS] + [10.0 ** (i - 6) for i in range(12)]
        self.assertEqual(len(picture["strips"]), len(medians))
        for strip, median in zip(picture["strips"], medians):
            self.assertAlmostEqual(strip["median"][0][0], position(median), delta=0.6)

    def test_ratios_stand_where_the_axis_says_with_their_verdicts(self):
        seen = set()
        for row, size in enumerate(ROWS):
            picture = self.picture(f"Ratios of times of default, M = {size}, N = 4096")
            position = scale_of([(tick["text"], tick["at"][0]) for tick in picture["ticks"]], float, False)
            times = times_of_row(row)
            self.assertEqual(len(picture["pairs"]), len(ARMS) * (len(ARMS) - 1) // 2)
            for pair in picture["pairs"]:
                arm, reference = pair["name"].split(" / ")
                ratios = [a / b for a, b in zip(times[arm], times[reference])]
                low, high, found = verdict(ratios)
                seen.add(found)
                ratio = statistics.median(ratios)
                words = f"{ratio:.3f} " + ("A/A control: " if pair["name"] == "cast / jit" else "") + found
                self.assertEqual(" ".join(pair["words"][1].split()), words)
                kind = "open" if found == "unresolved" else found
                self.assertEqual(pair["marks"][0]["kind"], f"mark {kind}")
                # A triangle's middle isn't the point that it marks; its extent is 9.6, scaled.
                self.assertAlmostEqual(pair["marks"][0]["at"][0], position(ratio), delta=2.5)
                self.assertAlmostEqual(min(end[0] for end in pair["interval"]), position(low), delta=1.8)
                self.assertAlmostEqual(max(end[1] for end in pair["interval"]), position(high), delta=1.8)
        self.assertGreaterEqual(seen, {"faster", "slower", "same"})

    def test_a_sweep_shows_the_medians(self):
        picture = self.picture("Times of default by M, N = 4096")
        times = [(tick["text"], tick["at"][1]) for tick in picture["ticks"] if " " in tick["text"]]
        sizes = [(tick["text"], tick["at"][0]) for tick in picture["ticks"] if " " not in tick["text"]]
        self.assertEqual([text for text, _ in sizes], list(map(str, ROWS)))
        x, y = scale_of(sizes, float, True), scale_of(times, seconds, True)
        self.assertEqual(len(picture["sweeps"]), len(ARMS))
        for arm, (_, factor) in zip(picture["sweeps"], ARMS):
            marks = [mark["at"] for mark in arm["marks"]]
            self.assertEqual(len(marks), len(ROWS))
            for (mark_x, mark_y), size in zip(marks, ROWS):
                self.assertAlmostEqual(mark_x, x(size), delta=1)
                # The shapes' boxes aren't all centred on their points.
                self.assertAlmostEqual(mark_y, y(size * 1e-6 * factor), delta=2)

    def test_the_roofline_has_every_row_and_arm(self):
        picture = self.picture("Roofline of this machine with every row and arm")
        self.assertEqual(picture["markers"], len(ROWS) * len(ARMS))
        for roof in ("L1d 1.90 TB/s", "L2 720 GB/s", "L3 190 GB/s", "memory 41 GB/s", "arithmetic 820 Gop/s"):
            self.assertIn(roof, picture["notes"])

    def test_a_screenshot_is_not_blank(self):
        width, height, rows = browser.screenshot(self.folder, self.folder / "known.html", 500, 700)
        self.assertEqual((width, height, len(rows)), (500, 700, 700))
        counts = {}
        for row in rows:
            for pixel in row:
                counts[pixel] = counts.get(pixel, 0) + 1
        ground, most = max(counts.items(), key=lambda item: item[1])
        self.assertGreater(min(ground), 230)
        self.assertGreater(len(counts), 30)
        self.assertGreater(width * height - most, 0.02 * width * height)


if __name__ == "__main__":
    if browser.find() is None:
        print(f"skipped: no browser found, none of {', '.join(browser.NAMES)}; scripts/setup installs one")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1], verbosity=1)
