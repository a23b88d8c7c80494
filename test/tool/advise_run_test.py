#!/usr/bin/env python3
"""muster advise on measured runs: following the first advice makes them faster: advise_run_test.py MUSTER MPI PROGRAM LAUNCHER WORD..."""
import json
import re
import subprocess
import sys
import tempfile


def expect(holds, what):
    if not holds:
        sys.exit(what)


def output(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    expect(done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def advise(muster, name):
    return json.loads(output(muster, "advise", "--json", name))


class Bench:
    """Messages between four nodes of one rank each, with hints."""

    def __init__(self, muster, mpi, directory):
        self.words = [muster, "bench", "cube", "--grid", "80", "--ranks", "4", "--mpi", mpi, "--target", directory, "--runs", "3",
                      "--operations", "write", "--back-ends", "native", "--report", "--json"]
        self.name = f"{directory}/bench.json"
        self.muster = muster

    def run(self, *hints, options=()):
        words = ",".join(("muster_ranks_per_node=1", "muster_collective_write=on", *hints))
        done = output(*self.words, "--hints", f"muster/muster:{words}", *options)
        open(self.name, "w").write(done)
        return json.loads(done)["write"]["muster_s"], advise(self.muster, self.name)


def check_window(bench):
    before, found = bench.run("muster_window=2KiB")
    expect(found and found[0]["subject"] == "window", f"small windows should be the first advice: {found}")
    after, _ = bench.run(*re.findall(r"muster_\w+=\w+", found[0]["change"]))
    expect(after < before, f"larger windows should be faster: {before} s, then {after} s")
    print(f"window: {before:.4f} s, then {after:.4f} s; {found[0]['gain_s']:.4f} s were promised")


def check_late_rank(muster, program, launcher, directory):
    seconds = []
    for late in ("late", "in-time"):
        name = f"{directory}/{late}.json"
        output(muster, "run", "--report", name, "--", *launcher, "-n", "4", program, "8", late, cwd=directory)
        patterns = [pattern for file in json.load(open(name))["files"] for pattern in file["patterns"]]
        seconds.append(sum(pattern["seconds"] for pattern in patterns))
        found = [one for one in advise(muster, name) if one["subject"] != "drop-in"]
        named = bool(found) and found[0]["subject"] == "late rank"
        expect(named == (late == "late"), f"{late}: {found}")
        if named:
            expect("rank 3 " in found[0]["problem"], f"rank 3 is late: {found}")
    expect(seconds[1] < seconds[0], f"without the late rank it should be faster: {seconds}")
    print(f"late rank: {seconds[0]:.4f} s, then {seconds[1]:.4f} s")


def main():
    muster, mpi, program, *launcher = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="muster-advise-") as directory:
        check_window(Bench(muster, mpi, directory))
        check_late_rank(muster, program, launcher, directory)


main()
