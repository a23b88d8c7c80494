#!/usr/bin/env python3
"""muster run, with a program that knows nothing of it: run_test.py MUSTER MPI PROGRAM LAUNCHER WORD..."""
import json
import os
import subprocess
import sys
import tempfile


def run(words, directory, **variables):
    return subprocess.run(words, cwd=directory, env=dict(os.environ, **variables), capture_output=True, text=True)


def expect(holds, what, done):
    if not holds:
        sys.exit(f"{what}\n{done.stdout}\n{done.stderr}")


def check_report(done, name):
    expect(done.returncode == 0, "the program should have ended well", done)
    report = json.load(open(name))
    handled = sum(call["handled"] for file in report["files"] for call in file["calls"])
    expect(report["schema"] == "muster.drop-in" and handled > 0, "Muster should have done some calls", done)
    expect("WHERE THE TIME GOES" in done.stderr and name in done.stderr, "a summary should have been printed", done)


def main():
    muster, mpi, program, *launcher = sys.argv[1:]
    ranks = [*launcher, "-n", "2"]
    with tempfile.TemporaryDirectory(prefix="muster-run-") as directory:
        kept = f"{directory}/kept.json"
        check_report(run([muster, "run", "--report", kept, "--", *ranks, program, directory, "transcript"], directory), kept)

        script = f"{directory}/job.sh"  # a launcher that nobody knows
        open(script, "w").write("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in ranks) + ' "$@"\n')
        os.chmod(script, 0o755)
        words = [muster, "run", "--mpi", mpi, "--report", kept, "--", script, program, directory, "transcript"]
        check_report(run(words, directory), kept)
        done = run([muster, "run", "--", script], directory)
        expect(done.returncode == 1 and "--mpi" in done.stderr, "it should have asked for the MPI", done)

        done = run([muster, "run", "--", *launcher, "-n", "1", "sh", "-c", "exit 5"], directory)
        expect(done.returncode == 5, "the exit status should have been the program's", done)
        expect("there is no report" in done.stderr, "it should have said that there is no report", done)

        done = run([muster, "run", "--", *launcher, "-n", "1", "sh", "-c", "echo $LD_PRELOAD"], directory)
        expect("libmuster-mpiio" in done.stdout, "the ranks should have had the library", done)


main()
