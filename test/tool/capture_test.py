#!/usr/bin/env python3
"""A captured program does the same when it is replayed: capture_test.py MUSTER MPI RANKS PROGRAM[,ARGUMENT...] LAUNCHER WORD...

{directory} in an argument is a fresh directory."""
import json
import os
import subprocess
import sys
import tempfile


def run(words, directory):
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\nended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def expect(holds, what):
    if not holds:
        sys.exit(what)


def add(sums, key, *amounts):
    known = sums.setdefault(key, [0] * len(amounts))
    for i, amount in enumerate(amounts):
        known[i] += amount


def of_the_run(report):
    """Calls, bytes, pieces and rounds by file and operation."""
    sums = {}
    for file in report["files"]:
        for pattern in file["patterns"]:
            add(sums, (file["file"], pattern["operation"]), pattern["calls"], pattern["bytes"], pattern["pieces"],
                pattern["calls"] * pattern["rounds"])
    return sums


def of_the_replay(replay):
    sums = {}
    for part in replay["parts"]:
        for operation in ("write", "read"):
            if operation not in part:
                continue
            report = part[operation]["report"]
            expect(part["verified"], f"{part['file']} was not verified")
            add(sums, (part["file"], operation), report["calls"], report["bytes"], report["pieces"], report["rounds"])
    return sums


def of_the_plan(replay):
    sums = {}
    for part in replay["parts"]:
        add(sums, (part["file"], part["direction"]), part["calls"], part["bytes"], part["requests"], part["rounds"])
    return sums


def main():
    muster, mpi, ranks, program, *launcher = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="muster-capture-") as directory:
        words = [word.format(directory=directory) for word in program.split(",")]
        capture = f"{directory}/app.capture"
        run([muster, "capture", "-o", capture, "--report", "run.json", "--", *launcher, "-n", ranks, *words], directory)
        expected = of_the_run(json.load(open(f"{directory}/run.json")))
        expect(expected, "the run has no calls by Muster")

        def replay(*options):
            return json.loads(run([muster, "replay", capture, "--json", *options], directory).stdout)

        quick = ["--mpi", mpi, "--runs", "1", "--warm-ups", "0", "--target", directory]
        for name, found in (("replay", of_the_replay(replay(*quick))), ("plan", of_the_plan(replay("--plan")))):
            print(name, found)
            expect(found == expected, f"the run had calls, bytes, pieces and rounds\n{expected}\nbut the {name}\n{found}")
        size = os.path.getsize(capture)
        print(f"{size} bytes of capture for {sum(sums[1] for sums in expected.values())} bytes of data")
        expect(size < 16384, f"the capture has {size} bytes")

        # Other hints and other places of the ranks.
        other = of_the_plan(replay("--plan", "--hint", "muster_window=1KiB", "--hint", "muster_collective_write=on", "--hint",
                                   "muster_collective_read=on", "--ranks-per-node", "1", "--rank-order", "reversed"))
        for key, (calls, data, pieces, rounds) in other.items():
            expect([calls, data, pieces] == expected[key][:3], f"{key} has other requests with other hints")
        expect(sum(sums[3] for sums in other.values()) > sum(sums[3] for sums in expected.values()), "smaller windows make more rounds")
        shuffled = of_the_replay(replay(*quick, "--rank-order", "random/3", "--ranks-per-node", "1", "--calls", "2"))
        expect(all(sums[0] <= 2 * len(expected) for sums in shuffled.values()), "only the first calls were wanted")

        advice = run([muster, "advise", capture], directory).stdout
        expect("by the cost model" in advice, advice)
        listed = run([muster, "replay", "--list", capture], directory).stdout
        expect(all(name in listed for name, _ in expected), listed)
        run([muster, "report", capture, "-o", "page.html"], directory)
        damaged = open(capture, "rb").read()[:-5]
        open(capture, "wb").write(damaged)
        done = subprocess.run([muster, "replay", capture], capture_output=True, text=True)
        expect(done.returncode == 1 and "damaged" in done.stderr, done.stderr)


main()
