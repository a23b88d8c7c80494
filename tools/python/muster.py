"""Reports of Muster, for those who script.

    import muster
    report = muster.load_report("muster-run.json")
    for call in sorted(report.calls, key=lambda call: -call.seconds):
        print(call.title, call.seconds, call.phases["exchange"].mean)

`report.data` is the JSON as it is; its keys are described in docs/report.md.
"""
import collections
import json

Spread = collections.namedtuple("Spread", "min mean max")
Call = collections.namedtuple("Call", "title operation calls seconds bytes pieces rounds ranks nodes aggregators phases data")
Call.__doc__ = """Calls that did the same: seconds are those of the slowest rank, bytes and pieces those of all ranks and calls, rounds those of one call;
phases are a dictionary of Spread; data is the JSON that it comes from."""

KINDS = ("report", "drop-in", "bench", "plan", "replay", "topo")


def kind_of(data):
    """Which of KINDS this is; a ValueError if it is none."""
    if data.get("schema") == "muster.drop-in":
        return "drop-in"
    if data.get("schema") == "muster.replay":
        return "replay"
    if "operation" in data and "phases" in data:
        return "report"
    if "workload" in data and "requests" in data:
        return "plan"
    if "workload" in data and ("write" in data or "read" in data):
        return "bench"
    if "tiers" in data and "network" in data:
        return "topo"
    raise ValueError("this is no report of Muster")


def _phases(data):
    return {name: Spread(spread["min"], spread["mean"], spread["max"]) for name, spread in data.get("phases", {}).items()}


def _call(title, data, ranks, calls=None):
    calls = calls or data.get("calls", 1)
    return Call(title, data["operation"], calls, data["seconds"], data["bytes"], data["pieces"], data["rounds"], ranks, data["nodes"],
                data["aggregators"], _phases(data), data)


def _calls_of(kind, data):
    if kind == "report":
        return [_call(f"{data['operation']} of {data['file']}", data, data["ranks"])]
    if kind == "drop-in":
        return [_call(f"{pattern['operation']} of {file['file']}", pattern, file["ranks"])
                for file in data["files"] for pattern in file["patterns"]]
    if kind == "bench":
        name = data.get("file", data["workload"])
        return [_call(f"{way} of {name}", data[way]["report"], data["ranks"]) for way in ("write", "read") if data.get(way, {}).get("report")]
    if kind == "replay":
        return [call for part in data["parts"] for call in _calls_of(kind_of(part), part)]
    return []


class Report:
    """`kind` is one of KINDS, `calls` a list of Call (empty where nothing was measured), `data` the JSON."""

    def __init__(self, data):
        self.kind = kind_of(data)
        self.data = data
        self.calls = _calls_of(self.kind, data)

    @property
    def seconds(self):
        """Of all calls, each of its slowest rank."""
        return sum(call.seconds for call in self.calls)

    @property
    def bytes(self):
        return sum(call.bytes for call in self.calls)

    def __getitem__(self, key):
        return self.data[key]

    def __repr__(self):
        return f"<muster.Report {self.kind}: {len(self.calls)} kinds of calls, {self.bytes} bytes, {self.seconds:.6f} s>"


def load_report(source):
    """A Report from the name of a file, or from an open one."""
    if hasattr(source, "read"):
        return Report(json.load(source))
    with open(source) as file:
        return Report(json.load(file))
