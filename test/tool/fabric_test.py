#!/usr/bin/env python3
"""An InfiniBand network, walked by its own library in a simulator: fabric_test.py MUSTER PROGRAM LAUNCHER WORD..."""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fabric.net")
HOPS = [[0, 2, 4, 4, 4, 4], [2, 0, 2, 2, 4, 4], [4, 2, 0, 2, 4, 4], [4, 2, 2, 0, 4, 4], [4, 4, 4, 4, 0, 2], [4, 4, 4, 4, 2, 0]]

# Each rank has a host name of its own, in reverse order; only the first sees an adapter.
NODE = """#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
[ "$rank" = 0 ] && adapter=$SIMULATOR
exec unshare --uts sh -c 'hostname node$0; export LD_PRELOAD="$1 $LD_PRELOAD"; shift; exec "$@"' $((5 - rank)) "$adapter" "$@"
"""


def simulator():
    found = glob.glob("/usr/lib/*/umad2sim/libumad2sim.so")
    may_name = subprocess.run(["unshare", "--uts", "hostname", "node0"], capture_output=True).returncode == 0
    if not found or not shutil.which("ibsim") or not shutil.which("ibnetdiscover") or not may_name:
        print("no simulator of InfiniBand networks here, or no right to name hosts")
        sys.exit(77)
    return found[0]


def run(words, directory, **variables):
    return subprocess.run(words, cwd=directory, env=dict(os.environ, **variables), capture_output=True, text=True, timeout=60)


def expect(holds, what, done):
    if not holds:
        sys.exit(f"{what}\n{done.stdout}\n{done.stderr}")


def start_network(directory):
    log = f"{directory}/ibsim.log"
    network = subprocess.Popen(["ibsim", "-s", NET], stdin=subprocess.PIPE, stdout=open(log, "w"), stderr=subprocess.STDOUT)
    for _ in range(100):
        if "simulator ready" in open(log).read():
            return network
        time.sleep(0.1)
    sys.exit(f"the simulator did not start: {open(log).read()}")


def topology(muster, directory, *words, **variables):
    done = run([muster, "topo", "--json", *words], directory, **variables)
    expect(done.returncode == 0, "muster topo should have ended well", done)
    return json.loads(done.stdout)


def check_tool(muster, directory, library):
    saved = run(["ibnetdiscover"], directory, LD_PRELOAD=library)
    open(f"{directory}/saved.txt", "w").write(saved.stdout)
    walked = topology(muster, directory, LD_PRELOAD=library)
    read = topology(muster, directory, "--machine", "@saved.txt")
    for found in (walked, read):
        assert found["distances"] == HOPS, found
        assert found["network"]["hosts"] == [f"node{i}" for i in range(6)], found
    assert walked["network"]["text"] == read["network"]["text"], (walked, read)
    assert walked["network"]["origin"].startswith("InfiniBand"), walked
    assert topology(muster, directory, "--fabric-seconds", "0", LD_PRELOAD=library)["network"]["text"] == "flat"


def decisions(muster, directory, launch, **variables):
    kept = f"{directory}/report.json"
    settings = {"MUSTER_RANKS_PER_NODE": "1", "MUSTER_PLACEMENT": "topology", **variables}
    done = run([muster, "run", "--report", kept, "--", *launch], directory, **settings)
    expect(done.returncode == 0, "the job should have ended well", done)
    (pattern,) = json.load(open(kept))["files"][0]["patterns"]
    return {decision["subject"]: decision["choice"] + ": " + decision["reason"] for decision in pattern["decisions"]}


def check_job(muster, directory, library, program, launcher):
    node = f"{directory}/node.sh"
    open(node, "w").write(NODE)
    os.chmod(node, 0o755)
    launch = [*launcher, "-n", "4", node, program]
    # Of 4 ranks with 32,000 bytes each, one is 2 hops from another and 4 from the rest; in a flat network 2 from all.
    far, flat = "hop-bytes 312.5 KiB instead of", "hop-bytes 187.5 KiB instead of"
    found = decisions(muster, directory, launch, SIMULATOR=library)
    assert found["network"] == "4 places: as told by InfiniBand" and far in found["aggregators"], found
    found = decisions(muster, directory, launch, MUSTER_MACHINE="@saved.txt")
    assert far in found["aggregators"], found
    found = decisions(muster, directory, launch, SIMULATOR=library, MUSTER_FABRIC_SECONDS="0")
    assert "network" not in found and flat in found["aggregators"], found
    found = decisions(muster, directory, launch, SIMULATOR=library, MUSTER_MACHINE="network flat")
    assert "network" not in found and flat in found["aggregators"], found


def check_failures(muster, directory, library, network):
    """Without a switch that does not answer, and what is behind it; never for ever where nothing answers."""
    network.stdin.write(b'Error "S-0000000000000b01" 100\n')
    network.stdin.flush()
    time.sleep(0.5)
    partly = topology(muster, directory, LD_PRELOAD=library)
    assert partly["network"]["hosts"] == ["node0", "node1", "node4", "node5"], partly
    network.send_signal(signal.SIGSTOP)
    start = time.time()
    late = topology(muster, directory, "--fabric-seconds", "1", LD_PRELOAD=library)
    assert late["network"]["text"] == "flat" and "more than 1 s" in late["network"]["origin"], late
    assert time.time() - start < 10


def main():
    muster, program, *launcher = [os.path.abspath(word) for word in sys.argv[1:3]] + sys.argv[3:]
    library = simulator()
    with tempfile.TemporaryDirectory(prefix="muster-fabric-") as directory:
        network = start_network(directory)
        try:
            check_tool(muster, directory, library)
            check_job(muster, directory, library, program, launcher)
            check_failures(muster, directory, library, network)
        finally:
            network.kill()
            network.wait()


main()
