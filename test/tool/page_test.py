#!/usr/bin/env python3
"""The report page in a real browser: page_test.py MUSTER [screenshot directory]. Ends with 77 where there is no Chromium."""
import base64
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PHASES = ["plan", "metadata", "pack", "exchange", "assemble", "file", "wait"]
COUNTERS = ["bytes", "pieces", "messages_inside_node", "messages_between_nodes", "bytes_inside_node", "bytes_between_nodes",
            "metadata_bytes", "file_reads", "file_writes", "file_bytes_read", "file_bytes_written", "read_modify_writes",
            "kernel_fallbacks"]


FLOW = {"ranks_per_row": 1, "aggregators_per_column": 1, "rounds_per_step": 1, "bytes": [[100 + 7 * rank, 300 - 9 * rank] for rank in range(8)],
        "bytes_by_round": [900, 1200, 700], "seconds_by_round": [0.004, 0.009, 0.003]}
NODES = [rank % 2 for rank in range(8)]


def rank_report(rank):
    phases = {phase: 0.001 * (1 + (rank * 3 + i) % 5) for i, phase in enumerate(PHASES)}
    return {"phases": phases, "total_seconds": sum(phases.values()), **{name: rank + i for i, name in enumerate(COUNTERS)}}


def report(operation):
    """As Report::json writes it."""
    ranks = [rank_report(rank) for rank in range(8)]
    total = {"phases": {p: sum(r["phases"][p] for r in ranks) for p in PHASES}, "total_seconds": 1.0,
             **{name: sum(r[name] for r in ranks) for name in COUNTERS}}
    spread = {p: {"min": min(r["phases"][p] for r in ranks), "mean": total["phases"][p] / 8,
                  "max": max(r["phases"][p] for r in ranks)} for p in PHASES}
    return {"operation": operation, "file": "</script><b>state.bin", "ranks": 8, "nodes": 2, "aggregators": [0, 4], "rounds": 3,
            "plan_reused": False, "calls": 1, "node_of": NODES, "flow": FLOW, "gathered": True, "bytes": total["bytes"], "pieces": total["pieces"], "seconds": 0.04,
            "bytes_per_second": total["bytes"] / 0.04, "phases": spread, "mine": ranks[0], "total": total, "by_rank": ranks,
            "decisions": [{"subject": "route", "choice": "exchange", "reason": "pieces are small"}],
            "hints": {"muster_window": "16MiB"}}


def drop_in():
    made = report("write")
    pattern = {key: made[key] for key in ("operation", "bytes", "pieces", "seconds", "phases", "rounds", "nodes", "aggregators",
                                          "decisions", "total")}
    pattern.update(call="MPI_File_write_all", calls=3, flow=FLOW, by_rank=[{"phases": rank["phases"]} for rank in made["by_rank"]])
    calls = [{"call": "MPI_File_write_all", "handled": 24, "passed": 8, "reasons": {"atomic mode": 8}}]
    file = {"file": "a.nc", "ranks": 8, "node_of": NODES, "left_to_the_mpi": "", "first_failure": "", "calls": calls, "patterns": [pattern],
            "hints": made["hints"]}
    return {"schema": "muster.drop-in", "version": 1, "muster": "0", "mpi": "openmpi", "ranks": 8, "files_not_closed": 0,
            "files": [file]}


def bench():
    def operation(name):
        ends = [{"label": label, "kind": label, "hints": {}, "verified": True, "seconds": seconds, "seconds_min": seconds,
                 "seconds_max": seconds, "speedup": 0.5 / seconds} for label, seconds in (("native", 0.5), ("muster", 0.125))]
        return {"native_s": 0.5, "muster_s": 0.125, "speedup": 4.0, "verified": True, "back_ends": ends, "report": report(name)}

    return {"workload": "cube", "ranks": 8, "mpi": "openmpi", "mpi_version": "Open MPI", "cores": 2, "target": "/dev/shm", "runs": 2,
            "bytes": 4096, "pieces": 64, "notes": [], "write": operation("write"), "read": operation("read"), "verified": True}


def make_inputs(muster, directory):
    plan = subprocess.run([muster, "plan", "cube", "--grid", "64", "--ranks", "64", "--ranks-per-node", "8", "--window", "16KiB",
                           "--json"], check=True, capture_output=True, text=True).stdout
    topo = subprocess.run([muster, "topo", "--machine", "nodes 12 x 4; network tree 4 x 3; node 2 packages 4 numa 16 cores 32 threads 32MiB cache; "
                           "tiers HBM 180GB/s 10us 16GiB, DRAM 90GB/s 20us", "--json"], check=True, capture_output=True, text=True).stdout
    inputs = {"report": report("write"), "drop-in": drop_in(), "bench": bench(), "plan": json.loads(plan), "topo": json.loads(topo)}
    names = []
    for kind, content in inputs.items():
        names.append(f"{directory}/{kind}.json")
        json.dump(content, open(names[-1], "w"))
    return inputs, names


