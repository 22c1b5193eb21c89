#!/bin/sh
# Runs the fuzz targets, each for HOURS (default 0.01), and prints a line a target: executions, inputs that were found.
#
#   tests/fuzz/run.sh [-j JOBS] [-o FOLDER] [-b] [HOURS] [TARGET...]
#
#   -j JOBS    processes at a time, 1 by default; with more jobs than targets, targets get several
#   -o FOLDER  for corpora, logs, and inputs that crash, hang or leak: build/fuzz by default
#   -b         builds nothing: runs what is in build/fuzz/tests/fuzz, which may come from another machine
#
# A target that ends with an input goes on for the rest of its time. Ends with 1 if there is such an input.
set -eu
cd "$(dirname "$0")/../.."
jobs=1 output=build/fuzz build=1
while getopts j:o:b option; do
  case $option in
    j) jobs=$OPTARG ;;
    o) output=$OPTARG ;;
    b) build= ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
hours=${1:-0.01}
[ $# -eq 0 ] || shift
seconds=$(awk "BEGIN { print int($hours * 3600) }")
if [ -n "$build" ]; then
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz
fi
if [ $# -eq 0 ]; then
  for program in build/fuzz/tests/fuzz/fuzz_*; do set -- "$@" "${program##*/fuzz_}"; done
fi
mkdir -p "$output/found" "$output/logs"
rm -f "$output"/logs/*.log "$output"/logs/*.ended

# fuzz TARGET NUMBER: until its time is over; a log for each time that it ended with an input
fuzz() {
  mkdir -p "$output/corpus/$1"
  seeds="" words=""
  [ ! -d "tests/fuzz/seeds/$1" ] || seeds=tests/fuzz/seeds/$1
  case $1 in records | reports) words=-dict=tests/fuzz/records.dict ;; esac
  end=$(($(date +%s) + seconds)) round=0
  while left=$((end - $(date +%s))) && { [ "$left" -gt 0 ] || [ "$round" -eq 0 ]; } && [ "$round" -lt 100 ]; do
    log=$output/logs/$1.$2.$round.log
    # shellcheck disable=SC2086 # no seeds or words: no argument
    "build/fuzz/tests/fuzz/fuzz_$1" -max_total_time="$((left > 0 ? left : 1))" -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
      -print_final_stats=1 $words -artifact_prefix="$output/found/$1-" "$output/corpus/$1" $seeds >"$log" 2>&1 &
    program=$!
    status=0
    wait "$program" || status=$?
    rm -f "/dev/shm/gpusan-fuzz.$program".*
    [ "$status" -ne 0 ] || break
    echo "$1: exit $status, see $log" >>"$output/logs/$1.$2.ended"
    round=$((round + 1))
  done
}

# Job N has the targets N, N + JOBS and so on, of as many as there are jobs or targets.
total=$(($# > jobs ? $# : jobs))
job=0
while [ "$job" -lt "$jobs" ]; do
  (
    number=$job
    while [ "$number" -lt "$total" ]; do
      skipped=$((number % $#))
      target=$(shift "$skipped"; echo "$1")
      fuzz "$target" "$number"
      number=$((number + jobs))
    done
  ) &
  job=$((job + 1))
done
wait

printf '%-14s %14s %8s\n' target executions found
for target; do
  for log in "$output"/logs/"$target".[0-9]*.log; do cat "$log"; done | awk -v target="$target" '
    /stat::number_of_executed_units/ { sum += $2 }
    /^SUMMARY: / { found++ }
    END { printf "%-14s %14.0f %8d\n", target, sum, found }'
done | awk '{ print; all += $2; found += $3 } END { printf "%-14s %14.0f %8d\n", "all", all, found }'
found=$(cat "$output"/logs/*.ended 2>/dev/null || true)
[ -z "$found" ] || {
  echo "$found"
  exit 1
}
