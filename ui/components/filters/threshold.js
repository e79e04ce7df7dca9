// A histogram of scores with a threshold to drag. Everything that a threshold keeps and loses was counted before, so
// moving it asks nobody: the line, the shading and the counts follow the pointer at once.

const mounted = new WeakMap(); // parentElement -> threshold
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const TELL_MS = 200;

export default function ({ data, parentElement, setStateValue }) {
  let threshold = mounted.get(parentElement);
  if (!threshold) {
    threshold = create(parentElement);
    mounted.set(parentElement, threshold);
  }
  threshold.tell = (value) => setStateValue("chosen", value);
  threshold.show(data);
  return () => mounted.delete(parentElement);
}

// The elements, as they stand in the page.
function build(parentElement) {
  const part = (className) => Object.assign(document.createElement("div"), { className });
  const [root, plot, line, flag] = ["threshold", "plot", "line", "flag"].map(part);
  const [scale, legend, readout] = ["scale", "legend", "readout"].map(part);
  const svg = make("svg", { preserveAspectRatio: "none" });
  line.append(flag);
  plot.append(svg, line);
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Threshold");
  root.append(legend, plot, slider, scale, readout);
  parentElement.append(root);
  return { root, plot, svg, line, flag, slider, scale, legend, readout };
}

function create(parentElement) {
  const { root, plot, svg, line, flag, slider, scale, legend, readout } = build(parentElement);

  const self = { tell() {}, show };
  let data = null;
  let drawn = "";
  let version = null;
  let place = 0;
  let timer = 0;
  let told = null;

  slider.addEventListener("input", () => go(Number(slider.value)));
  slider.addEventListener("change", now);
  plot.addEventListener("pointerdown", (event) => {
    plot.setPointerCapture(event.pointerId);
    under(event);
    slider.focus();
  });
  plot.addEventListener("pointermove", (event) => {
    if (plot.hasPointerCapture(event.pointerId)) under(event);
  });
  plot.addEventListener("pointerup", now);

  function show(fresh) {
    data = fresh;
    for (const [name, colour] of Object.entries(data.colours)) root.style.setProperty(`--${name}`, colour);
    slider.max = data.thresholds.length - 1;
    const identity = JSON.stringify([data.histogram, data.reference, data.height]);
    if (identity !== drawn) {
      drawn = identity;
      draw();
    }
    if (data.version !== version) {
      version = data.version;
      place = nearest(data.thresholds, data.at);
      told = data.thresholds[place];
    }
    update();
  }

  function under(event) {
    const box = plot.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const { low, high } = data.histogram;
    go(nearest(data.thresholds, low + Math.min(1, Math.max(0, share)) * (high - low)));
  }

  function go(to) {
    place = to;
    update();
    clearTimeout(timer);
    timer = setTimeout(now, TELL_MS);
  }

  // What has to be fetched (thumbnails, intervals by reason) follows once the hand rests.
  function now() {
    clearTimeout(timer);
    const value = data.thresholds[place];
    if (value === told) return;
    told = value;
    self.tell({ value, version });
  }

  function draw() {
    const { histogram, height } = data;
    plot.style.height = `${height}px`;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    svg.replaceChildren(...bars(histogram.panels, height));
    if (data.reference !== null) {
      const x = shareAt(histogram, data.reference) * WIDTH;
      svg.append(make("line", { x1: x, x2: x, y1: 0, y2: height, class: "reference" }));
    }
    legend.replaceChildren(...data.legend.map(([tone, words]) => swatch(tone, words)));
    scale.replaceChildren(...data.ticks.map((value) => tick(value, shareAt(histogram, value), data.digits)));
  }

  function update() {
    const value = data.thresholds[place];
    const share = shareAt(data.histogram, value);
    slider.value = place;
    line.style.left = `${100 * share}%`;
    flag.textContent = value.toFixed(data.digits + 2).replace("-", "−");
    flag.classList.toggle("left", share > 0.9);
    const bins = data.histogram.panels[0].stacks[0].counts.length;
    for (const bar of svg.querySelectorAll("rect")) {
      bar.classList.toggle("out", (Number(bar.dataset.bin) + 0.5) / bins < share);
    }
    slider.setAttribute("aria-valuetext", `${flag.textContent}: ${data.kept[place]} of ${data.items} kept`);
    root.dataset.kept = data.kept[place];
    readout.replaceChildren(...cells(data, place));
  }

  return self;
}

