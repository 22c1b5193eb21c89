#!/usr/bin/env python3
"""otel-collector.yaml in a real Collector, which sends the findings of record files to a server of the test on loopback.

Runs where a Collector is installed: otelcol-contrib, or the file that OTELCOL names. It needs the filelog receiver and the
otlphttp exporter; without the file_storage extension, the test leaves out the storage of positions.
"""
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest

import yaml

from fleet_test import BAD, FLEET, GPUSAN, Case

COLLECTOR = os.environ.get("OTELCOL") or shutil.which("otelcol-contrib")
if COLLECTOR is None:
    print("skipped: no Collector is installed (otelcol-contrib, or OTELCOL=FILE)")
    sys.exit(77)
COMPONENTS = yaml.safe_load(subprocess.run([COLLECTOR, "components"], capture_output=True, text=True, check=True).stdout)
HAS_STORAGE = "file_storage" in [one["name"] for one in COMPONENTS["extensions"]]
DEADLINE = 60  # seconds


class Server(http.server.HTTPServer):
    """Keeps the log records that it receives, each with the attributes of its resource."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.server.take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.changed = threading.Condition()
        self.logs = []

    def take(self, message):
        def attributes(holder):
            return {one["key"]: one["value"].get("stringValue", one["value"].get("intValue")) for one in holder["attributes"]}

        with self.changed:
            for part in message["resourceLogs"]:
                for scope in part["scopeLogs"]:
                    self.logs += [dict(log, attributes=attributes(log), resource=attributes(part["resource"]))
                                  for log in scope["logRecords"]]
            self.changed.notify()

    def wait(self, enough):
        with self.changed:
            self.changed.wait_for(lambda: enough(self.logs), DEADLINE)
            return list(self.logs)


class Collector(Case):
    def setUp(self):
        super().setUp()
        self.records = self.folder / "records"
        self.server = Server()
        self.addCleanup(self.server.server_close)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.shutdown)

    def start(self, build=None):
        config = yaml.safe_load((FLEET / "otel-collector.yaml").read_text())
        if not HAS_STORAGE:
            del config["extensions"], config["service"]["extensions"], config["receivers"]["filelog"]["storage"]
        config["exporters"]["otlphttp"].update(encoding="json", compression="none")
        config["service"]["telemetry"] = {"metrics": {"level": "none"}}  # else it opens a port of its own
        (self.folder / "config.yaml").write_text(yaml.safe_dump(config))
        environment = {"PATH": os.environ["PATH"], "GPUSAN_RECORDS": f"{self.records}/*.jsonl",
                       "STATE_DIRECTORY": str(self.folder / "state"),
                       "OTLP_ENDPOINT": f"http://127.0.0.1:{self.server.server_port}"}
        if build is not None:
            environment["GPUSAN_BUILD"] = build
        with open(self.folder / "log", "a") as log:
            process = subprocess.Popen([COLLECTOR, "--config", self.folder / "config.yaml"], stdout=log, stderr=log,
                                       stdin=subprocess.DEVNULL, env=environment)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        process.terminate()
        process.wait(DEADLINE)

    def test_the_records_of_a_night(self):
        self.run_it(GPUSAN, "run", "--quiet", f"--config={FLEET / 'gpusan.conf'}", f"--output={self.records}", "--", BAD,
                    OMPI_COMM_WORLD_RANK="3")
        (written,) = self.records.glob(f"*.{BAD.name}.*.jsonl")
        lines = written.read_text().splitlines()
        finding = json.loads(next(line for line in lines if '"type":"finding"' in line))
        # A process that was killed in the middle of a line, on a host whose name has dots. The Collector knows files by
        # their first 1,000 bytes, in which processes differ.
        cut = self.records / f"node7.cluster.example.12.{BAD.name}.99.jsonl"
        head = json.loads(lines[0])
        cut.write_text("\n".join([json.dumps(dict(head, pid=head["pid"] + 1)), *lines[1:]])[:-5])
        self.start(build="v1.2")
        logs = self.server.wait(lambda logs: len(logs) >= 3)
        self.assertEqual(len(logs), 3, (self.folder / "log").read_text())
        by_rank = {"3": [], "12": []}
        for log in logs:
            by_rank[log["resource"]["gpusan.rank"]].append(log)
            self.assertEqual((log["resource"]["service.name"], log["resource"]["gpusan.build"]), ("gpusan", "v1.2"))
            self.assertEqual(log["resource"]["process.executable.name"], BAD.name)
        self.assertEqual([len(one) for one in by_rank.values()], [2, 1])
        found, end = by_rank["3"]
        self.assertEqual(found["body"]["stringValue"], finding["what"])
        self.assertEqual(int(found["timeUnixNano"]), finding["time_ns"])
        self.assertEqual((found["severityNumber"], found["severityText"]), (17, "error"))
        self.assertEqual({key: found["attributes"]["gpusan." + key] for key in ("type", "rule", "call", "api", "fingerprint")},
                         {"type": "finding", **{key: finding[key] for key in ("rule", "call", "api", "fingerprint")}})
        self.assertEqual(end["attributes"]["gpusan.end"], "exit")
        self.assertEqual(by_rank["12"][0]["resource"]["host.name"], "node7.cluster.example")

    def test_records_that_grow(self):
        """A finding is sent when its line is whole, and once."""
        self.records.mkdir()
        finding = {"type": "finding", "severity": "note", "rule": "leak", "time_ns": 10**18, "what": "a leak"}
        record = self.records / "host.0.program.1.jsonl"
        record.write_text(json.dumps(finding) + "\n")
        self.start()
        (first,) = self.server.wait(lambda logs: logs)
        self.assertEqual(first["resource"]["gpusan.build"], "unknown")
        with open(record, "a") as file:
            file.write(json.dumps(dict(finding, severity="warning", what="another leak")) + "\n")
        logs = self.server.wait(lambda logs: len(logs) >= 2)
        self.assertEqual([(log["body"]["stringValue"], log["severityNumber"]) for log in logs],
                         [("a leak", 9), ("another leak", 13)])
        time.sleep(1)  # what would be sent twice
        self.assertEqual(len(self.server.logs), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
