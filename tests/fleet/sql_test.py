"""manifests/fleet/findings.sql in DuckDB and findings-spark.sql in Spark: over the records of processes, and over a merged
file. Spark's test needs pyspark and Java, which no package list names: it is run by hand."""
import json
import re
import sys

from fleet_test import BAD, FLEET, GOOD, GPUSAN, Case, unittest

try:
    import duckdb
except ImportError:
    duckdb = None
try:
    import pyspark.sql
except ImportError:
    pyspark = None
if duckdb is None and pyspark is None:
    print("skipped: no module duckdb (tests/install.sh installs it into build/tools)")
    sys.exit(77)

DAY = 86400 * 10**9


class Sql:
    """The tests. An engine has load(pattern) and rows(connection, query)."""

    def record(self, program, night, host, code=0):
        """One process under gpusan; its record is moved by whole days, as if it had run in another night."""
        folder = self.folder / f"raw-{night}-{host}"
        self.run_it(GPUSAN, "run", "--quiet", f"--output={folder}", "--fail-on=never", "--", program, code=code)
        lines = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
        for line in lines:
            for key in ("start_ns", "time_ns"):
                if key in line:
                    line[key] += night * DAY
            if line["type"] == "process":
                line["host"] = host
        path = self.folder / f"{night}-{host}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def nights(self):
        return [self.record(BAD, 0, "one"), self.record(BAD, 0, "two"), self.record(BAD, 1, "one"),
                self.record(GOOD, 1, "two")]

    def check(self, connection):
        findings = self.rows(connection, "SELECT * FROM gpusan_findings")
        self.assertEqual([(one["rule"], one["severity"], one["nights"], one["hosts"], one["processes"], one["count"])
                          for one in findings], [("format-size-mismatch", "error", 2, 2, 3, 3)])
        nights = self.rows(connection, "SELECT * FROM gpusan_nights ORDER BY night")
        self.assertEqual([(one["hosts"], one["count"], one["is_new"]) for one in nights], [(2, 2, True), (1, 1, False)])
        processes = self.rows(connection, "SELECT * FROM gpusan_processes")
        self.assertEqual(sorted((one["host"], one["complete"]) for one in processes),
                         [("one", True), ("one", True), ("two", True), ("two", True)])
        return findings[0]

    def test_records_of_processes(self):
        self.nights()
        finding = self.check(self.load(self.folder / "*.jsonl"))
        self.assertTrue(finding["fingerprint"].startswith("v0-"))
        self.assertRegex(finding["place"], r"^module \d+ \+ \d+$")

    def test_merged_file(self):
        records = self.nights()
        merged = self.folder / "merged" / "all.jsonl"
        merged.parent.mkdir()
        self.run_it(GPUSAN, "merge", "--quiet", "-o", merged, *records)
        finding = self.check(self.load(merged))
        self.assertTrue(finding["fingerprint"].startswith("v1-"))
        self.assertRegex(finding["place"], r"opencl_bytes_for_float_image\.c:\d+$")

    def test_incomplete_record(self):
        record = self.record(BAD, 0, "one")
        lines = record.read_text().splitlines()
        record.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20])
        connection = self.load(record)
        self.assertEqual([one["complete"] for one in self.rows(connection, "SELECT * FROM gpusan_processes")], [False])
        self.assertEqual([one["count"] for one in self.rows(connection, "SELECT * FROM gpusan_findings")], [1])

    def test_growth(self):
        process = next(json.loads(line) for line in self.record(GOOD, 0, "one").read_text().splitlines())
        start = process["start_ns"]
        lines = [process, {"type": "module", "id": 1, "path": "/bin/app", "build_id": ""},
                 {"type": "site", "id": 7, "site": [[1, 4096]]}]
        for hour in range(3):
            lines.append({"type": "sample", "time_ns": start + hour * 3600 * 10**9, "ledger": {},
                          "sites": [{"api": "opencl", "id": 7, "live_bytes": 100 + 50 * hour, "live_count": 1}]})
        (self.folder / "growth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        rows = self.rows(self.load(self.folder / "growth.jsonl"), "SELECT * FROM gpusan_growth")
        self.assertEqual([(one["place"], one["first_bytes"], one["last_bytes"], one["bytes_an_hour"]) for one in rows],
                         [("module 1 + 4096", 100, 200, 50.0)])


@unittest.skipIf(duckdb is None, "no module duckdb")
class DuckDb(Sql, Case):
    def load(self, pattern):
        connection = duckdb.connect()
        connection.execute(f"SET VARIABLE gpusan_records = '{pattern}'")
        connection.execute((FLEET / "findings.sql").read_text())
        return connection

    def rows(self, connection, query):
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]


@unittest.skipIf(pyspark is None, "no module pyspark")
class Spark(Sql, Case):
    def load(self, pattern):
        session = (pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
                   .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "2").getOrCreate())
        session.sparkContext.setLogLevel("ERROR")
        text = re.sub(r"--.*", "", (FLEET / "findings-spark.sql").read_text()).replace("${records}", str(pattern))
        for statement in filter(str.strip, text.split(";")):
            session.sql(statement)
        return session

    def rows(self, session, query):
        return [row.asDict() for row in session.sql(query).collect()]


if __name__ == "__main__":
    unittest.main()
