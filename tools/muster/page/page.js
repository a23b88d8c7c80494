"use strict";
(() => {
  const phaseColours = { plan: "#8d99ae", metadata: "#6c8ebf", pack: "#5aa9a3", exchange: "#2f6f8f", assemble: "#9c7fb8", file: "#d9822b", wait: "#d5dce3" };
  const wholeColour = "#52606d";

  // --- words and numbers ---

  const digits = (value) => Number(value.toPrecision(3)).toString();
  const seconds = (value) => (value === 0 ? "0 s" : value >= 0.1 ? digits(value) + " s" : value >= 1e-4 ? digits(value * 1e3) + " ms" : digits(value * 1e6) + " µs");
  const count = (value) => Number(value).toLocaleString("en-US");
  const bytes = (value) => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let unit = 0;
    while (value >= 1024 && unit + 1 < units.length) { value /= 1024; ++unit; }
    return (unit === 0 ? value : Number(value.toFixed(2))) + " " + units[unit];
  };

  // --- building blocks ---

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const panel = (title, ...children) => element("section", { class: "panel" }, element("h3", {}, title), ...children);
  const pair = (...panels) => element("div", { class: "pair" }, ...panels);
  const note = (text) => element("p", { class: "note" }, text);
  // A number that says what it is made of, so that it can be checked.
  const figure = (value, format) => element("span", { "data-value": value }, format(value));
  const tiles = (list) => element("div", { class: "tiles" }, ...list.map(([title, value, format]) => {
    const number = element("b", {});
    number.append(format ? figure(value, format) : String(value));
    return element("div", { class: "tile" }, number, element("span", {}, title));
  }));
  // Columns: [title, format or null]
  const table = (columns, rows) => {
    const head = element("tr", {}, ...columns.map(([title, format]) => element("th", format ? { class: "number" } : {}, title)));
    const lines = rows.map((row) => element("tr", {}, ...row.map((cell, i) => {
      const format = columns[i][1];
      if (!format || cell === null || cell === undefined) return element("td", format ? { class: "number" } : {}, cell ?? "–");
      return element("td", { class: "number" }, figure(cell, format));
    })));
    return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines)));
  };
  // Long tables show their first rows, and the others when asked.
  const foldTable = (columns, rows, most = 12) => (rows.length <= most ? table(columns, rows)
    : element("div", {}, table(columns, rows.slice(0, most)), details(`${rows.length - most} more`, table(columns, rows.slice(most)))));
  const details = (title, ...children) => element("details", {}, element("summary", {}, title), ...children);

  // --- charts ---

  Chart.defaults.font.family = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  Chart.defaults.color = "#616e7c";
  Chart.defaults.animation = false;
  const pending = [];  // drawn when the page stands, because a chart takes the size of its place

  const bars = ({ name, labels, datasets, format, horizontal, axis, extra }) => {
    const canvas = element("canvas", { role: "img", "aria-label": name, "data-chart": name });
    const height = horizontal ? 104 + 30 * labels.length : 260;
    const value = horizontal ? "x" : "y", other = horizontal ? "y" : "x";
    pending.push(() => new Chart(canvas, {
      type: "bar",
      data: { labels, datasets: datasets.map((set) => ({ maxBarThickness: 26, ...set })) },
      options: {
        indexAxis: horizontal ? "y" : "x", maintainAspectRatio: false,
        scales: {
          [value]: { stacked: true, beginAtZero: true, title: { display: true, text: axis }, ticks: { callback: format, maxTicksLimit: 6, maxRotation: 0 }, grid: { color: "#eef1f4" } },
          [other]: { stacked: true, grid: { display: false }, ticks: { autoSkip: !horizontal, maxRotation: 0 } },
        },
        plugins: {
          legend: { display: datasets.length > 1, position: "bottom", labels: { boxWidth: 12, boxHeight: 12, padding: 10 } },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${format(item.raw)}` + (extra ? `, ${extra(item.dataIndex)}` : "") } },
        },
      },
    }));
    return element("div", { class: "chart", style: `height:${height}px` }, canvas);
  };

  const stacks = (rows) => Object.keys(phaseColours).map((phase) => ({ label: phase, backgroundColor: phaseColours[phase], data: rows.map((row) => row[phase] ?? 0) }));
  const means = (phases) => Object.fromEntries(Object.entries(phases).map(([phase, spread]) => [phase, spread.mean]));

  const phaseTable = (list) => table([["", null], ["phase", null], ["fastest rank", seconds], ["mean", seconds], ["slowest rank", seconds]],
    list.flatMap(([name, phases]) => Object.entries(phases).map(([phase, spread], i) => [i === 0 ? name : "", phase, spread.min, spread.mean, spread.max])));

  const byRank = (name, report) => {
    if (!report.by_rank || report.by_rank.length === 0) return panel("Time of every rank", note("This report covers one rank; File::gather_report collects all."));
    return panel(`Time of every rank, ${report.operation}`,
      bars({ name, labels: report.by_rank.map((_, rank) => rank), datasets: stacks(report.by_rank.map((rank) => rank.phases)), format: seconds, axis: "seconds by phase" }));
  };

  const label = (index, each) => (each > 1 ? `${index * each}…` : String(index));
  const heat = (name, flow, given) => {
    const rows = flow.bytes, columns = rows[0].length, most = Math.max(1, ...rows.flat());
    const words = given ?? { cell: (y, x, value) => `rank ${label(y, flow.ranks_per_row)} to aggregator ${label(x, flow.aggregators_per_column)}: ${bytes(value)}`, foot: `across: aggregators, down: ranks; darkest: ${bytes(most)}` };
    const size = 440, left = 64, top = 22, width = Math.min(size / columns, 72), height = Math.min(size / rows.length, 26);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "heat");
    svg.setAttribute("data-chart", name);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", name);
    svg.setAttribute("viewBox", `0 0 ${left + size + 4} ${top + height * rows.length + 2}`);
    const add = (name, attributes, text) => {
      const made = document.createElementNS(svg.namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      if (text !== undefined) made.textContent = text;
      svg.append(made);
      return made;
    };
    rows.forEach((row, y) => {
      if (y % Math.ceil(rows.length / 8) === 0) add("text", { x: left - 6, y: top + y * height + Math.max(height / 2, 5) + 4, "text-anchor": "end" }, label(y, flow.ranks_per_row));
      row.forEach((value, x) => {
        const share = value / most;
        const cell = add("rect", { x: left + x * width, y: top + y * height, width: Math.max(width - 0.6, 0.4), height: Math.max(height - 0.6, 0.4), fill: `rgb(${Math.round(240 - 193 * share)},${Math.round(244 - 133 * share)},${Math.round(247 - 104 * share)})`, "data-value": value });
        const title = document.createElementNS(svg.namespaceURI, "title");
        title.textContent = words.cell(y, x, value);
        cell.append(title);
      });
    });
    for (let x = 0; x < columns; x += Math.ceil(columns / 8)) add("text", { x: left + x * width + 2, y: top - 7 }, label(x, flow.aggregators_per_column));
    return element("div", {}, svg, note(words.foot));
  };

  const steps = (values, each) => values.map((_, i) => (each > 1 ? `${i * each}…` : i));
  // Who hands over to whom, and the rounds: planned ones have bytes, measured ones have times as well.
  const flowPanels = (suffix, flow, remark) => {
    const each = flow.rounds_per_step, measured = flow.seconds_by_round && flow.seconds_by_round.length > 0, title = suffix ? `, ${suffix}` : "";
    const rounds = measured
      ? bars({ name: `rounds${title}`, labels: steps(flow.seconds_by_round, each), datasets: [{ label: "seconds", backgroundColor: "#2f6f8f", data: flow.seconds_by_round }], format: seconds, axis: each > 1 ? `seconds in ${each} rounds` : "seconds in a round", extra: (i) => bytes(flow.bytes_by_round[i]) })
      : bars({ name: `rounds${title}`, labels: steps(flow.bytes_by_round, each), datasets: [{ label: "bytes", backgroundColor: "#2f6f8f", data: flow.bytes_by_round }], format: bytes, axis: each > 1 ? `bytes in ${each} rounds` : "bytes in a round" });
    return pair(panel(`Who hands how much to whom${title}`, heat(`flow${title}`, flow)),
      panel(`Rounds, one after the other${title}`, rounds, note(remark ?? (measured ? "Of the rank that took longest in each; all calls together." : "Planned, not measured."))));
  };

  const rowOf = (number) => ({ class: "ranks", style: `grid-template-columns:repeat(${Math.max(Math.min(number, 8), 1)},18px)` });
  // Ranks by node; in order, where the report does not tell.
  const ranksByNode = (ranks, nodes, nodeOf) => {
    const each = Math.ceil(ranks / nodes), known = nodeOf && nodeOf.length === ranks;
    const list = Array.from({ length: nodes }, () => []);
    for (let rank = 0; rank < ranks; ++rank) list[known ? nodeOf[rank] : Math.floor(rank / each)].push(rank);
    return list;
  };
  const machine = (ranks, nodes, aggregators, known, nodeOf) => {
    const chosen = new Set(aggregators), shown = Math.min(nodes, 16), most = 64;
    known = known || (nodeOf && nodeOf.length === ranks);
    const box = element("div", { class: "machine" });
    ranksByNode(ranks, nodes, nodeOf).slice(0, shown).forEach((list, node) => {
      const cells = element("div", rowOf(list.length));
      list.slice(0, most).forEach((rank) => cells.append(element("i", chosen.has(rank) ? { class: "aggregator", title: `rank ${rank} aggregates` } : { title: `rank ${rank}` }, rank < 1000 ? String(rank) : "")));
      box.append(element("div", { class: "node" }, element("span", {}, `node ${node}` + (list.length > most ? `, first ${most} of ${list.length} ranks` : "")), cells));
    });
    const key = element("p", { class: "note key" }, element("i", {}), "rank", element("i", { class: "aggregator" }), "aggregator");
    if (nodes > shown) key.append(` · the first ${shown} of ${count(nodes)} nodes`);
    if (!known && nodes > 1) key.append(" · which rank is on which node is not in this report: drawn in order");
    return panel("Placement on the machine", box, key);
  };

  // --- what all kinds share ---

  const decisions = (list) => panel("Decisions", table([["about", null], ["choice", null], ["because", null]], list.map((d) => [d.subject, d.choice, d.reason])));
  const hints = (values) => panel("Hints in effect", details(`${Object.keys(values).length} hints`, table([["hint", null], ["value", null]], Object.entries(values).map(([name, value]) => [name, value || "–"]))));
  const noFlow = () => panel("Who hands how much to whom", note("Nothing was handed over: every rank accessed its own bytes, or the report is of an older version."));
  const flows = (list) => (list.some(([, r]) => r.flow) ? list.filter(([, r]) => r.flow).map(([name, r]) => flowPanels(name, r.flow)) : [noFlow()]);

  const advice = (input) => {
    if (input.advice.length === 0) {
      const made = panel("Advice", element("p", { style: "margin:0" }, "Nothing to gain: no rule finds more than a tenth of the time."));
      made.classList.add("advice", "good");
      return made;
    }
    const made = panel("Advice", element("ol", {}, ...input.advice.map((a) => {
      const item = element("li", {}, element("strong", {}, a.where + ": "), a.problem + ". ", element("br"), "Change: " + a.change + ". ");
      if (a.of_s > 0) item.append(element("span", { class: "gain" }, "Expected gain: ", figure(a.gain_s, seconds), " of ", figure(a.of_s, seconds), "."));
      return item;
    })));
    made.classList.add("advice");
    return made;
  };

  const counters = (name, reports) => {
    const rows = [["rounds", (r) => r.rounds, count], ["own bytes", (r) => r.total.bytes, bytes], ["pieces", (r) => r.total.pieces, count],
      ["messages inside nodes", (r) => r.total.messages_inside_node, count], ["messages between nodes", (r) => r.total.messages_between_nodes, count],
      ["bytes sent inside nodes", (r) => r.total.bytes_inside_node, bytes], ["bytes sent between nodes", (r) => r.total.bytes_between_nodes, bytes],
      ["bytes of lists", (r) => r.total.metadata_bytes, bytes], ["file writes", (r) => r.total.file_writes, count], ["file reads", (r) => r.total.file_reads, count],
      ["windows read before written", (r) => r.total.read_modify_writes, count]];
    const head = element("tr", {}, element("th", {}, ""), ...reports.map(([title]) => element("th", { class: "number" }, title)));
    const lines = rows.map(([title, get, format]) => element("tr", {}, element("td", {}, title), ...reports.map(([, r]) => element("td", { class: "number" }, figure(get(r), format)))));
    return panel(name, element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines))));
  };
  const counted = (report) => ({ ...report, total: report.total ?? report.mine });

  // --- one per kind of input ---

  const showReport = (report) => [
    tiles([["bytes", report.bytes, bytes], ["pieces", report.pieces, count], ["slowest rank", report.seconds, seconds], ["bytes per second", report.bytes_per_second, bytes], ["rounds", report.rounds, count], ["aggregators", report.aggregators.length, count]]),
    panel("Where the time goes, mean of the ranks", bars({ name: "phases", labels: [report.operation], datasets: stacks([means(report.phases)]), format: seconds, horizontal: true, axis: "seconds" }), details("All figures", phaseTable([[report.operation, report.phases]]))),
    byRank("ranks", report),
    pair(counters("Rounds, requests, messages", [[report.operation, counted(report)]]), machine(report.ranks, report.nodes, report.aggregators, false, report.node_of)),
    ...flows([["", report]]), decisions(report.decisions), hints(report.hints),
  ];

  const showBench = (bench) => {
    const operations = ["write", "read"].filter((name) => bench[name]);
    const rows = operations.flatMap((operation) => bench[operation].back_ends.map((end) => ({ operation, ...end })));
    const withReport = operations.filter((name) => bench[name].report);
    const parts = [
      tiles([["ranks", bench.ranks, count], ["bytes", bench.bytes, bytes], ["pieces", bench.pieces, count],
        ...operations.filter((o) => bench[o].speedup).map((o) => [`${o}: native / Muster`, bench[o].speedup, (v) => v.toFixed(2) + "×"]), ["all bytes verified", bench.verified ? "yes" : "no"]]),
      panel("Time of every back end",
        bars({ name: "back ends", labels: rows.map((row) => `${row.operation}, ${row.label}`), horizontal: true, format: seconds, axis: "seconds from the first rank's start to the last rank's end",
          datasets: [{ label: "seconds", backgroundColor: rows.map((row) => (row.kind === "native" ? wholeColour : "#2f6f8f")), data: rows.map((row) => row.seconds ?? row.more_than_s ?? 0) }] }),
        details("All figures", table([["operation", null], ["back end", null], ["seconds", seconds], ["fastest run", seconds], ["slowest run", seconds], ["native / this", (v) => v.toFixed(2) + "×"]],
          rows.map((row) => [row.operation, row.label + (row.more_than_s ? " (ended after so long)" : ""), row.seconds ?? row.more_than_s, row.seconds_min, row.seconds_max, row.speedup]))),
        note(`${bench.mpi_version}, ${bench.cores} cores, ${bench.runs} runs, files in ${bench.target}. Dark: the MPI's own I/O, which does not tell where its time goes.`)),
    ];
    if (withReport.length > 0) {
      const reports = withReport.map((name) => [name, bench[name].report]);
      parts.push(
        panel("Where Muster's time goes in a call, mean of the ranks", bars({ name: "phases", labels: withReport, datasets: stacks(reports.map(([, r]) => means(r.phases))), format: seconds, horizontal: true, axis: "seconds" }), details("All figures", phaseTable(reports.map(([name, r]) => [name, r.phases])))),
        pair(...reports.map(([name, r]) => byRank(`ranks, ${name}`, r))),
        pair(counters("Rounds, requests, messages", reports.map(([name, r]) => [name, counted(r)])), machine(bench.ranks, reports[0][1].nodes, reports[0][1].aggregators, false, reports[0][1].node_of)),
        ...flows(reports), decisions(reports[0][1].decisions), hints(reports[0][1].hints));
    } else {
      parts.push(note("Add --report to 'muster bench' to see where Muster's time goes."));
    }
    return parts;
  };

  // Of the kinds of calls that took longest, where the report has it.
  const byRankOf = (patterns, label) => {
    const detailed = patterns.filter((p) => p.by_rank).slice(0, 2).map((p) => byRank(`ranks, ${label(p)}`, { ...p, operation: label(p) }));
    return detailed.length > 1 ? [pair(...detailed)] : detailed;
  };

  const showDropIn = (run) => {
    const patterns = run.files.flatMap((file) => file.patterns.map((pattern) => ({ file: file.file, node_of: file.node_of, ...pattern })));
    patterns.sort((a, b) => b.seconds - a.seconds);
    const shown = patterns.slice(0, 15), label = (p) => `${p.operation} ×${p.calls}, ${p.file.split("/").pop()}`;
    const calls = run.files.flatMap((file) => file.calls.map((call) => [file.file, call.call, call.handled, call.passed, Object.keys(call.reasons).join(", ") || "–"]));
    const parts = [tiles([["ranks", run.ranks, count], ["files", run.files.length, count], ["bytes by Muster", patterns.reduce((sum, p) => sum + p.bytes, 0), bytes], ["seconds of the slowest ranks", patterns.reduce((sum, p) => sum + p.seconds, 0), seconds], ["MPI", run.mpi]])];
    if (shown.length > 0) {
      parts.push(panel("Where the time goes, mean of the ranks",
        bars({ name: "phases", labels: shown.map(label), datasets: stacks(shown.map((p) => means(p.phases))), format: seconds, horizontal: true, axis: "seconds" }),
        ...(patterns.length > shown.length ? [note(`The ${shown.length} that took longest of ${patterns.length} kinds of calls.`)] : []),
        details("All figures", phaseTable(shown.map((p) => [label(p), p.phases])))),
        panel("Kinds of calls", foldTable([["call", null], ["calls", count], ["bytes", bytes], ["pieces", count], ["rounds", count], ["file writes", count], ["file reads", count], ["seconds", seconds]],
          patterns.map((p) => [label(p), p.calls, p.bytes, p.pieces, p.rounds, p.total.file_writes, p.total.file_reads, p.seconds]))),
        ...byRankOf(shown, label), ...flows(shown.filter((p) => p.flow).slice(0, 2).map((p) => [label(p), p])),
        machine(run.ranks, shown[0].nodes, shown[0].aggregators, false, shown[0].node_of),
        decisions(shown[0].decisions), hints(run.files[0].hints));
    }
    parts.push(panel("Calls of the program, all ranks", foldTable([["file", null], ["call", null], ["by Muster", count], ["by the MPI", count], ["why not", null]], calls)));
    return parts;
  };

  const showPlan = (plan) => {
    const parts = [tiles([["ranks", plan.ranks, count], ["nodes", plan.nodes, count], ["requests", plan.requests, count], ["bytes", plan.bytes, bytes], ["calls", plan.calls, count], ["rounds", plan.rounds, count], ["messages", plan.messages, count], ["aggregators", plan.aggregators.length, count], ["memory of a rank, at most", plan.memory_per_rank_max, bytes]])];
    if (plan.flow) {
      parts.push(flowPanels("", plan.flow, "Planned, not measured" + (plan.calls > 1 ? "; the first call." : ".")));
    } else {
      parts.push(noFlow());
    }
    parts.push(machine(plan.ranks, plan.nodes, plan.aggregators, true), decisions(plan.decisions));
    return parts;
  };

  // --- a machine ---

  const rate = (value) => (value >= 1e9 ? digits(value / 1e9) + " GB/s" : digits(value / 1e6) + " MB/s");
  const boxOf = (name, ...children) => element("div", { class: "node" }, element("span", {}, name), ...children);
  const cores = (number) => {
    const shown = Math.min(number, 64), cells = element("div", rowOf(number));
    for (let i = 0; i < shown; ++i) cells.append(element("i", { title: `core ${i}` }));
    return [cells, ...(number > shown ? [note(`and ${number - shown} more`)] : [])];
  };
  const nodePicture = (node) => {
    const box = element("div", { class: "machine", "data-chart": "node" }), packages = Math.max(node.packages, 1);
    const numa = Math.max(Math.round(node.numa / packages), 1), each = Math.max(Math.round(node.cores / packages / numa), 1);
    for (let p = 0; p < packages; ++p) {
      const domains = Array.from({ length: numa }, (_, n) => boxOf(`NUMA ${p * numa + n}, ${each} cores`, ...cores(each)));
      box.append(boxOf(`package ${p}`, element("div", { class: "machine" }, ...domains)));
    }
    return panel("A node", box, note(`${node.cores} cores, ${node.threads} threads, last cache ${bytes(node.last_cache)}` + (node.origin ? ` (${node.origin})` : "")));
  };

  // Nodes that are at most so far from each other are in one box, boxes in boxes.
  const groupsWithin = (nodes, distances, far) => {
    const groups = [], group = new Map();
    nodes.forEach((node) => {
      const near = [...new Set(nodes.filter((other) => other !== node && group.has(other) && distances[node][other] <= far).map((other) => group.get(other)))];
      const mine = near.length > 0 ? near[0] : [];
      if (near.length === 0) groups.push(mine);
      near.slice(1).forEach((other) => { other.forEach((moved) => { mine.push(moved); group.set(moved, mine); }); groups.splice(groups.indexOf(other), 1); });
      mine.push(node);
      group.set(node, mine);
    });
    return groups;
  };
  const nested = (nodes, distances, levels) => {
    if (levels.length === 0) return nodes.map((node) => element("i", { title: `node ${node}` }, String(node)));
    const [far, ...nearer] = levels;
    return groupsWithin(nodes, distances, far).map((group) => {
      const inner = nested(group, distances, nearer);
      return nearer.length === 0 ? boxOf(`${far} hop${far === 1 ? "" : "s"}`, element("div", rowOf(inner.length), ...inner)) : boxOf(`within ${far} hops`, element("div", { class: "machine" }, ...inner));
    });
  };
  // Distances at which groups grow, the largest first.
  const levelsOf = (distances) => {
    const nodes = distances.map((_, i) => i), found = [];
    let before = nodes.length + 1;
    [...new Set(distances.flat())].filter((d) => d > 0).sort((a, b) => a - b).forEach((far) => {
      const groups = groupsWithin(nodes, distances, far).length;
      if (groups < before) found.unshift(far);
      before = groups;
    });
    return found;
  };
  const networkPanels = (topo) => {
    const known = topo.distances && topo.distances.length > 1;
    if (!known) return [panel("Network", note(topo.nodes > 1 ? `${topo.network.text || "taken as flat"}; 'muster topo --json' has the distances of up to 64 nodes.` : topo.network.origin || "one node"))];
    const levels = levelsOf(topo.distances), nodes = topo.distances.map((_, i) => i);
    const flow = { bytes: topo.distances, ranks_per_row: 1, aggregators_per_column: 1 };
    const farthest = Math.max(...topo.distances.flat());
    return [pair(panel("Network", element("div", { class: "machine", "data-chart": "network" }, ...nested(nodes, topo.distances, levels)), note(topo.network.text)),
      panel("Hops between nodes", heat("distances", flow, { cell: (y, x, v) => `node ${y} to node ${x}: ${v} hops`, foot: `darkest: ${farthest} hops` })))];
  };

  const showTopo = (topo) => {
    const parts = [tiles([["nodes", topo.nodes, count], ["ranks", topo.ranks, count], ["cores of a node", topo.node.cores, count], ["NUMA domains of a node", topo.node.numa, count]])];
    if (topo.node.cores > 0) parts.push(nodePicture(topo.node));
    if (topo.tiers.length > 0) {
      parts.push(panel("Memory and storage of a node", bars({ name: "tiers", labels: topo.tiers.map((tier) => tier.name), horizontal: true, format: rate, axis: "bytes per second", datasets: [{ label: "bandwidth", backgroundColor: "#2f6f8f", data: topo.tiers.map((tier) => tier.bandwidth) }] }),
        table([["tier", null], ["bytes per second", rate], ["latency", seconds], ["capacity", bytes], ["directory", null]], topo.tiers.map((tier) => [tier.name, tier.bandwidth, tier.latency, tier.capacity || null, tier.directory || "–"])), note(`Speeds: ${topo.speeds}.`)));
    }
    parts.push(...networkPanels(topo), panel("As a hint", element("p", { class: "code" }, `muster_machine=${topo.text.slice(topo.text.indexOf("; ") + 2)}`)));
    return parts;
  };

  // --- the page ---

  const about = {
    report: (d) => `A collective ${d.operation} of ${d.file} on ${d.ranks} ranks, ${d.nodes} node${d.nodes === 1 ? "" : "s"}`,
    bench: (d) => `muster bench ${d.workload}: Muster against the MPI's own I/O on ${d.ranks} ranks`,
    "drop-in": (d) => `A program on ${d.ranks} ranks with the drop-in library`,
    plan: (d) => `${d.file ? `The captured calls of ${d.file}` : `muster plan ${d.workload}`}: what a ${d.direction} would do on ${count(d.ranks)} ranks`,
    topo: (d) => `muster topo: ${d.nodes === 1 ? "one node" : `${count(d.nodes)} nodes`}`,
  };
  const show = { report: showReport, bench: showBench, "drop-in": showDropIn, plan: showPlan, topo: showTopo };
  const inputs = JSON.parse(document.getElementById("data").textContent);
  inputs.forEach((input, i) => {
    const section = element("section", { id: `report-${i}`, "data-kind": input.kind }, element("h2", {}, input.name), element("p", { class: "about" }, about[input.kind](input.data)));
    const [first, ...rest] = show[input.kind](input.data);
    section.append(first, ...(input.kind === "topo" ? [] : [advice(input)]), ...rest);
    document.getElementById("reports").append(section);
    if (inputs.length > 1) document.getElementById("contents").append(element("a", { href: `#report-${i}` }, input.name));
  });
  pending.forEach((draw) => draw());
  window.addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    Object.values(Chart.instances).forEach((chart) => chart.resize());
  });
})();
