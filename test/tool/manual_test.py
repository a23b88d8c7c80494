#!/usr/bin/env python3
"""Manual pages, completion and the Python module: manual_test.py MUSTER PYTHON-DIRECTORY"""
import json
import os
import shutil
import subprocess
import sys
import tempfile


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def output(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def expect(holds, what):
    if not holds:
        sys.exit(what)


def commands_of(muster):
    lines = output(muster, "--help").split("Subcommands:\n")[1].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]


def options_of(muster, command):
    words = output(muster, command, "--help").replace(",", " ").split()
    return {word for word in words if word.startswith("--") and len(word) > 3 and word.strip("-").replace("-", "").isalnum()}


def check_pages(muster, directory):
    output(muster, "manual", directory)
    for command in commands_of(muster):
        page = open(f"{directory}/man1/muster-{command}.1").read().replace("\\-", "-")
        usage = output(muster, command, "--help").split("Examples:")[0]
        for option in options_of(muster, command):
            if option in usage and f"  {option}" in usage:
                expect(option in page, f"{option} is not in the page of {command}")
    hints = [hint["name"] for hint in json.loads(output(muster, "hints", "--json"))]
    page = open(f"{directory}/man7/muster-hints.7").read()
    for hint in hints:
        expect(f"\\fB{hint}\\fR" in page, f"{hint} is not in the page of hints")
    expect(open(f"{ROOT}/docs/hints.md").read() == output(muster, "hints", "--markdown"), "docs/hints.md: write it again by 'muster hints --markdown'")
    if shutil.which("groff"):
        for where, _, names in os.walk(directory):
            for name in names:
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", f"{where}/{name}"], capture_output=True, text=True)
                expect(done.returncode == 0 and not done.stderr, f"{name}: {done.stderr}")


def completed(script, *words):
    code = f'source {script}; COMP_WORDS=({" ".join(words)} ""); COMP_WORDS[-1]=""; unset "COMP_WORDS[-1]"; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _muster 2>/dev/null; echo "${{COMPREPLY[@]}}"'
    return output("bash", "-c", code).split()


def check_completion(muster, directory):
    script = f"{directory}/muster.bash"
    open(script, "w").write(output(muster, "completion", "bash"))
    expect(completed(script, "muster", "repl") == ["replay"], completed(script, "muster", "repl"))
    expect(completed(script, "muster", "plan", "bti") == ["btio"], completed(script, "muster", "plan", "bti"))
    expect("--rank-order" in completed(script, "muster", "replay", "--r"), completed(script, "muster", "replay", "--r"))
    hints = completed(script, "muster", "plan", "btio", "--hint", "muster_win")
    expect(hints == ["muster_window=", "muster_windows="], hints)
    expect(set(commands_of(muster)) == set(completed(script, "muster", "''")), completed(script, "muster", "''"))
    if shutil.which("zsh"):
        zsh = f"{directory}/_muster"
        open(zsh, "w").write(output(muster, "completion", "zsh"))
        output("zsh", "-n", zsh)


def check_python(muster, module, directory):
    sys.path.insert(0, module)
    import muster as python

    plan = f"{directory}/plan.json"
    open(plan, "w").write(output(muster, "plan", "cube", "--grid", "32", "--ranks", "8", "--json"))
    report = python.load_report(plan)
    expect(report.kind == "plan" and report["ranks"] == 8 and report.calls == [], repr(report))
    phases = {name: {"min": 1, "mean": 2, "max": 3} for name in ("plan", "file")}
    pattern = {"operation": "write", "calls": 4, "bytes": 100, "pieces": 10, "seconds": 0.5, "rounds": 2, "nodes": 1,
               "aggregators": [0], "phases": phases}
    run = {"schema": "muster.drop-in", "ranks": 2, "files": [{"file": "a.nc", "ranks": 2, "patterns": [pattern, pattern]}]}
    json.dump(run, open(plan, "w"))
    report = python.load_report(open(plan))
    expect(report.kind == "drop-in" and report.seconds == 1.0 and report.bytes == 200, repr(report))
    expect(report.calls[0].title == "write of a.nc" and report.calls[0].phases["file"].mean == 2, report.calls)
    try:
        python.Report({"some": "thing"})
        sys.exit("anything is taken for a report")
    except ValueError:
        pass


def main():
    muster, module = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="muster-manual-") as directory:
        check_pages(muster, f"{directory}/manual")
        check_completion(muster, directory)
        check_python(muster, module, directory)
    print("manual, completion and module are as they should be")


main()
