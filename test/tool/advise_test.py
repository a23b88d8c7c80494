#!/usr/bin/env python3
"""muster advise on made situations: the first advice is the right one, and following it makes the plan cheaper: advise_test.py MUSTER"""
import json
import re
import subprocess
import sys
import tempfile


def advise(muster, content):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(content, file)
        file.flush()
        text = subprocess.run([muster, "advise", file.name], check=True, capture_output=True, text=True).stdout
        found = subprocess.run([muster, "advise", "--json", file.name], check=True, capture_output=True, text=True).stdout
    return json.loads(found), text


def plan(muster, *words):
    done = subprocess.run([muster, "plan", *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def seconds_of(text):
    return float(text.split("in all, ")[1].split(" s ")[0])


def expect(holds, what):
    if not holds:
        sys.exit(what)


def followed(change):
    """The hints that an advice names, as options."""
    return [word for hint in re.findall(r"muster_\w+=[\w./-]+", change) for word in ("--hint", hint)]


def check_plan(muster, subject, before, after=None):
    """The first advice is on the subject, and what it says makes the plan cheaper; `after` where that is no hint."""
    found, text = advise(muster, plan(muster, *before))
    expect(found and found[0]["subject"] == subject, f"{subject} should be the first advice:\n{text}")
    hints = followed(found[0]["change"])
    expect(after or hints, f"what should be followed here?\n{text}")
    _, then = advise(muster, plan(muster, *(after or [*before, *hints])))
    expect(seconds_of(then) < 0.9 * seconds_of(text), f"following the advice on {subject} should help:\n{text}\n{then}")
    print(f"{subject}: {seconds_of(text)} s, then {seconds_of(then)} s")


PHASES = ["plan", "metadata", "pack", "exchange", "assemble", "file", "wait"]


def report_of(waits, calls=1, shortest=None):
    """A call, or several, in which the ranks took so long in the first vote."""
    ranks = []
    for rank, wait in enumerate(waits):
        seconds = dict.fromkeys(PHASES, 0.01 * calls)
        seconds["plan"] = wait * calls
        ranks.append({"phases": seconds, "read_modify_writes": 0, "shortest_plan": (shortest or waits)[rank], "longest_plan": wait})
    count = len(ranks)
    spread = {p: {"min": min(r["phases"][p] for r in ranks), "mean": sum(r["phases"][p] for r in ranks) / count,
                  "max": max(r["phases"][p] for r in ranks)} for p in PHASES}
    return {"operation": "write", "file": "a", "ranks": count, "nodes": 1, "aggregators": [0], "rounds": calls, "calls": calls, "bytes": 1000,
            "pieces": 10, "seconds": (max(waits) + 0.06) * calls, "phases": spread, "mine": ranks[0], "total": ranks[0], "by_rank": ranks,
            "decisions": [], "hints": {}}


def check_late_rank(muster):
    waits = [0.5] * 8
    waits[5] = 0.001
    for calls in (1, 20):
        found, text = advise(muster, report_of(waits, calls))
        expect(found[0]["subject"] == "late rank" and "rank 5" in found[0]["problem"], f"rank 5 should be named:\n{text}")
    # Now and then a rank is not scheduled in time: what single calls show, and what several do not.
    noisy = [0.03] * 8
    noisy[2] = 0.001
    for report in (report_of(noisy), report_of(noisy, 20, [0.0005] * 8)):
        found, text = advise(muster, report)
        expect(all(one["subject"] != "late rank" for one in found), f"no rank is late here:\n{text}")


def main():
    muster = sys.argv[1]
    cube = ["cube", "--grid", "256", "--ranks", "64", "--ranks-per-node", "4"]
    check_plan(muster, "aggregators", [*cube, "--aggregators", "2"])
    check_plan(muster, "window", [*cube, "--aggregators", "16", "--window", "64KiB"])
    many = ["noncontig", "--datasets", "100", "--dataset-bytes", "100000", "--ranks", "64", "--ranks-per-node", "4", "--aggregators", "16"]
    check_plan(muster, "calls", [*many, "--mode", "independent"], [*many, "--mode", "multi"])
    stripes = [*cube, "--aggregators", "16", "--window", "16MiB", "--hint", "muster_stripe_size=64KiB"]
    check_plan(muster, "stripes", [*stripes, "--layout", "contiguous"])
    check_late_rank(muster)
    shared = report_of([0.001] * 4)  # small windows are no matter where ranks hand over through shared memory
    shared.update(rounds=6, decisions=[{"subject": "route", "choice": "shared", "reason": ""}, {"subject": "window", "choice": "2 MiB", "reason": ""}])
    found, text = advise(muster, shared)
    expect(not found, f"there should be nothing to gain:\n{text}")
    found, text = advise(muster, plan(muster, *cube, "--aggregators", "16", "--window", "16MiB"))
    expect(not found and "Nothing to gain" in text, f"there should be nothing to gain:\n{text}")


main()
