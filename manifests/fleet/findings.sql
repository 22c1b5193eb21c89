-- Views of DuckDB (1.1 or newer) over record files, for questions over many hosts and nights.
--
--   duckdb -cmd "SET VARIABLE gpusan_records = '/nights/*/*.jsonl'" -init findings.sql
--   SELECT * FROM gpusan_findings;
--
-- gpusan_records is a path or a pattern of record files, or a list of them. A finding has the same fingerprint in all nights
-- and builds only in files that 'gpusan merge' wrote ("v1-..."): merge the records of each host once a night, where its
-- binaries are, and keep the merged files. Read merged files or the files of processes, not both of the same processes.
-- Lines that are cut off, as a killed process leaves them, are left out.
--
--   gpusan_findings    a row for each finding: first and last seen, nights, hosts, processes, count, place
--   gpusan_nights      a row for each finding and night: hosts, processes, count, whether it is new
--   gpusan_processes   a row for each process: host, rank, program, start, whether its record is complete
--   gpusan_growth      a row for each process and call site with samples: live bytes at first and at last, bytes an hour

CREATE OR REPLACE TEMP TABLE gpusan_lines AS
SELECT
  -- The lines of a process follow its process record; in a merged file the findings precede all of them.
  count(*) FILTER (type = 'process') OVER (PARTITION BY filename ORDER BY line) AS process,
  -- The first frame with a source line; in a record that was not merged, the offset in the file of the first frame.
  coalesce([frame.file || ':' || frame.line FOR frame IN frames IF frame.file IS NOT NULL][1],
           frames[1].function, 'module ' || site[1][1] || ' + ' || site[1][2]) AS place,
  filename AS file, * EXCLUDE (filename, frames, site)
FROM (
  SELECT row_number() OVER () AS line, * FROM read_json(
    getvariable('gpusan_records'), format = 'newline_delimited', filename = true, ignore_errors = true,
    maximum_object_size = 67108864,
    columns = {
      type: 'VARCHAR', id: 'UBIGINT', part: 'UBIGINT', host: 'VARCHAR', rank: 'VARCHAR', pid: 'UBIGINT', exe: 'VARCHAR',
      start_ns: 'BIGINT', time_ns: 'BIGINT', reason: 'VARCHAR', rule: 'VARCHAR', severity: 'VARCHAR', api: 'VARCHAR',
      call: 'VARCHAR', what: 'VARCHAR', fingerprint: 'VARCHAR', site: 'UBIGINT[][]',
      frames: 'STRUCT(function VARCHAR, file VARCHAR, line UBIGINT)[]',
      findings: 'MAP(VARCHAR, UBIGINT)',
      sites: 'STRUCT(api VARCHAR, id UBIGINT, site UBIGINT[][],
                     frames STRUCT(function VARCHAR, file VARCHAR, line UBIGINT)[], live_bytes BIGINT, live_count BIGINT)[]'}));

CREATE OR REPLACE TEMP VIEW gpusan_processes AS
SELECT
  one.file, one.process, one.host, one.rank, one.pid, one.exe, make_timestamp(one.start_ns // 1000) AS start,
  CAST(make_timestamp(one.start_ns // 1000) AS DATE) AS night, coalesce(last.complete, false) AS complete
FROM gpusan_lines AS one
LEFT JOIN (SELECT file, process, true AS complete FROM gpusan_lines WHERE type = 'end' GROUP BY ALL) AS last
  ON one.file = last.file AND one.process = last.process
WHERE one.type = 'process' AND one.part IS NULL;

-- How often each process had each finding: a merged file says it in the process record, a complete record in its last line,
-- an incomplete one has at least the findings that it holds.
CREATE OR REPLACE TEMP VIEW gpusan_counts AS
WITH last_ends AS (
  SELECT file, process, arg_max(findings, line) AS findings FROM gpusan_lines WHERE type = 'end' GROUP BY ALL
), tallies AS (
  SELECT file, process, unnest(map_entries(findings)) AS one FROM gpusan_lines WHERE type = 'process' AND findings IS NOT NULL
  UNION ALL
  SELECT file, process, unnest(map_entries(findings)) AS one FROM last_ends
)
SELECT file, process, one.key AS fingerprint, one.value AS count FROM tallies
UNION ALL
SELECT file, process, fingerprint, count(*) AS count FROM gpusan_lines
WHERE type = 'finding' AND process > 0 AND (file, process) NOT IN (SELECT (file, process) FROM last_ends)
GROUP BY ALL;

CREATE OR REPLACE TEMP VIEW gpusan_nights AS
SELECT
  fingerprint, night, sum(count) AS count, count(DISTINCT host) AS hosts, count(DISTINCT (file, process)) AS processes,
  night = min(night) OVER (PARTITION BY fingerprint) AS is_new
FROM gpusan_counts JOIN gpusan_processes USING (file, process)
GROUP BY fingerprint, night;

CREATE OR REPLACE TEMP VIEW gpusan_findings AS
WITH sums AS (
  SELECT
    fingerprint, min(night) AS first_seen, max(night) AS last_seen, count(DISTINCT night) AS nights,
    count(DISTINCT host) AS hosts, count(*) AS processes, sum(count) AS count
  FROM gpusan_counts JOIN gpusan_processes USING (file, process)
  GROUP BY fingerprint
), texts AS (
  SELECT
    fingerprint,
    arg_min({rule: rule, severity: severity, api: api, call: call, what: what, place: place}, time_ns) AS text
  FROM gpusan_lines WHERE type = 'finding' GROUP BY fingerprint
)
SELECT
  text.severity, text.rule, text.api, text.call, text.place,
  sums.* EXCLUDE (fingerprint), text.what, fingerprint
FROM sums JOIN texts USING (fingerprint)
ORDER BY list_position(['error', 'warning', 'note'], text.severity), count DESC;

CREATE OR REPLACE TEMP VIEW gpusan_growth AS
WITH samples AS (
  SELECT file, process, time_ns, unnest(sites) AS one FROM gpusan_lines WHERE type = 'sample'
), sites AS (
  SELECT file, process, id, any_value(place) AS place
  FROM gpusan_lines WHERE type = 'site' GROUP BY ALL
), growth AS (
  SELECT
    samples.file, samples.process, one.api, coalesce(sites.place, 
      [frame.file || ':' || frame.line FOR frame IN one.frames IF frame.file IS NOT NULL][1],
      one.frames[1].function, 'module ' || one.site[1][1] || ' + ' || one.site[1][2]) AS place,
    arg_min(one.live_bytes, time_ns) AS first_bytes, arg_max(one.live_bytes, time_ns) AS last_bytes,
    max(time_ns) - min(time_ns) AS watched_ns
  FROM samples
  LEFT JOIN sites ON sites.file = samples.file AND sites.process = samples.process AND sites.id = one.id
  GROUP BY ALL
)
SELECT
  night, host, rank, exe, api, place, first_bytes, last_bytes,
  CASE WHEN watched_ns > 0 THEN (last_bytes - first_bytes) * 3600e9 / watched_ns END AS bytes_an_hour
FROM growth JOIN gpusan_processes USING (file, process)
ORDER BY bytes_an_hour DESC NULLS LAST;
