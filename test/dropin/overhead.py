#!/usr/bin/env python3
"""What calls cost with the MPI's own I/O and with the drop-in, in microseconds: runs of both in turn, the median of each.

  overhead.py --build build/mpich --ranks 2 --runs 9
"""
import argparse
import re
import statistics
import subprocess
import tempfile


def measure(options, preload):
    with tempfile.TemporaryDirectory(prefix="muster-overhead-", dir=options.place) as directory:
        words = [f"{options.build}/launch", str(options.ranks), *preload, f"{options.build}/dropin_overhead", directory, options.only]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    rows = re.findall(r"^(.+?) +(\d+) B +([\d.]+) us", done.stdout, re.MULTILINE)
    return {(name, int(size)): float(time) for name, size, time in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--in", dest="place", default="/dev/shm")
    parser.add_argument("--only", default="", help="rows whose name has this")
    options = parser.parse_args()
    native, ours = [], []
    for _ in range(options.runs):
        native.append(measure(options, []))
        ours.append(measure(options, [f"{options.build}/preload"]))
    for row in native[0]:
        times = [statistics.median(run[row] for run in runs) for runs in (native, ours)]
        print(f"{row[0]:30} {row[1]:9} B {times[0]:11.3f} {times[1]:11.3f} us  {times[1] / times[0]:6.2f}")


main()
