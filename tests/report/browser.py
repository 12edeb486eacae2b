"""A headless Chromium for tests: dumps a page after its scripts ran, or takes its picture. No network."""
import pathlib
import shutil
import struct
import subprocess
import zlib

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """The program's path; None if there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def run(folder, *arguments):
    """`folder` holds the browser's own files. As root in a container its sandbox can't start."""
    command = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--force-device-scale-factor=1", "--disable-dev-shm-usage", "--no-first-run",
               "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder}/profile", *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=True).stdout


def dump(folder, page):
    return run(folder, "--dump-dom", pathlib.Path(page).as_uri()).decode()


def screenshot(folder, page, width, height):
    picture = pathlib.Path(folder) / "picture.png"
    run(folder, f"--window-size={width},{height}", f"--screenshot={picture}", pathlib.Path(page).as_uri())
    return read_png(picture.read_bytes())


def read_png(content):
    """(width, height, rows of (red, green, blue)) of an eight-bit RGB or RGBA picture."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    position, data = 8, b""
    while position < len(content):
        size, kind = struct.unpack(">I4s", content[position:position + 8])
        chunk = content[position + 8:position + 8 + size]
        position += size + 12
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
        elif kind == b"IDAT":
            data += chunk
    assert depth == 8 and colour in (2, 6) and not interlace
    step = 3 if colour == 2 else 4
    data, line = zlib.decompress(data), width * step
    rows, above = [], bytearray(line)
    for y in range(height):
        begin = y * (line + 1)
        row = unfilter(data[begin], bytearray(data[begin + 1:begin + 1 + line]), above, step)
        rows.append([tuple(row[i:i + 3]) for i in range(0, line, step)])
        above = row
    return width, height, rows


def unfilter(kind, row, above, step):
    for i in range(len(row) if kind else 0):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            distances = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
            guess = (left, up, corner)[distances.index(min(distances))]
        row[i] = (row[i] + guess) & 255
    return row
