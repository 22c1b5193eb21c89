#!/bin/sh
# Builds the fuzz targets, and runs each of them for HOURS (default 0.01), one after the other.
#
#   tests/fuzz/run.sh [HOURS] [TARGET...]
#
# Corpora grow in build/fuzz/corpus/TARGET; inputs that crash, hang or leak are in build/fuzz/found. Ends with 1 if there is one.
set -eu
cd "$(dirname "$0")/../.."
hours=${1:-0.01}
[ $# -eq 0 ] || shift
seconds=$(awk "BEGIN { print int($hours * 3600) }")
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
if [ $# -eq 0 ]; then
  for program in build/fuzz/tests/fuzz/fuzz_*; do set -- "$@" "${program##*/fuzz_}"; done
fi
mkdir -p build/fuzz/found
result=0
for target; do
  mkdir -p "build/fuzz/corpus/$target"
  seeds=""
  [ ! -d "tests/fuzz/seeds/$target" ] || seeds="tests/fuzz/seeds/$target"
  words=""
  case $target in records | reports) words="-dict=tests/fuzz/records.dict" ;; esac
  echo "== $target"
  # shellcheck disable=SC2086 # no seeds or words: no argument
  "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
    -print_final_stats=1 $words -artifact_prefix="build/fuzz/found/$target-" "build/fuzz/corpus/$target" $seeds \
    >"build/fuzz/$target.log" 2>&1 || { result=1; tail -n 30 "build/fuzz/$target.log"; }
  grep -E "number_of_executed_units|average_exec_per_sec|peak_rss" "build/fuzz/$target.log" || true
done
exit "$result"
