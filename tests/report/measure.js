// Measures a report page as a browser shows it. Runs in a page of the test's own, on the report in `frame`;
// the report itself has no script. Returns plain data, which report_test.py judges.
"use strict";

// Corners of a text as drawn, turned texts included.
function corners(text) {
  const box = text.getBBox(), matrix = text.getScreenCTM();
  return [[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width, box.y + box.height],
          [box.x, box.y + box.height]].map(([x, y]) => {
    const point = new DOMPoint(x, y).matrixTransform(matrix);
    return [point.x, point.y];
  });
}

// By how many pixels two convex shapes overlap: the smallest over all separating directions, 0 if apart.
function overlap(a, b) {
  let least = Infinity;
  for (const shape of [a, b]) {
    for (let i = 0; i < shape.length; ++i) {
      const [x1, y1] = shape[i], [x2, y2] = shape[(i + 1) % shape.length];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const normal = [(y2 - y1) / length, (x1 - x2) / length];
      const along = (points) => points.map(([x, y]) => x * normal[0] + y * normal[1]);
      const p = along(a), q = along(b);
      least = Math.min(least, Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q)));
    }
  }
  return Math.max(least, 0);
}

function colour(text) {
  const parts = text.match(/[\d.]+/g).map(Number);
  return parts.length === 3 ? [...parts, 1] : parts;
}

function over(front, back) {
  return [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat([1]);
}

function luminance(rgb) {
  const [r, g, b] = rgb.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// What is painted behind an element: the grounds of its ancestors, one over the other.
const grounds = new WeakMap();
function ground(element, view) {
  if (!element) return [255, 255, 255, 1];
  if (!grounds.has(element)) {
    grounds.set(element, over(colour(view.getComputedStyle(element).backgroundColor), ground(element.parentElement, view)));
  }
  return grounds.get(element);
}

function intersects(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function textColours(page, view) {
  const worst = {contrast: Infinity, size: Infinity};
  const see = (element, front, back) => {
    const ratio = contrast(over(front, back), back);
    if (ratio < worst.contrast) Object.assign(worst, {contrast: ratio, text: element.textContent.slice(0, 60)});
  };
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.getClientRects().length) continue;
    const style = view.getComputedStyle(element), svg = element.closest("svg");
    if (svg && element.tagName !== "text") continue;
    const scale = svg ? element.getScreenCTM() : null;
    const size = parseFloat(style.fontSize) * (scale ? Math.hypot(scale.a, scale.b) : 1);
    if (size < worst.size) Object.assign(worst, {size, smallest: element.textContent.slice(0, 60)});
    const back = ground(element, view);
    if (!svg) { see(element, colour(style.color), back); continue; }
    see(element, colour(style.fill), back);
    for (const shade of svg.querySelectorAll(".band, .box")) {
      if (!intersects(shade.getBoundingClientRect(), element.getBoundingClientRect())) continue;
      const fill = colour(view.getComputedStyle(shade).fill);
      fill[3] *= parseFloat(view.getComputedStyle(shade).fillOpacity);
      see(element, colour(style.fill), over(fill, back));
    }
  }
  return worst;
}

function picture(svg) {
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")];
  const places = texts.map(corners);
  const outside = texts.filter((text, i) => places[i].some(([x, y]) =>
    x < box.left - 0.5 || x > box.right + 0.5 || y < box.top - 0.5 || y > box.bottom + 0.5));
  const overlaps = [];
  for (let i = 0; i < texts.length; ++i) {
    for (let j = 0; j < i; ++j) {
      // A box has leading above and below its letters: two pixels of that may meet.
      if (overlap(places[i], places[j]) > 2) overlaps.push([texts[j].textContent, texts[i].textContent]);
    }
  }
  const centre = (element) => {
    const r = element.getBoundingClientRect();
    return [(r.left + r.right) / 2 - box.left, (r.top + r.bottom) / 2 - box.top];
  };
  const described = (element) => ({text: element.textContent, at: centre(element)});
  const groups = (name) => [...svg.querySelectorAll("g." + name)].map((group) => ({
    name: group.querySelector(".name")?.textContent,
    words: [...group.querySelectorAll("text")].map((text) => text.textContent),
    dots: [...group.querySelectorAll(".dot")].map(centre),
    median: [...group.querySelectorAll(".median")].map(centre),
    marks: [...group.querySelectorAll(".mark, .marker")].map((mark) => ({kind: mark.getAttribute("class"), at: centre(mark)})),
    interval: [...group.querySelectorAll(".interval")].map((line) => {
      const r = line.getBoundingClientRect();
      return [r.left - box.left, r.right - box.left];
    }),
  }));
  return {
    title: svg.querySelector("title")?.textContent, description: svg.querySelector("desc")?.textContent,
    role: svg.getAttribute("role"), width: box.width, height: box.height,
    outside: outside.map((text) => text.textContent), overlaps,
    ticks: [...svg.querySelectorAll(".tick")].map(described),
    notes: [...svg.querySelectorAll(".note")].map((note) => note.textContent),
    strips: groups("strip"), pairs: groups("pair"), sweeps: groups("sweep"),
    markers: svg.querySelectorAll(".marker").length,
  };
}

function measurePage(frame) {
  const page = frame.contentDocument, view = frame.contentWindow;
  const shown = page.documentElement;
  const result = {ground: ground(page.body, view).slice(0, 3), foldedWidth: shown.scrollWidth, width: shown.clientWidth};
  for (const details of page.querySelectorAll("details")) details.open = true;
  result.scrollWidth = shown.scrollWidth;
  result.text = page.body.innerText;
  result.worst = textColours(page, view);
  result.pictures = [...page.querySelectorAll("svg")].map(picture);
  result.tables = [...page.querySelectorAll("table")].map((table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)));
  result.fetched = view.performance.getEntriesByType("resource").length;
  result.scripts = page.querySelectorAll("script").length;
  result.links = [...page.querySelectorAll("a")].filter((a) => !page.querySelector(a.getAttribute("href"))).length;
  return result;
}

window.addEventListener("load", () => {
  const results = {};
  for (const frame of document.querySelectorAll("iframe")) {
    try {
      results[frame.id] = measurePage(frame);
    } catch (error) {
      results[frame.id] = {error: String(error.stack)};
    }
  }
  const json = document.createElement("pre");
  json.id = "results";
  // Base64: the dump is HTML again, and this needs no escaping.
  const bytes = new TextEncoder().encode(JSON.stringify(results));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  json.textContent = btoa(binary);
  document.body.replaceChildren(json);
});