def open_browser():
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        browser = None
    if not browser or not driver:
        print("skipped: Chromium, its driver or Selenium are not installed (chromium, chromium-driver, python3-selenium)")
        sys.exit(SKIPPED)
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


def expect(holds, what):
    if not holds:
        sys.exit(what)


def same(a, b):
    return len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12) for x, y in zip(a, b))


CHARTS = """return Object.values(Chart.instances).map(chart => {
  const canvas = chart.canvas, pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
  return {kind: canvas.closest('[data-kind]').dataset.kind, name: canvas.dataset.chart, width: canvas.width, colours: [...colours],
          sets: chart.data.datasets.map(set => ({label: set.label, data: set.data, colour: set.backgroundColor}))};
});"""


def phases_of(list_of_phases):
    return {phase: [phases[phase] for phases in list_of_phases] for phase in PHASES}


def means(made):
    return {phase: made["phases"][phase]["mean"] for phase in PHASES}


def expected_charts(inputs):
    made, run, compared, plan = inputs["report"], inputs["drop-in"], inputs["bench"], inputs["plan"]
    operations = [compared["write"], compared["read"]]
    return {
        ("report", "phases"): phases_of([means(made)]),
        ("report", "ranks"): phases_of([rank["phases"] for rank in made["by_rank"]]),
        ("report", "rounds"): {"seconds": FLOW["seconds_by_round"]},
        ("drop-in", "phases"): phases_of([means(run["files"][0]["patterns"][0])]),
        ("drop-in", "ranks, write ×3, a.nc"): phases_of([rank["phases"] for rank in made["by_rank"]]),
        ("drop-in", "rounds, write ×3, a.nc"): {"seconds": FLOW["seconds_by_round"]},
        ("bench", "rounds, write"): {"seconds": FLOW["seconds_by_round"]},
        ("bench", "rounds, read"): {"seconds": FLOW["seconds_by_round"]},
        ("topo", "tiers"): {"bandwidth": [tier["bandwidth"] for tier in inputs["topo"]["tiers"]]},
        ("bench", "back ends"): {"seconds": [end["seconds"] for operation in operations for end in operation["back_ends"]]},
        ("bench", "phases"): phases_of([means(operation["report"]) for operation in operations]),
        ("bench", "ranks, write"): phases_of([rank["phases"] for rank in compared["write"]["report"]["by_rank"]]),
        ("bench", "ranks, read"): phases_of([rank["phases"] for rank in compared["read"]["report"]["by_rank"]]),
        ("plan", "rounds"): {"bytes": plan["flow"]["bytes_by_round"]},
    }


def check_charts(browser, inputs):
    charts = {(chart["kind"], chart["name"]): chart for chart in browser.execute_script(CHARTS)}
    expected = expected_charts(inputs)
    expect(set(charts) == set(expected), f"charts {sorted(charts)} instead of {sorted(expected)}")
    for key, sets in expected.items():
        drawn = {one["label"]: one["data"] for one in charts[key]["sets"]}
        for label, data in sets.items():
            expect(same(drawn[label], data), f"{key}, {label}: {drawn[label]} instead of {data}")
        for one in charts[key]["sets"]:
            colour = one["colour"][0] if isinstance(one["colour"], list) else one["colour"]
            expect(int(colour[1:], 16) in charts[key]["colours"], f"{key}: {one['label']} was not drawn")


def check_heat(browser, inputs):
    script = """return [...document.querySelectorAll('svg.heat')].map(s => [s.closest('[data-kind]').dataset.kind, s.dataset.chart,
      [...s.querySelectorAll('rect')].map(r => Number(r.dataset.value))])"""
    found = {(kind, name): cells for kind, name, cells in browser.execute_script(script)}
    expected = {("report", "flow"): FLOW["bytes"], ("drop-in", "flow, write ×3, a.nc"): FLOW["bytes"], ("bench", "flow, write"): FLOW["bytes"],
                ("bench", "flow, read"): FLOW["bytes"], ("plan", "flow"): inputs["plan"]["flow"]["bytes"], ("topo", "distances"): inputs["topo"]["distances"]}
    expect(set(found) == set(expected), f"heat maps {sorted(found)} instead of {sorted(expected)}")
    for key, rows in expected.items():
        expect(same(found[key], [value for row in rows for value in row]), f"the heat map {key} differs from the JSON")
    expect(sum(found["plan", "flow"]) == inputs["plan"]["bytes"], "the heat map does not have all bytes of the plan")


