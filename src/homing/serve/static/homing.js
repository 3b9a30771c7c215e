// Keeps the dashboard up to date. Everything else works without this script.
"use strict";

(() => {
  const place = document.querySelector("[data-live]");
  if (!place) return;

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let curves = JSON.parse(place.dataset.curves);
  let charts = [];

  // A time in UTC, as precise as the time span needs.
  function moment(at, span = 0) {
    const text = new Date(at * 1e3).toISOString();
    if (span > 2 * 86400) return text.slice(0, 10);
    return span > 600 ? text.slice(11, 16) : text.slice(11, 19);
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
          dash, // so that colour is not the only difference
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

  function update(panels) {
    for (const [name, panel] of Object.entries(panels)) {
      if (name === "curves") {
        curves = JSON.parse(panel);
        charts[0].setData(pages());
        charts[1].setData(harvest());
        continue;
      }
      const element = document.getElementById(name);
      // A panel with the focus in it stays as it is, so that its links can be followed; the next change replaces it.
      if (element && !element.contains(document.activeElement)) element.innerHTML = panel;
    }
  }

  // Browsers open at most six connections to a host: a hidden tab closes its own.
  let source = null;
  function listen() {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source) {
      source = new EventSource(place.dataset.live);
      source.onmessage = (event) => update(JSON.parse(event.data));
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
