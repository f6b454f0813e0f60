/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws by uPlot, on a screen, what a static picture shows: bands of steps on top of each other, to zoom into and to read values off.
 * The picture stays for paper and for screen readers. A plot's numbers are JSON behind its figure:
 *   kind     "slices" or "ranks"
 *   x        where each step begins, and where the last one ends
 *   edge     [band][step] where a band ends; the first one begins at 0
 *   mark     at which x a line stands */
"use strict";
(() => {
  const HEIGHT = 280, KEYS = "Keys: arrows, + and - zoom, 0 shows all.";
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const limit = (value, least, most) => Math.max(least, Math.min(most, value));

  /* Seconds as the tables have them; all ticks of an axis in the unit of the largest. */
  const timeUnit = (most) => [[1, "s"], [1e-3, "ms"], [1e-6, "us"]].find(([unit]) => most >= unit) || [1e-9, "ns"];
  const time = (seconds, [unit, name] = timeUnit(seconds)) => +(seconds / unit).toPrecision(4) + " " + name;
  const times = (u, ticks) => ticks.map((tick) => time(tick, timeUnit(Math.max(...ticks))));
  const percent = (share) => (100 * share).toFixed(1) + " %";

  /* A colour of the page's, or its mixture with the page. */
  const numbers = (colour) => (colour.length > 4 ? colour.match(/\w\w/g) : colour.match(/\w/g).map((c) => c + c)).map((c) => parseInt(c, 16));
  const mixed = (name, part) => {
    const page = numbers(css("--page"));
    return "rgb(" + numbers(css(name)).map((c, i) => Math.round(part * c + (1 - part) * page[i])) + ")";
  };

  /* What differs between plots. say: a step's band in words; band by band where `each`, all bands at once otherwise. */
  const kinds = {
    slices: (data, figure) => {
      const names = [...figure.querySelectorAll("path>title")].map((title) => title.textContent);
      return {
        each: true, down: true, shift: 0, xLabel: "time", yLabel: "part of the units", most: 1,
        xTicks: times, yTicks: (u, ticks) => ticks.map((tick) => Math.round(100 * tick) + " %"),
        colour: (band) => mixed(band % 2 ? "--k3" : "--k1", band % 4 < 2 ? 0.85 : 0.6),
        say: (step, part, band) => `from ${time(data.x[step])}: ${names[band]} ${names[band].startsWith("ranks") ? "have" : "has"} ${percent(part(band))} of the units`,
      };
    },
    ranks: (data) => {
      const names = [...document.querySelectorAll("#ranks .key li")].map((item) => item.textContent);
      const hosts = [...document.querySelector("#ranks tbody").querySelectorAll("td:first-of-type")].map((cell) => cell.textContent);
      const ranks = (step) => {
        const first = data.x[step], last = data.x[step + 1] - 1;
        return first < last ? `ranks ${first} to ${last}` : `rank ${first}` + (data.named ? ` on ${hosts[first]}` : "");
      };
      return {
        each: false, down: false, shift: -0.5, xLabel: "rank", yLabel: "wall time", most: Math.max(...data.edge[data.edge.length - 1]),
        xTicks: (u, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? String(tick) : "")), yTicks: times,
        colour: (band) => css("--k" + band),
        say: (step, part) => `${ranks(step)}: ` + names.map((name, band) => `${name} ${time(part(band))}`).join(", "),
      };
    },
  };

  /* As wide as the widest tick. */
  const axisSize = (u, ticks, axis, cycle) => {
    if (cycle > 1) return u.axes[axis]._size;
    u.ctx.font = u.axes[axis].font[0];
    return Math.ceil(Math.max(0, ...(ticks || []).map((tick) => u.ctx.measureText(tick).width)) / devicePixelRatio) + 16;
  };

  const draw = (figure, data) => {
    const kind = kinds[data.kind](data, figure), steps = data.x.length - 1, bands = data.edge.length;
    const x = data.x.map((at) => at + kind.shift);
    const plot = document.createElement("div"), read = document.createElement("p");
    let step = 0, band = 0;

    const part = (b) => data.edge[b][step] - (b ? data.edge[b - 1][step] : 0);
    const say = () => (read.textContent = kind.say(step, part, band));
    const point = (u) => {
      const at = u.posToVal(u.cursor.left, "x"), height = u.posToVal(u.cursor.top, "y");
      if (!(u.cursor.left >= 0)) return;
      for (step = 0; step < steps - 1 && x[step + 1] <= at;) step++;
      for (band = 0; band < bands - 1 && data.edge[band][step] <= height;) band++;
      say();
    };
    /* A line for each mark; of those that nearly touch, the first. */
    const marks = (u) => {
      let drawn = -Infinity;
      u.ctx.save();
      u.ctx.strokeStyle = css("--ink");
      u.ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
      for (const mark of data.mark || []) {
        const at = u.valToPos(mark, "x", true);
        if (at < u.bbox.left || at > u.bbox.left + u.bbox.width || at < drawn + 4 * devicePixelRatio) continue;
        drawn = at;
        u.ctx.beginPath();
        u.ctx.moveTo(at, u.bbox.top);
        u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
      }
      u.ctx.restore();
    };
    const axis = (label, values, more) => ({label, values, stroke: () => css("--ink"), grid: {stroke: () => css("--line"), width: 1},
      ticks: {stroke: () => css("--line"), width: 1}, labelSize: 20, ...more});
    /* The uppermost band first, as a later one is drawn over it. */
    const order = data.edge.map((_, b) => bands - 1 - b);
    const options = {
      width: 300, height: HEIGHT, legend: {show: false}, padding: [12, 28, 0, 0],
      cursor: {points: {show: false}, drag: {x: true, y: false}},
      scales: {x: {time: false, range: (u, least, most) => [least, most]}, y: {dir: kind.down ? -1 : 1, range: [0, kind.most || 1]}},
      axes: [axis(kind.xLabel, kind.xTicks, {size: 34}), axis(kind.yLabel, kind.yTicks, {size: axisSize})],
      series: [{}, ...order.map((b) => ({scale: "y", width: 0, fill: () => kind.colour(b), fillTo: 0, points: {show: false},
                                         paths: uPlot.paths.stepped({align: 1})}))],
      hooks: {setCursor: [point], draw: [marks]},
    };

    plot.className = "plot";
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", figure.querySelector("title").textContent + ". " + KEYS);
    read.className = "read";
    read.setAttribute("role", "status");
    figure.querySelector("svg").after(plot);
    plot.after(read);
    read.textContent = "Pointing shows values, dragging zooms, a double click shows all. " + KEYS;
    const u = new uPlot(options, [x, ...order.map((b) => [...data.edge[b], data.edge[b][steps - 1]])], plot);
    u.over.parentNode.querySelector("canvas").setAttribute("aria-hidden", "true");
    figure.classList.add("drawn");

    const zoom = (factor) => {
      const {min, max} = u.scales.x, middle = (x[step] + x[step + 1]) / 2, width = Math.min(factor * (max - min), x[steps] - x[0]);
      const from = limit(middle - width / 2, x[0], x[steps] - width);
      u.setScale("x", {min: from, max: from + width});
    };
    const go = (toStep, toBand) => {
      step = limit(toStep, 0, steps - 1);
      band = limit(toBand, 0, bands - 1);
      const middle = (x[step] + x[step + 1]) / 2;
      if (middle < u.scales.x.min || middle > u.scales.x.max) zoom(1);
      u.setCursor({left: u.valToPos(middle, "x"), top: u.valToPos(data.edge[band][step] - part(band) / 2, "y")}, false);
      say();
    };
    const lower = kind.down ? 1 : -1;
    const keys = {ArrowLeft: () => go(step - 1, band), ArrowRight: () => go(step + 1, band), ArrowDown: () => go(step, band + lower),
      ArrowUp: () => go(step, band - lower), Home: () => go(0, band), End: () => go(steps - 1, band), "+": () => zoom(0.5), "-": () => zoom(2),
      0: () => zoom(Infinity)};
    plot.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    new ResizeObserver(() => plot.clientWidth && u.setSize({width: plot.clientWidth, height: HEIGHT})).observe(plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => u.redraw());
  };

  for (const script of document.querySelectorAll('script[type="application/json"]'))
    draw(script.previousElementSibling, JSON.parse(script.textContent));
})();