def check_machine(browser):
    script = "return [...document.querySelectorAll('[data-kind=report] .node')].map(n => [...n.querySelectorAll('i')].map(i => i.textContent))"
    nodes = browser.execute_script(script)
    expect(nodes == [["0", "2", "4", "6"], ["1", "3", "5", "7"]], f"ranks are on nodes {nodes}")
    boxes = browser.execute_script("return [...document.querySelectorAll('[data-chart=network] .ranks')].map(n => n.children.length)")
    expect(boxes == [4, 4, 4], f"twelve nodes on three switches are drawn as {boxes}")
    cores = browser.execute_script("return document.querySelectorAll('[data-chart=node] i').length")
    expect(cores == 16, f"{cores} cores are drawn")


def numbers_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for one in value for number in numbers_in(one)] + [len(value)]
    return [value] if isinstance(value, (int, float)) else []


def check_figures(browser, inputs, advice):
    script = """return [...document.querySelectorAll('[data-kind]')].map(s => [s.dataset.kind,
      [...s.querySelectorAll('span[data-value]')].map(e => [Number(e.dataset.value), e.textContent])])"""
    for kind, figures in browser.execute_script(script):
        expect(len(figures) > 3, f"{kind}: only {len(figures)} figures")
        known = numbers_in(inputs[kind]) + numbers_in(advice[kind])
        for value, text in figures:
            expect(any(math.isclose(value, number, rel_tol=1e-9, abs_tol=1e-12) for number in known), f"{kind}: {text} is not in the JSON")
            expect(any(letter.isdigit() for letter in text), f"{kind}: '{text}' is no number")
    tile = browser.execute_script("return document.querySelector('[data-kind=plan] .tile b').textContent")
    expect(tile == f"{inputs['plan']['ranks']:,}", f"ranks of the plan are shown as {tile}")


def check_layout(browser, what):
    wide = browser.execute_script("""const w = document.documentElement.clientWidth;
      return [document.documentElement.scrollWidth - w, ...[...document.querySelectorAll('.panel, .tile, canvas, svg')].map(e => e.getBoundingClientRect().right - w)]""")
    expect(max(wide) <= 1, f"{what}: something is {max(wide)} pixels wider than the screen")
    text = browser.execute_script("return Math.min(...[...document.querySelectorAll('td, p, .tile > span')].map(e => parseFloat(getComputedStyle(e).fontSize)))")
    expect(text >= 11, f"{what}: text of {text} pixels")


def check_quiet(browser, page):
    spoken = [entry["message"] for entry in browser.get_log("browser") if "favicon" not in entry["message"]]
    expect(not spoken, f"the console says {spoken}")
    asked = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    addresses = [one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"]
    expect(addresses and all(address == page for address in addresses), f"asked the network for {addresses}")


def take(browser, directory, name):
    if not directory:
        return
    os.makedirs(directory, exist_ok=True)
    width, height = browser.execute_script("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    open(f"{directory}/{name}.png", "wb").write(base64.b64decode(picture["data"]))


def show(browser, page, width):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    browser.get(page)


def main():
    muster, pictures = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else None)
    with tempfile.TemporaryDirectory(prefix="muster-page-") as directory:
        browser = open_browser()
        try:
            inputs, names = make_inputs(muster, directory)
            subprocess.run([muster, "report", *names, "-o", f"{directory}/page.html"], check=True)
            advice = {kind: json.loads(subprocess.run([muster, "advise", "--json", name], check=True, capture_output=True).stdout)
                      for kind, name in zip(inputs, names)}
            page = f"file://{directory}/page.html"
            show(browser, page, 1100)
            check_charts(browser, inputs)
            check_heat(browser, inputs)
            check_machine(browser)
            check_figures(browser, inputs, advice)
            check_layout(browser, "wide")
            take(browser, pictures, "wide")
            show(browser, page, 360)
            check_layout(browser, "small screen")
            take(browser, pictures, "small")
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            show(browser, page, 720)
            check_layout(browser, "print")
            expect(len(browser.print_page()) > 20000, "nothing was printed")
            take(browser, pictures, "print")
            check_quiet(browser, page)
        finally:
            browser.quit()
    print("the page is drawn, right, quiet, and fits")


main()
