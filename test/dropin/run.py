#!/usr/bin/env python3
"""Runs a program on the drop-in, and looks into the report whether Muster has really done the calls.

  run.py --build build/openmpi --ranks 2 --handled MPI_File_write_at_all=3 -- ./program {directory}

{directory} is a fresh directory, {transcript} a file that must be the same when the MPI's own I/O is used (--compare).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--handled", action="append", default=[], help="CALL=N: at least N times on each rank")
    parser.add_argument("--passed", action="append", default=[], help="CALL=REASON: to the MPI, for this reason only")
    parser.add_argument("--nothing-passed", action="store_true", help="no collective access went to the MPI")
    parser.add_argument("--no-report", action="store_true", help="the library must be switched off")
    parser.add_argument("--unreported", action="store_true", help="as users run it: nobody asks for a report")
    parser.add_argument("--says", help="a text that standard error must have")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--preload", help="these libraries instead of ours, with : between; + is ours")
    parser.add_argument("--in", dest="place", help="where the fresh directory is made")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def run(options, directory, preload):
    environment = dict(os.environ, **dict(e.split("=", 1) for e in options.env))
    if not options.unreported:
        environment["MUSTER_REPORT"] = f"{directory}/report.json"
    transcript = f"{directory}/transcript"
    data = f"{directory}/data"
    os.mkdir(data)
    words = [word.format(directory=data, transcript=transcript) for word in options.command]
    done = subprocess.run([f"{options.build}/launch", str(options.ranks), *preload, *words], env=environment,
                          capture_output=True, text=True, errors="replace")
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    if done.returncode == 77:
        sys.exit(77)  # skipped
    if done.returncode != 0:
        sys.exit(f"the program ended with {done.returncode}")
    return done, open(transcript).read() if os.path.exists(transcript) else None


def preload_words(options):
    if options.preload is None:
        return [f"{options.build}/preload"]
    kind = "openmpi" if os.path.exists(f"{options.build}/libmuster-mpiio-openmpi.so") else "mpich"
    ours = f"{options.build}/libmuster-mpiio-{kind}.so"
    libraries = options.preload.replace("+", ours)
    return ["env", f"LD_PRELOAD={libraries}"] if libraries else []


def add_up(report):
    calls = {}
    for file in report["files"]:
        if file["first_failure"]:
            print("first failure:", file["first_failure"])
        for call in file["calls"]:
            entry = calls.setdefault(call["call"], {"handled": 0, "reasons": {}})
            entry["handled"] += call["handled"]
            for reason, count in call["reasons"].items():
                entry["reasons"][reason] = entry["reasons"].get(reason, 0) + count
    return calls


def is_collective(name):
    return "_all" in name or "_ordered" in name


def check(options, report):
    if report["schema"] != "muster.drop-in" or report["ranks"] != options.ranks:
        sys.exit("this is not the report")
    calls = add_up(report)
    print(json.dumps(calls, indent=1))
    for expected in options.handled:
        name, least = expected.split("=")
        found = calls.get(name, {"handled": 0})["handled"]
        if found < int(least) * options.ranks:
            sys.exit(f"{name}: {found} handled on {options.ranks} ranks, expected {least} on each")
    for expected in options.passed:
        name, reason = expected.split("=")
        if list(calls.get(name, {"reasons": {}})["reasons"]) != [reason]:
            sys.exit(f"{name}: expected to be passed to the MPI for the reason '{reason}'")
    for name, call in calls.items():
        if options.nothing_passed and is_collective(name) and call["reasons"]:
            sys.exit(f"{name} went to the MPI: {call['reasons']}")
    bytes_moved = sum(p["bytes"] for f in report["files"] for p in f["patterns"])
    if options.handled and bytes_moved == 0:
        sys.exit("no byte was moved by Muster")


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="muster-dropin-", dir=options.place) as directory:
        os.mkdir(f"{directory}/ours")
        done, transcript = run(options, f"{directory}/ours", preload_words(options))
        if options.says and options.says not in done.stderr:
            sys.exit(f"standard error does not say '{options.says}'")
        name = f"{directory}/ours/report.json"
        if options.no_report or options.unreported:
            if os.path.exists(name):
                sys.exit("the library was not switched off")
        else:
            check(options, json.load(open(name)))
        if options.compare:
            os.mkdir(f"{directory}/native")
            _, native = run(options, f"{directory}/native", [])
            ours = transcript.splitlines()
            theirs = native.splitlines()
            different = [f"native {n}\n  ours {o}" for n, o in zip(theirs, ours) if n != o]
            if different or len(ours) != len(theirs):
                sys.exit("\n".join(["the transcripts differ", *different]))
            print(f"{len(ours)} lines of transcript are the same")


main()
