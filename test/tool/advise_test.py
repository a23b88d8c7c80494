#!/usr/bin/env python3
"""muster advise on made situations: the first advice is the right one, and following it makes the plan cheaper: advise_test.py MUSTER"""
import json
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


def check_plan(muster, subject, before, after):
    found, text = advise(muster, plan(muster, *before))
    expect(found and found[0]["subject"] == subject, f"{subject} should be the first advice:\n{text}")
    _, followed = advise(muster, plan(muster, *after))
    expect(seconds_of(followed) < seconds_of(text), f"following the advice on {subject} should help:\n{text}\n{followed}")
    print(f"{subject}: {seconds_of(text)} s, then {seconds_of(followed)} s")


def report_with_a_late_rank(late):
    phases = ["plan", "metadata", "pack", "exchange", "assemble", "file", "wait"]
    ranks = []
    for rank in range(8):
        seconds = dict.fromkeys(phases, 0.01)
        seconds["plan"] = 0.001 if rank == late else 0.5
        ranks.append({"phases": seconds, "read_modify_writes": 0})
    spread = {p: {"min": min(r["phases"][p] for r in ranks), "mean": sum(r["phases"][p] for r in ranks) / 8,
                  "max": max(r["phases"][p] for r in ranks)} for p in phases}
    return {"operation": "write", "file": "a", "ranks": 8, "nodes": 1, "aggregators": [0], "rounds": 1, "bytes": 1000, "pieces": 10,
            "seconds": 0.56, "phases": spread, "mine": ranks[0], "total": ranks[0], "by_rank": ranks, "decisions": [], "hints": {}}


def main():
    muster = sys.argv[1]
    cube = ["cube", "--grid", "256", "--ranks", "64", "--ranks-per-node", "4"]
    check_plan(muster, "aggregators", [*cube, "--aggregators", "2"], [*cube, "--aggregators", "16"])
    check_plan(muster, "window", [*cube, "--aggregators", "16", "--window", "64KiB"], [*cube, "--aggregators", "16", "--window", "16MiB"])
    many = ["noncontig", "--datasets", "100", "--dataset-bytes", "100000", "--ranks", "64", "--ranks-per-node", "4", "--aggregators", "16"]
    check_plan(muster, "calls", [*many, "--mode", "independent"], [*many, "--mode", "multi"])
    stripes = [*cube, "--aggregators", "16", "--window", "16MiB", "--hint", "muster_stripe_size=64KiB"]
    check_plan(muster, "stripes", [*stripes, "--layout", "contiguous"], [*stripes, "--layout", "striped"])

    found, text = advise(muster, report_with_a_late_rank(5))
    expect(found[0]["subject"] == "late rank" and "rank 5" in found[0]["problem"], f"rank 5 should be named:\n{text}")
    found, text = advise(muster, plan(muster, *cube, "--aggregators", "16", "--window", "16MiB"))
    expect(not found and "Nothing to gain" in text, f"there should be nothing to gain:\n{text}")


main()
