/* Draws charts over their tables.
   <canvas data-chart="ID"> names a json_script element with
     {"type": "line"|"bar", "stacked": bool, "labels": [text, ...],
      "series": [{"label": text, "values": [number|null, ...],         one value a label; null is a gap
                  "unit": as below (has an axis of its own), "url": text}, ...],
      "unit": "" | "%" | "ms" | "tokens",                               "%" values are 0 to 100
      "urls": [text, ...]}                                              where each label leads
   A click leads to where its label and its series both lead. The table has the same links.
   Colours are the CSS variables --chart-1 to --chart-8; a change of theme draws anew. A canvas that
   htmx takes away gives its chart back first. */
(() => {
  "use strict";
  const suffix = { "%": " %", ms: " ms" };
  const language = document.documentElement.lang || "en";

  // The legend strokes a line there and back: on these lengths the dashes of both ways coincide.
  const DASHES = [[6, 3], [2, 3], [12, 3]];
  const LEGEND_LINE = 21;

  // Where a label and a series both lead: the label's address with what the series asks for besides.
  function address(ofLabel, ofSeries) {
    if (!ofLabel || !ofSeries) return ofLabel || ofSeries || "";
    const place = new URL(ofLabel, document.baseURI);
    const own = new Set(place.searchParams.keys());
    for (const [name, value] of new URL(ofSeries, document.baseURI).searchParams) {
      if (!own.has(name)) place.searchParams.append(name, value);
    }
    return place.pathname + place.search;
  }

  function draw(canvas) {
    const source = document.getElementById(canvas.dataset.chart);
    if (!source || !window.Chart) return;
    Chart.getChart(canvas)?.destroy();
    const given = JSON.parse(source.textContent);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const number = (value, unit) =>
      new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value) + (suffix[unit] ?? "");
    const apart = given.series.find((series) => series.unit !== undefined);
    const own = apart?.unit;
    const datasets = given.series.map((series, index) => {
      const paint = colour(`--chart-${(index % 8) + 1}`);
      return {
        label: series.label, data: series.values, borderColor: paint, backgroundColor: paint,
        unit: series.unit ?? given.unit, yAxisID: series.unit === undefined ? "y" : "own",
        borderWidth: given.type === "line" ? 2 : 0, pointRadius: given.labels.length > 40 ? 0 : 2,
        pointHoverRadius: 4, tension: 0, spanGaps: false, maxBarThickness: 40,
        // Told apart without colour as well.
        borderDash: given.type === "line" && index > 0 ? DASHES[(index - 1) % DASHES.length] : [],
      };
    });
    const few = given.labels.length <= 12;  // names rather than days: each is wanted
    const axis = {
      grid: { color: colour("--chart-grid") }, border: { display: false },
      ticks: { color: colour("--chart-text"), maxRotation: 0, autoSkipPadding: 12 },
    };
    new Chart(canvas, {
      type: given.type,
      data: { labels: given.labels, datasets },
      options: {
        responsive: true, maintainAspectRatio: false,
        animation: false,  // a figure is read, not watched
        interaction: { mode: "index", intersect: false },
        scales: {
          x: {
            ...axis, stacked: given.stacked, grid: { display: false },
            // Days may be left out; of a few names each is needed.
            ticks: few ? { color: axis.ticks.color, autoSkip: false } : axis.ticks,
          },
          y: {
            ...axis, stacked: given.stacked, beginAtZero: true,
            max: given.unit === "%" && given.stacked ? 100 : undefined,
            ticks: { ...axis.ticks, maxTicksLimit: 6, callback: (value) => number(value, given.unit) },
          },
          ...(own === undefined ? {} : {
            own: {
              ...axis, position: "right", beginAtZero: true, grid: { display: false },
              title: { display: true, text: apart.label, color: axis.ticks.color },
              ticks: { ...axis.ticks, maxTicksLimit: 6, callback: (value) => number(value, own) },
            },
          }),
        },
        onClick: (event, _items, chart) => {
          const hit = chart.getElementsAtEventForMode(event, "nearest", { intersect: true }, false)[0];
          const place = hit && address(given.urls?.[hit.index], given.series[hit.datasetIndex].url);
          if (place) window.location.assign(place);
        },
        onHover: (event, items, chart) => {
          const leads = given.urls || given.series.some((series) => series.url);
          chart.canvas.style.cursor = leads && items.length ? "pointer" : "";
        },
        plugins: {
          legend: {
            // What is stacked is told apart by its labels, and one alone still has to be named.
            display: datasets.length > 1 || given.stacked, position: "bottom", align: "start",
            labels: given.type === "bar"
              ? { color: colour("--chart-text"), boxWidth: 12, boxHeight: 8 }
              // A box without height is a line, with the dashes of its series.
              : {
                color: colour("--chart-text"), boxWidth: LEGEND_LINE, boxHeight: 0,
                generateLabels: (chart) => Chart.defaults.plugins.legend.labels.generateLabels(chart)
                  .map((label) => ({ ...label, fillStyle: "transparent" })),
              },
          },
          tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${number(item.parsed.y, item.dataset.unit)}` } },
        },
      },
    });
    // The table stays at hand, closed; without a drawing it is open.
    canvas.closest(".chart")?.querySelector(".chart-table")?.removeAttribute("open");
  }

  // htmx cleans up text nodes too.
  const canvases = (root) => root.querySelectorAll === undefined ? [] : [
    ...(root.matches?.("canvas[data-chart]") ? [root] : []),
    ...root.querySelectorAll("canvas[data-chart]"),
  ];
  const drawAll = (root) => canvases(root).forEach(draw);
  const redraw = () => canvases(document).forEach((canvas) => {
    const table = canvas.closest(".chart")?.querySelector(".chart-table");
    const open = table?.open;
    draw(canvas);
    if (table) table.open = open;
  });

  drawAll(document);
  document.addEventListener("themechange", redraw);
  document.body.addEventListener("htmx:load", (event) => drawAll(event.detail.elt));
  document.body.addEventListener("htmx:beforeCleanupElement", (event) => {
    canvases(event.detail.elt).forEach((canvas) => Chart.getChart(canvas)?.destroy());
  });
})();
