#!/usr/bin/env python3
"""Runs every command in the documentation: docs_test.py MUSTER MPI BUILD PROGRAM

Commands stand in blocks marked sh. Each document has a directory of its own, in which its blocks run one after the other, with a program to
run, and an installed Muster in ~/muster. A source block whose first line is a comment with a name is that file. Where a document says
openmpi, so does it for the other MPI."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", *(f"docs/{name}" for name in sorted(os.listdir(f"{ROOT}/docs")))]
LANGUAGES = {"sh", "c", "cpp", "fortran", "python", "text", "cmake"}

# What is not run, and why.
LEFT_OUT = [
    (r"^script/(demo|test|bootstrap|build|bench|soak)\b", "installs packages, or builds and tests everything"),
    (r"^(cmake --(preset|build|install)|ctest) ", "builds; this test runs in a build"),
    (r"^(build/\w+/launch|script/cluster) ", "programs of a build directory, which MPI tests start so"),
]


def blocks_of(text):
    """(language, first line number, lines)"""
    found, lines, language = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"^\s*```(\w*)$", line)
        if mark and lines is None:
            language, lines, start = mark[1], [], number + 1
        elif mark:
            found.append((language, start, lines))
            lines = None
        elif lines is not None:
            lines.append(line)
    return found


def environment(home, shims):
    path = f"{shims}:{home}/muster/bin:{os.environ['PATH']}"
    roots = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
             "OMPI_MCA_plm": "isolated", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_hwloc_base_binding_policy": "none",
             "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1", "HYDRA_LAUNCHER": "fork"}
    libraries = f"{home}/muster/lib"
    return dict(os.environ, HOME=home, PATH=path, LD_LIBRARY_PATH=libraries, MANPAGER="cat", **roots)


def install(build, mpi, home, shims):
    subprocess.run(["cmake", "--install", build, "--prefix", f"{home}/muster"], check=True, stdout=subprocess.DEVNULL)
    os.mkdir(shims)
    for name in ("mpirun", "mpicc", "mpicxx"):
        open(f"{shims}/{name}", "w").write(f'#!/bin/sh\nexec {name}.{mpi} "$@"\n')
        os.chmod(f"{shims}/{name}", 0o755)


def left_out(command):
    return any(re.search(pattern, command) for pattern, _ in LEFT_OUT)


def run_block(document, start, lines, mpi, where, variables):
    commands = [line.replace("openmpi", mpi) for line in lines if not left_out(line.strip())]
    began = time.monotonic()
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(commands)], cwd=where, env=variables, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120, errors="replace")
    print(f"{document}:{start}: {len(commands)} of {len(lines)} lines, {time.monotonic() - began:.1f} s", flush=True)
    if done.returncode != 0:
        sys.exit(f"{document}:{start}: ended with {done.returncode}\n" + "\n".join(commands) + f"\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return len(commands)


def keep_source(lines, where):
    name = re.match(r"^\s*(?://|!|#)\s*(\w+\.\w+)\s*$", lines[0]) if lines else None
    if name:
        open(f"{where}/{name[1]}", "w").write("\n".join(lines) + "\n")


def run_document(document, mpi, program, scratch, variables):
    where = f"{scratch}/{document.replace('/', '-')}"
    os.mkdir(where)
    shutil.copy(program, f"{where}/program")
    open(f"{where}/input.nml", "w").close()
    commands = 0
    for language, start, lines in blocks_of(open(f"{ROOT}/{document}").read()):
        if language not in LANGUAGES:
            sys.exit(f"{document}:{start}: a block is marked '{language}', but should be one of {sorted(LANGUAGES)}")
        if language == "sh":
            commands += run_block(document, start, lines, mpi, where, variables)
        else:
            keep_source(lines, where)
    return commands


def main():
    muster, mpi, build, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="muster-docs-") as scratch:
        home, shims = f"{scratch}/home", f"{scratch}/shims"
        os.mkdir(home)
        install(build, mpi, home, shims)
        variables = environment(home, shims)
        commands = sum(run_document(document, mpi, program, scratch, variables) for document in DOCUMENTS)
    if commands < 30:
        sys.exit(f"only {commands} commands were found")
    print(f"{commands} lines of commands in {len(DOCUMENTS)} documents")


main()
