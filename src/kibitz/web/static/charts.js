// Two charts in SVG: rates with their intervals over hands, and weights that add up to one. Drawn by attributes and
// classes only, for the policy of the page lets no inline style take effect.
const NAMESPACE = "http://www.w3.org/2000/svg";
const MARGIN = { left: 62, right: 12, top: 10, bottom: 34 };
const HEIGHT = 300;

function make(parent, tag, attributes, text) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

export function signed(value) {
  return (value > 0 ? "+" : "") + Math.round(value).toLocaleString("en").replace("-", "−");
}

// About `count` round numbers from `low` to `high`.
export function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) found.push(Math.abs(tick) < step / 1e6 ? 0 : tick);
  return found;
}

function frame(svg, xs, ys, labels) {
  const width = Math.max(240, svg.clientWidth);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  const right = width - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const x = (value) => MARGIN.left + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * (right - MARGIN.left);
  const y = (value) => bottom - ((value - ys[0]) / (ys[1] - ys[0] || 1)) * (bottom - MARGIN.top);
  for (const tick of ticks(ys[0], ys[1], 5)) {
    make(svg, "line", { class: tick === 0 ? "zero" : "axis", x1: MARGIN.left, x2: right, y1: y(tick), y2: y(tick) });
    make(svg, "text", { x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, labels.y(tick));
  }
  for (const tick of ticks(xs[0], xs[1], width < 600 ? 3 : 7)) {
    make(svg, "text", { x: x(tick), y: bottom + 18, "text-anchor": x(tick) > right - 20 ? "end" : "middle" }, tick.toLocaleString("en"));
  }
  make(svg, "text", { x: right, y: HEIGHT - 2, "text-anchor": "end" }, labels.x);
  return { x, y, right, bottom };
}

// The interval of the first hands is wide: what comes after a tenth of them decides on the scale.
function scale(lines) {
  const ends = [0];
  for (const { points } of lines) {
    for (const [, mean, half] of points.slice(Math.floor(points.length / 10))) {
      ends.push(mean - (half ?? 0), mean + (half ?? 0));
    }
  }
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low || 20) * 0.06;
  return [low - room, high + room];
}

export function rateChart(svg, lines, told, unit) {
  const last = Math.max(...lines.map(({ points }) => points.at(-1)[0]));
  const at = frame(svg, [0, last], scale(lines), { x: "hands", y: signed });
  const clip = make(make(svg, "defs", {}), "clipPath", { id: `${svg.id}-clip` });
  make(clip, "rect", { x: MARGIN.left, y: MARGIN.top, width: at.right - MARGIN.left, height: at.bottom - MARGIN.top });
  const inner = make(svg, "g", { "clip-path": `url(#${svg.id}-clip)` });
  lines.forEach(({ points }, number) => {
    const sure = points.filter(([, , half]) => half !== null);
    const up = sure.map(([hands, mean, half]) => `${at.x(hands)},${at.y(mean + half)}`);
    const down = sure.map(([hands, mean, half]) => `${at.x(hands)},${at.y(mean - half)}`).reverse();
    make(inner, "polygon", { class: `band fill-${number % 8}`, points: [...up, ...down].join(" ") });
    const path = points.map(([hands, mean]) => `${at.x(hands)},${at.y(mean)}`).join(" ");
    make(inner, "polyline", { class: `curve-line stroke-${number % 8}`, points: path });
  });
  const cursor = make(svg, "line", { class: "cursor", y1: MARGIN.top, y2: at.bottom, visibility: "hidden" });
  const tell = (place) => {
    const parts = lines.map(({ name, points }) => {
      const [, mean, half] = points[place] ?? points.at(-1);
      return `${name} ${signed(mean)}${half === null ? "" : ` ± ${Math.round(half).toLocaleString("en")}`}`;
    });
    const hands = (lines[0].points[place] ?? lines[0].points.at(-1))[0];
    told.textContent = `After ${hands.toLocaleString("en")} hands: ${parts.join(", ")} ${unit}, with 95 % intervals.`;
    cursor.setAttribute("x1", at.x(hands));
    cursor.setAttribute("x2", at.x(hands));
  };
  tell(lines[0].points.length - 1);
  svg.onpointermove = (event) => {
    const wanted = event.clientX - svg.getBoundingClientRect().left;
    const away = lines[0].points.map(([hands]) => Math.abs(at.x(hands) - wanted));
    cursor.setAttribute("visibility", "visible");
    tell(away.indexOf(Math.min(...away)));
  };
  svg.onpointerleave = () => {
    cursor.setAttribute("visibility", "hidden");
    tell(lines[0].points.length - 1);
  };
}

export function weightChart(svg, points) {
  const at = frame(svg, [points[0][0], points.at(-1)[0]], [0, 1], { x: "hands", y: (value) => `${Math.round(100 * value)} %` });
  let below = points.map(() => 0);
  for (let expert = 1; expert < points[0].length; expert++) {
    const above = points.map((point, place) => below[place] + point[expert]);
    const up = points.map(([hand], place) => `${at.x(hand)},${at.y(above[place])}`);
    const down = points.map(([hand], place) => `${at.x(hand)},${at.y(below[place])}`).reverse();
    make(svg, "polygon", { class: `part fill-${(expert - 1) % 8}`, points: [...up, ...down].join(" ") });
    below = above;
  }
}

export function drawLegend(list, names) {
  list.replaceChildren(
    ...names.map((name, number) => {
      const item = document.createElement("li");
      const swatch = document.createElement("i");
      swatch.className = `fill-${number % 8}`;
      item.append(swatch, name);
      return item;
    }),
  );
}
