"""What the tests of the report formats share: the command, and records made up for them."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("GPUSAN", "")
FAKE_LIBRARY = os.environ.get("FAKE_LIBRARY", "")
MANIFESTS = pathlib.Path(os.environ.get("MANIFESTS", pathlib.Path(__file__).parents[2] / "manifests"))
MODULE = "/nonexistent/app"


def process(pid=1, rank="0", host="node1", exe="/opt/app", start_ns=10**18, **more):
    return dict({"type": "process", "version": 1, "gpusan": "0.1.0", "pid": pid, "ppid": 0, "exe": exe, "argv": [exe],
                 "host": host, "rank": rank, "start_ns": start_ns, "options": {"disable": ""},
                 "doors": ["opencl-layer"]}, **more)


def finding(number=1, rule="race", severity="error", time_ns=10**18 + 5, label="", **more):
    """`number` is the place: findings of equal rule and number are the same."""
    return dict({"type": "finding", "seq": 1, "rule": rule, "severity": severity, "api": "opencl",
                 "call": "clEnqueueReadBuffer", "code": 0, "code_name": "CL_SUCCESS", "what": f"what {number}",
                 "why": "why", "fix": "fix", "site": [[1, 0x1000 + number]],
                 "parties": [{"role": "pending-command", "text": "the other <one> & \"more\"",
                              "site": [[1, 0x2000 + number]]}],
                 "resources": [{"kind": "buffer", "handle": "0xff", "bytes": 64, "label": label}],
                 "facts": {"hazard": "RAW", "overlap_bytes": 5}, "fingerprint": fingerprint(rule, number),
                 "thread": 7, "time_ns": time_ns}, **more)


def fingerprint(rule, number):
    return f"v0-{sum(rule.encode()):04x}{number:012x}"


def end(findings=None, **more):
    return dict({"type": "end", "reason": "exit", "time_ns": 2 * 10**18, "findings": findings or {}, "dropped": {},
                 "calls": {"opencl": 5}, "ledger": {"opencl": {"live_bytes": 1, "peak_bytes": 2}}}, **more)


def module(path=MODULE):
    return {"type": "module", "id": 1, "path": path, "build_id": "ab12"}


class Case(unittest.TestCase):
    """A folder of its own, and the command without the tester's environment."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusan-reports-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, *records):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records))
        return str(path)

    def record(self, name, findings, **about):
        """The file of a process that found these and ended."""
        counts = {}
        for one in findings:
            counts[one["fingerprint"]] = counts.get(one["fingerprint"], 0) + 1
        return self.write(name, process(**about), module(), *findings, end(counts))

    def gpusan(self, *words, code=None, variables=None, text=True):
        environment = dict(os.environ, GPUSAN_OPTIONS="", OPENCL_LAYERS="", LD_PRELOAD="", **(variables or {}))
        result = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=text, env=environment,
                                cwd=self.folder, timeout=120)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stderr)
        return result

    def report(self, form, *words, code=None, **more):
        return self.gpusan("report", f"--format={form}", *words, code=code, **more).stdout

    def json(self, *words, code=None):
        return json.loads(self.report("json", *words, code=code))
