// The dashboard, live. Everything else works without a script.
"use strict";

(() => {
  const place = document.querySelector("[data-live]");
  if (!place) return;

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let curves = JSON.parse(place.dataset.curves);
  let charts = [];

  // A time of UTC, as precise as the stretch of time needs it.
  function moment(at, stretch = 0) {
    const text = new Date(at * 1e3).toISOString();
    if (stretch > 2 * 86400) return text.slice(0, 10);
    return stretch > 600 ? text.slice(11, 16) : text.slice(11, 19);
  }

  const percent = (value) => (value == null ? "–" : (value * 100).toFixed(1) + " %");
  const count = (value) => (value == null ? "–" : value.toLocaleString("en"));

  function chart(id, x, lines, isShare, isTime) {
    const element = document.getElementById(id);
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
    const show = isShare ? percent : count;
    const ticks = (_, values) => values.map((value) => (isShare ? Math.round(value * 100) + " %" : count(value)));
    const times = (_, values) => values.map((at) => moment(at, values.at(-1) - values[0]));
    const whole = (_, values) => values.map((value) => (Number.isInteger(value) ? count(value) : ""));
    const options = {
      width: element.clientWidth,
      height: 230,
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: isTime }, y: { range: (_, low, high) => [0, isShare ? 1 : Math.max(high, 1)] } },
      axes: [
        { ...axis, space: 70, values: isTime ? times : whole },
        { ...axis, size: 56, values: ticks },
      ],
      series: [
        isTime ? { label: "Time", value: (_, at) => (at == null ? "–" : moment(at)) } : { label: "Fetched", value: (_, value) => count(value) },
        ...lines.map(([label, name, dash]) => ({
          label,
          stroke: colour(name),
          width: 2,
          dash, // not by the colour alone
          points: { show: false },
          value: (_, value) => show(value),
        })),
      ],
    };
    return new uPlot(options, x, element);
  }

  function pages() {
    return [curves.at, curves.fetched, curves.relevant];
  }

  function harvest() {
    return [curves.fetched, curves.harvest, curves.harvest_now];
  }

  function draw() {
    charts.forEach((each) => each.destroy());
    charts = [
      chart("chart-pages", pages(), [["Fetched", "--faint", [6, 4]], ["Relevant", "--accent"]], false, true),
      chart("chart-harvest", harvest(), [["Over the crawl", "--accent"], ["Last 100", "--second", [6, 4]]], true, false),
    ];
  }

  function take(parts) {
    for (const [name, part] of Object.entries(parts)) {
      if (name === "curves") {
        curves = JSON.parse(part);
        charts[0].setData(pages());
        charts[1].setData(harvest());
        continue;
      }
      const element = document.getElementById(name);
      // Whoever stands on a link in there wants to follow it; the next change brings the rest.
      if (element && !element.contains(document.activeElement)) element.innerHTML = part;
    }
  }

  // A browser keeps but six connections to a host: a tab that nobody sees gives its own back.
  let source = null;
  function listen() {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source) {
      source = new EventSource(place.dataset.live);
      source.onmessage = (event) => take(JSON.parse(event.data));
      source.onopen = () => (document.getElementById("connection").hidden = true);
      source.onerror = () => (document.getElementById("connection").hidden = false);
    }
  }

  draw();
  listen();
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("pagehide", () => source?.close());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth !== width) {
      width = place.clientWidth;
      draw();
    }
  }).observe(place);
})();
