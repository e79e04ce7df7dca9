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

function create(parentElement) {
  const root = document.createElement("div");
  root.className = "threshold";
  const plot = document.createElement("div");
  plot.className = "plot";
  const svg = make("svg", { preserveAspectRatio: "none" });
  const line = document.createElement("div");
  line.className = "line";
  const flag = document.createElement("div");
  flag.className = "flag";
  line.append(flag);
  plot.append(svg, line);
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Threshold");
  const scale = document.createElement("div");
  scale.className = "scale";
  const legend = document.createElement("div");
  legend.className = "legend";
  const readout = document.createElement("div");
  readout.className = "readout";
  root.append(legend, plot, slider, scale, readout);
  parentElement.append(root);

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
      place = nearest(data.at);
      told = data.thresholds[place];
    }
    update();
  }

  function under(event) {
    const box = plot.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const { low, high } = data.histogram;
    go(nearest(low + Math.min(1, Math.max(0, share)) * (high - low)));
  }

  function nearest(value) {
    const all = data.thresholds;
    let begin = 0;
    let end = all.length - 1;
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (all[middle] < value) begin = middle + 1;
      else end = middle;
    }
    return begin > 0 && value - all[begin - 1] < all[begin] - value ? begin - 1 : begin;
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

  function at(value) {
    const { low, high } = data.histogram;
    return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
  }

  function draw() {
    const { histogram, height } = data;
    const parts = histogram.panels;
    plot.style.height = `${height}px`;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    svg.replaceChildren();
    const gap = 8;
    const each = (height - gap * (parts.length - 1)) / parts.length;
    parts.forEach((panel, number) => {
      const bottom = number * (each + gap) + each;
      const bins = panel.stacks[0].counts.length;
      const most = Math.max(1, ...Array.from({ length: bins }, (_, i) => sum(panel.stacks.map((one) => one.counts[i]))));
      const width = WIDTH / bins;
      for (let i = 0; i < bins; i++) {
        let top = bottom;
        for (const { tone, counts } of panel.stacks) {
          const tall = (counts[i] / most) * (each - 2);
          if (!tall) continue;
          top -= tall;
          svg.append(make("rect", { x: i * width + 0.5, y: top, width: Math.max(0.5, width - 1), height: tall, class: tone, "data-bin": i }));
        }
      }
      svg.append(make("line", { x1: 0, x2: WIDTH, y1: bottom, y2: bottom, class: "base" }));
    });
    if (data.reference !== null) {
      const x = at(data.reference) * WIDTH;
      svg.append(make("line", { x1: x, x2: x, y1: 0, y2: height, class: "reference" }));
    }
    legend.replaceChildren(...data.legend.map(([tone, words]) => {
      const one = document.createElement("span");
      const swatch = document.createElement("i");
      swatch.className = tone;
      one.append(swatch, words);
      return one;
    }));
    scale.replaceChildren(...data.ticks.map((value) => {
      const tick = document.createElement("span");
      tick.textContent = value.toFixed(data.digits).replace("-", "−");
      tick.style.left = `${100 * at(value)}%`;
      tick.classList.toggle("first", at(value) < 0.02);
      tick.classList.toggle("last", at(value) > 0.98);
      return tick;
    }));
  }

  function update() {
    const value = data.thresholds[place];
    const share = at(value);
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
    readout.replaceChildren(
      cell("Kept", count(data.kept[place]), `of ${count(data.items)}, ${percent(data.kept[place] / data.items)}`),
      cell("Lost", count(data.items - data.kept[place]), percent(1 - data.kept[place] / data.items)),
      cell("Accepted by people and lost", count(data.accepted - data.accepted_kept[place]), `of ${count(data.accepted)}`),
      cell("Rejected by people and kept", count(data.rejected_kept[place]), `of ${count(data.rejected)}`),
      cell("Recall of what people accept", shareOf(data.recall[place]), interval(data.recall_low[place], data.recall_high[place])),
      cell("Accepted among kept", shareOf(data.precision[place]), interval(data.precision_low[place], data.precision_high[place])),
    );
  }

  return self;
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
