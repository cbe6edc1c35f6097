/* SPDX-License-Identifier: BSD-3-Clause */
/* The time line of a report: a canvas with a row for each component, and below it, when it is opened, a row for each of its processes. */
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent), canvas = document.getElementById("canvas");
  if (!canvas || !data.rows) return;
  const MIXED = 0, AXIS = 26, NAMES = 92, TALL = 34, LOW = 22, GAP = 3, FIRST = data.first;
  const pen = canvas.getContext("2d"), said = document.getElementById("said");
  let from = 0, to = Math.max(data.length, 1), width = 300, open = new Set(data.rows.length === 1 ? [0] : []), marked = null;

  /* The fill of an activity: its colour, and its hatching in white. */
  const fills = {};
  function fill_of(kind) {
    if (fills[kind]) return fills[kind];
    const [, colour, hatch] = data.styles[kind], tile = document.createElement("canvas"), p = tile.getContext("2d");
    tile.width = tile.height = 8;
    p.fillStyle = colour;
    p.fillRect(0, 0, 8, 8);
    p.strokeStyle = "#fff";
    p.lineWidth = 1.6;
    p.beginPath();
    const lines = { slant: [-2, 2, 2, -2, 0, 8, 8, 0, 6, 10, 10, 6], upright: [4, 0, 4, 8], level: [0, 4, 8, 4], cross: [0, 0, 8, 8, 0, 8, 8, 0] }[hatch] || [];
    for (let i = 0; i < lines.length; i += 4) {
      p.moveTo(lines[i], lines[i + 1]);
      p.lineTo(lines[i + 2], lines[i + 3]);
    }
    p.stroke();
    if (hatch === "dots") {
      p.fillStyle = "#fff";
      p.fillRect(3, 3, 3, 3);
    }
    return (fills[kind] = pen.createPattern(tile, "repeat"));
  }

  /* The lines of the picture from top to bottom: components, and the processes of those that are open. */
  function lines() {
    const found = [];
    data.rows.forEach((row, i) => {
      found.push({ row, i, height: TALL });
      if (open.has(i)) row.ranks.forEach((rank) => found.push({ row, i, rank, height: LOW }));
    });
    let y = AXIS;
    for (const line of found) {
      line.y = y;
      y += line.height + GAP;
    }
    return { found, height: y };
  }

  const x_of = (t) => NAMES + ((t - from) / (to - from)) * (width - NAMES);
  const t_of = (x) => from + ((x - NAMES) / (width - NAMES)) * (to - from);

  function time_text(t, span) {
    const unit = span >= 2e6 ? ["s", 1e6] : span >= 2e3 ? ["ms", 1e3] : ["µs", 1];
    const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(span / unit[1] / 20))));
    return (t / unit[1]).toFixed(digits) + " " + unit[0];
  }

  function draw_axis(height) {
    const span = to - from, raw = span / Math.max(2, (width - NAMES) / 130), size = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * size).find((k) => k >= raw);
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      pen.fillStyle = "#ccc";
      pen.fillRect(x_of(t), AXIS - 6, 1, height - AXIS + 6);
      pen.fillStyle = "#333";
      if (x_of(t) > NAMES + 24 && x_of(t) < width - 30) pen.fillText(time_text(t, span), x_of(t), 14);
    }
  }

  /* Shares of the activities in each column of pixels, from the bins of a component. */
  function columns_of_bins(row, count) {
    const columns = Array.from({ length: count }, () => new Float32Array(10)), size = data.length / data.bins;
    let bin = 0;
    for (const [number, shares] of row.bins) {
      const begin = x_of(bin * size) - NAMES, end = x_of((bin + number) * size) - NAMES;
      add(columns, begin, end, (k) => (shares[k] || 0) / 1000);
      bin += number;
    }
    return columns;
  }

  function add(columns, begin, end, share_of) {
    for (let c = Math.max(0, Math.floor(begin)); c < Math.min(columns.length, end); c++) {
      const part = Math.min(end, c + 1) - Math.max(begin, c);
      for (let k = 1; k <= 8 && part > 0; k++) columns[c][k] += part * share_of(k);
    }
  }

  /* The first item that ends after a time. */
  function item_at(items, t) {
    let low = 0, high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (items[middle][0] + items[middle][1] <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function shares_of_item(item) {
    return item[2] === MIXED ? (k) => (item[3][k] || 0) / 1000 : (k) => (k === item[2] ? 1 : 0);
  }

  function columns_of_items(rank, count) {
    const columns = Array.from({ length: count }, () => new Float32Array(10));
    for (let i = item_at(rank.items, from); i < rank.items.length && rank.items[i][0] < to; i++) {
      const item = rank.items[i];
      add(columns, x_of(item[0]) - NAMES, x_of(item[0] + item[1]) - NAMES, shares_of_item(item));
    }
    return columns;
  }

  /* Columns that have the same shares are drawn as one rectangle for each activity, stacked from below. */
  function draw_columns(columns, y, height) {
    const same = (a, b) => a && b && a.every((v, k) => Math.abs(v - b[k]) < 0.02);
    for (let c = 0; c < columns.length; ) {
      let end = c + 1;
      while (end < columns.length && same(columns[c], columns[end])) end++;
      let top = y + height;
      for (let k = 1; k <= 8; k++) {
        const tall = columns[c][k] * height;
        if (tall < 0.3) continue;
        top -= tall;
        pen.fillStyle = fill_of(k);
        pen.fillRect(NAMES + c, top, end - c, tall);
      }
      c = end;
    }
  }

  /* What was done, for items that are wide enough for their words. */
  function draw_words(rank, y, height) {
    pen.font = "600 11px system-ui, sans-serif";
    pen.textAlign = "left";
    for (let i = item_at(rank.items, from); i < rank.items.length && rank.items[i][0] < to; i++) {
      const [begin, length, kind, label] = rank.items[i], x = Math.max(x_of(begin), NAMES), right = Math.min(x_of(begin + length), width);
      if (kind === MIXED || right - x < 70) continue;
      const words = data.styles[kind][0] + (rank.labels[label][0] ? ": " + rank.labels[label][0] : "");
      pen.save();
      pen.beginPath();
      pen.rect(x, y, right - x - 4, height);
      pen.clip();
      pen.lineWidth = 3;
      pen.strokeStyle = "#fff";
      pen.strokeText(words, x + 5, y + height / 2 + 4);
      pen.fillStyle = "#000";
      pen.fillText(words, x + 5, y + height / 2 + 4);
      pen.restore();
    }
  }

  function draw_name(line) {
    const is_open = open.has(line.i), words = line.rank ? "rank " + line.rank.rank : (is_open ? "▾ " : "▸ ") + line.row.name;
    pen.fillStyle = "#fff";
    pen.fillRect(0, line.y - GAP, NAMES - 1, line.height + 2 * GAP);
    pen.fillStyle = "#111";
    pen.font = (line.rank ? "" : "600 ") + "13px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.save();
    pen.beginPath();
    pen.rect(0, line.y, NAMES - 4, line.height);
    pen.clip();
    pen.fillText(words, line.rank ? 18 : 4, line.y + line.height / 2 + 5);
    pen.restore();
  }

  function draw() {
    const { found, height } = lines(), scale = window.devicePixelRatio || 1;
    width = Math.max(canvas.parentElement.clientWidth, 200);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = height + "px";
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, width, height);
    draw_axis(height);
    for (const line of found) {
      const only = line.row.ranks.length === 1 && line.row.processes === 1 ? line.row.ranks[0] : line.rank, count = Math.max(1, Math.floor(width - NAMES));
      draw_columns(only ? columns_of_items(only, count) : columns_of_bins(line.row, count), line.y, line.height);
      if (only) draw_words(only, line.y, line.height);
      draw_name(line);
    }
    if (marked !== null && marked >= from && marked <= to) {
      pen.fillStyle = "#000";
      pen.fillRect(x_of(marked), AXIS - 8, 1.5, height - AXIS + 8);
    }
    canvas.dataset.from = Math.round(from);
    canvas.dataset.to = Math.round(to);
  }

  function look(begin, end) {
    const whole = Math.max(data.length, 1), span = Math.min(whole, Math.max(end - begin, 2));
    from = Math.min(Math.max(begin, 0), whole - span);
    to = from + span;
    draw();
  }
  const zoom = (at, factor) => look(at - (at - from) * factor, at + (to - at) * factor);
  const move = (part) => look(from + part * (to - from), to + part * (to - from));
  const middle = () => (marked !== null && marked > from && marked < to ? marked : (from + to) / 2);

  function shares_text(share_of) {
    const parts = [];
    for (let k = 1; k <= 8; k++) if (share_of(k) > 0.0005) parts.push(data.styles[k][0] + " " + (100 * share_of(k)).toFixed(1) + " %");
    return parts.join(", ") || "nothing recorded";
  }

  function say(line, t) {
    const rank = line.rank || (line.row.processes === 1 ? line.row.ranks[0] : null);
    let words = line.row.name + (rank ? " rank " + rank.rank + " on " + rank.host : ", mean of " + line.row.processes + " processes") + ", " + time_text(t, to - from) + ": ";
    if (!rank) {
      let bin = Math.floor((t / data.length) * data.bins), k = 0;
      while (k < line.row.bins.length - 1 && bin >= line.row.bins[k][0]) bin -= line.row.bins[k++][0];
      words += shares_text((kind) => (line.row.bins[k][1][kind] || 0) / 1000);
    } else {
      const item = rank.items[item_at(rank.items, t)];
      if (!item || item[0] > t) words += "nothing recorded";
      else if (item[2] === MIXED) words += shares_text(shares_of_item(item)) + " of " + time_text(item[1], item[1]);
      else {
        const label = rank.labels[item[3]];
        words += data.styles[item[2]][0] + (label[0] ? " " + label[0] + " (" + label[1] + ")" : "") + ", " + time_text(item[1], Math.max(item[1], 1)) + " long";
      }
      let step = null;
      for (const [at, time] of rank.steps) if (at <= t) step = time;
      if (step !== null) words += "; step at " + step + " s of model time";
    }
    said.textContent = words;
  }

  /* Fingers and mouse: one moves, two zoom, a short one reads or opens. */
  const fingers = new Map();
  let begun = null;
  const place = (e) => ({ x: e.clientX - canvas.getBoundingClientRect().left, y: e.clientY - canvas.getBoundingClientRect().top });
  const line_at = (y) => lines().found.find((line) => y >= line.y && y <= line.y + line.height);

  canvas.addEventListener("pointerdown", (e) => {
    fingers.set(e.pointerId, place(e));
    if (canvas.setPointerCapture) canvas.setPointerCapture(e.pointerId);
    begun = { ...place(e), moved: false };
  });
  canvas.addEventListener("pointermove", (e) => {
    const p = place(e), last = fingers.get(e.pointerId);
    if (!last) {
      const line = p.x > NAMES && line_at(p.y);
      if (line) say(line, t_of(p.x));
      return;
    }
    const other = [...fingers].find(([id]) => id !== e.pointerId);
    if (other) {
      const before = Math.abs(last.x - other[1].x), after = Math.abs(p.x - other[1].x);
      begun.moved = true;
      if (before > 8 && after > 8) zoom(t_of((p.x + other[1].x) / 2), before / after);
    } else if (Math.abs(p.x - begun.x) > 4 || begun.moved) {
      begun.moved = true;
      const shift = ((last.x - p.x) / (width - NAMES)) * (to - from);
      look(from + shift, to + shift);
    }
    fingers.set(e.pointerId, p);
  });
  canvas.addEventListener("pointerup", (e) => {
    const p = place(e), line = line_at(p.y);
    fingers.delete(e.pointerId);
    if (!begun || begun.moved || !line) return;
    if (p.x < NAMES && !line.rank) {
      if (open.has(line.i)) open.delete(line.i);
      else open.add(line.i);
    } else if (p.x >= NAMES) {
      marked = t_of(p.x);
      say(line, marked);
    }
    draw();
  });
  canvas.addEventListener("pointercancel", (e) => fingers.delete(e.pointerId));
  canvas.addEventListener("dblclick", (e) => zoom(t_of(place(e).x), 1 / 3));
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && Math.abs(e.deltaX) <= Math.abs(e.deltaY)) return;
    e.preventDefault();
    if (e.ctrlKey) zoom(t_of(place(e).x), Math.exp(e.deltaY / 200));
    else move(e.deltaX / 600);
  }, { passive: false });
  const keys = { "+": () => zoom(middle(), 0.5), "=": () => zoom(middle(), 0.5), "-": () => zoom(middle(), 2), ArrowLeft: () => move(-0.3), ArrowRight: () => move(0.3), 0: () => look(0, data.length) };
  canvas.addEventListener("keydown", (e) => {
    if (!keys[e.key] || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  const buttons = { closer: () => zoom(middle(), 0.5), wider: () => zoom(middle(), 2), earlier: () => move(-0.5), later: () => move(0.5), all: () => look(0, data.length) };
  for (const name of Object.keys(buttons)) document.getElementById(name).addEventListener("click", buttons[name]);
  window.addEventListener("resize", draw);
  draw();
})();
