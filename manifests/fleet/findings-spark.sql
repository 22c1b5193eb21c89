-- Views of Spark SQL (3.4 or newer) over record files, for questions over many hosts and nights. They are those of
-- findings.sql, which says what files to read.
--
--   spark-sql -d records='/nights/*/all.jsonl' -i findings-spark.sql
--   SELECT * FROM gpusan_findings;
--
-- The variable is replaced in the text; other clients replace ${records} themselves.

-- Each line as text: record files have lines of several shapes. monotonically_increasing_id grows within a file as long as
-- the file is not split: keep record files below spark.sql.files.maxPartitionBytes (128 MiB), or raise it.
CREATE OR REPLACE TEMPORARY VIEW gpusan_texts AS
SELECT
  _metadata.file_path AS file, monotonically_increasing_id() AS line,
  from_json(value, 'type STRING, id BIGINT, part BIGINT, host STRING, rank STRING, pid BIGINT, exe STRING, start_ns BIGINT,
    time_ns BIGINT, reason STRING, rule STRING, severity STRING, api STRING, call STRING, what STRING, fingerprint STRING,
    site ARRAY<ARRAY<BIGINT>>, frames ARRAY<STRUCT<function: STRING, file: STRING, line: BIGINT>>,
    findings MAP<STRING, BIGINT>,
    sites ARRAY<STRUCT<api: STRING, id: BIGINT, site: ARRAY<ARRAY<BIGINT>>,
      frames: ARRAY<STRUCT<function: STRING, file: STRING, line: BIGINT>>, live_bytes: BIGINT, live_count: BIGINT>>') AS one
FROM text.`${records}`;

-- The lines of a process follow its process record; in a merged file the findings precede all of them.
CREATE OR REPLACE TEMPORARY VIEW gpusan_lines AS
SELECT
  file, line,
  count_if(one.type = 'process') OVER (PARTITION BY file ORDER BY line) AS process,
  coalesce(
    get(transform(filter(one.frames, f -> f.file IS NOT NULL), f -> concat(f.file, ':', f.line)), 0),
    get(one.frames, 0).function,
    concat('module ', get(get(one.site, 0), 0), ' + ', get(get(one.site, 0), 1))) AS place,
  one.*
FROM gpusan_texts
WHERE one.type IS NOT NULL;

CREATE OR REPLACE TEMPORARY VIEW gpusan_processes AS
SELECT
  one.file, one.process, one.host, one.rank, one.pid, one.exe, timestamp_micros(one.start_ns DIV 1000) AS start,
  to_date(timestamp_micros(one.start_ns DIV 1000)) AS night, ends.file IS NOT NULL AS complete
FROM gpusan_lines AS one
LEFT JOIN (SELECT DISTINCT file, process FROM gpusan_lines WHERE type = 'end') AS ends
  ON one.file = ends.file AND one.process = ends.process
WHERE one.type = 'process' AND one.part IS NULL;

-- How often each process had each finding: a merged file says it in the process record, a complete record in its last line,
-- an incomplete one has at least the findings that it holds.
CREATE OR REPLACE TEMPORARY VIEW gpusan_counts AS
WITH last_ends AS (
  SELECT file, process, max_by(findings, line) AS findings FROM gpusan_lines WHERE type = 'end' GROUP BY file, process
)
SELECT file, process, explode(findings) AS (fingerprint, count) FROM gpusan_lines
WHERE type = 'process' AND findings IS NOT NULL
UNION ALL
SELECT file, process, explode(findings) AS (fingerprint, count) FROM last_ends
UNION ALL
SELECT one.file, one.process, one.fingerprint, count(*) AS count
FROM gpusan_lines AS one LEFT ANTI JOIN last_ends ON one.file = last_ends.file AND one.process = last_ends.process
WHERE one.type = 'finding' AND one.process > 0
GROUP BY one.file, one.process, one.fingerprint;

CREATE OR REPLACE TEMPORARY VIEW gpusan_nights AS
SELECT *, night = min(night) OVER (PARTITION BY fingerprint) AS is_new
FROM (
  SELECT
    fingerprint, night, sum(count) AS count, count(DISTINCT host) AS hosts, count(DISTINCT file, process) AS processes
  FROM gpusan_counts JOIN gpusan_processes USING (file, process)
  GROUP BY fingerprint, night);

CREATE OR REPLACE TEMPORARY VIEW gpusan_findings AS
WITH sums AS (
  SELECT
    fingerprint, min(night) AS first_seen, max(night) AS last_seen, count(DISTINCT night) AS nights,
    count(DISTINCT host) AS hosts, count(*) AS processes, sum(count) AS count
  FROM gpusan_counts JOIN gpusan_processes USING (file, process)
  GROUP BY fingerprint
), texts AS (
  SELECT fingerprint, min_by(struct(rule, severity, api, call, what, place), time_ns) AS text
  FROM gpusan_lines WHERE type = 'finding' GROUP BY fingerprint
)
SELECT
  text.severity, text.rule, text.api, text.call, text.place, first_seen, last_seen, nights, hosts, processes, count, text.what,
  fingerprint
FROM sums JOIN texts USING (fingerprint)
ORDER BY array_position(array('error', 'warning', 'note'), text.severity), count DESC;

CREATE OR REPLACE TEMPORARY VIEW gpusan_growth AS
WITH samples AS (
  SELECT file, process, time_ns, explode(sites) AS one FROM gpusan_lines WHERE type = 'sample'
), sites AS (
  SELECT file, process, id, any_value(place) AS place FROM gpusan_lines WHERE type = 'site' GROUP BY file, process, id
), places AS (
  SELECT
    samples.file, samples.process, samples.time_ns, samples.one.api, samples.one.live_bytes,
    coalesce(sites.place,
      get(transform(filter(samples.one.frames, f -> f.file IS NOT NULL), f -> concat(f.file, ':', f.line)), 0),
      get(samples.one.frames, 0).function,
      concat('module ', get(get(samples.one.site, 0), 0), ' + ', get(get(samples.one.site, 0), 1))) AS place
  FROM samples
  LEFT JOIN sites ON sites.file = samples.file AND sites.process = samples.process AND sites.id = samples.one.id
), growth AS (
  SELECT
    file, process, api, place, min_by(live_bytes, time_ns) AS first_bytes, max_by(live_bytes, time_ns) AS last_bytes,
    max(time_ns) - min(time_ns) AS watched_ns
  FROM places GROUP BY file, process, api, place
)
SELECT
  night, host, rank, exe, api, place, first_bytes, last_bytes,
  CASE WHEN watched_ns > 0 THEN (last_bytes - first_bytes) * 3600e9 / watched_ns END AS bytes_an_hour
FROM growth JOIN gpusan_processes USING (file, process)
ORDER BY bytes_an_hour DESC NULLS LAST;