// The place of the threshold nearest to a value, by halving: they ascend.
function nearest(thresholds, value) {
  let begin = 0;
  let end = thresholds.length - 1;
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (thresholds[middle] < value) begin = middle + 1;
    else end = middle;
  }
  return begin > 0 && value - thresholds[begin - 1] < thresholds[begin] - value ? begin - 1 : begin;
}

// Where a value lies between the ends of a histogram, 0 to 1.
function shareAt({ low, high }, value) {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
}

// The stacked bars of the panels, one below the other, each with its base line.
function bars(panels, height) {
  const gap = 8;
  const each = (height - gap * (panels.length - 1)) / panels.length;
  const drawn = [];
  panels.forEach((panel, number) => {
    const bottom = number * (each + gap) + each;
    const bins = panel.stacks[0].counts.length;
    const sums = Array.from({ length: bins }, (_, i) => sum(panel.stacks.map((stack) => stack.counts[i])));
    const most = Math.max(1, ...sums);
    const width = WIDTH / bins;
    for (let i = 0; i < bins; i++) {
      let top = bottom;
      for (const { tone, counts } of panel.stacks) {
        const tall = (counts[i] / most) * (each - 2);
        if (!tall) continue;
        top -= tall;
        const box = { x: i * width + 0.5, y: top, width: Math.max(0.5, width - 1), height: tall };
        drawn.push(make("rect", { ...box, class: tone, "data-bin": i }));
      }
    }
    drawn.push(make("line", { x1: 0, x2: WIDTH, y1: bottom, y2: bottom, class: "base" }));
  });
  return drawn;
}

function swatch(tone, words) {
  const entry = document.createElement("span");
  const colour = document.createElement("i");
  colour.className = tone;
  entry.append(colour, words);
  return entry;
}

function tick(value, share, digits) {
  const mark = document.createElement("span");
  mark.textContent = value.toFixed(digits).replace("-", "−");
  mark.style.left = `${100 * share}%`;
  mark.classList.toggle("first", share < 0.02);
  mark.classList.toggle("last", share > 0.98);
  return mark;
}

// What a threshold keeps and loses.
function cells(data, place) {
  const recall = interval(data.recall_low[place], data.recall_high[place]);
  const precision = interval(data.precision_low[place], data.precision_high[place]);
  const lost = data.accepted - data.accepted_kept[place];
  return [
    cell("Kept", count(data.kept[place]), `of ${count(data.items)}, ${percent(data.kept[place] / data.items)}`),
    cell("Lost", count(data.items - data.kept[place]), percent(1 - data.kept[place] / data.items)),
    cell("Accepted by people and lost", count(lost), `of ${count(data.accepted)}`),
    cell("Rejected by people and kept", count(data.rejected_kept[place]), `of ${count(data.rejected)}`),
    cell("Recall of what people accept", shareOf(data.recall[place]), recall),
    cell("Accepted among kept", shareOf(data.precision[place]), precision),
  ];
}

function cell(title, value, beside) {
  const element = document.createElement("div");
  for (const [className, words] of [["title", title], ["value", value], ["beside", beside]]) {
    const part = document.createElement("div");
    part.className = className;
    part.textContent = words;
    element.append(part);
  }
  return element;
}

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const count = (number) => number.toLocaleString("en");
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const shareOf = (share) => (share === null ? "–" : percent(share));
const interval = (low, high) =>
  low === null || high === null ? "no interval" : `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}`;
