#!/bin/sh
# Merges the records of a night, compares them with the night before, and writes reports.
#
#   gpusan-night.sh STORE
#
# Input: the record files in STORE/tonight, from 'gpusan run --output=STORE/tonight ...' on any number of hosts, and
# STORE/gpusan.conf, if it exists. The variable NIGHT is the name of the night; without it, the name is the current time. The
# script needs the symbols of the programs: run it on a machine with their binaries.
#
# Output in STORE: last.jsonl (this night, merged, with symbols, for the comparison with the next one), nights.db ('gpusan history
# show STORE/nights.db'), report.html, report.sarif, junit.xml, gpusan.prom and new.txt. The script removes the records after the
# merge. If a record could not be read, it moves the records to STORE/unread until the next night.
#
# Exit code: 66 if there is a new finding (in the first night: any finding); 70 if a process left an incomplete record or gpusan
# could not do its work. The output then contains everything that could be read.
set -u
[ $# -eq 1 ] || { echo "usage: gpusan-night.sh STORE" >&2; exit 70; }
store=$1
gpusan=${GPUSAN:-gpusan}
[ -d "$store/tonight" ] || { echo "gpusan-night.sh: no records in $store/tonight" >&2; exit 70; }
[ ! -f "$store/gpusan.conf" ] || export GPUSAN_OPTIONS="config='$store/gpusan.conf'"

code=0
worst() { [ "$1" -eq 0 ] || [ "$code" -eq 66 ] || code=$1; }

# The other records are reported if a kill or a full disk has cut one off.
rm -f "$store/tonight.jsonl"
whole=yes
"$gpusan" merge --quiet -o "$store/tonight.jsonl" "$store/tonight" || { whole=no; worst 70; }
[ -f "$store/tonight.jsonl" ] || exit 70
"$gpusan" history add --quiet --night="${NIGHT:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}" "$store/nights.db" "$store/tonight.jsonl" || worst 70
set -- "$store/tonight.jsonl"
[ ! -f "$store/last.jsonl" ] || set -- "--baseline=$store/last.jsonl" "$@"
for form in html:report.html sarif:report.sarif junit:junit.xml metrics:gpusan.prom; do
  "$gpusan" report --quiet --fail-on=never --format="${form%%:*}" -o "$store/${form#*:}" "$@" || worst 70
done
"$gpusan" report --fail-on=new "$@" >/dev/null
worst $?
if [ -f "$store/last.jsonl" ]; then
  "$gpusan" diff --quiet --fail-on=never -o "$store/new.txt" "$store/last.jsonl" "$store/tonight.jsonl"
else
  "$gpusan" report --quiet --fail-on=never -o "$store/new.txt" "$store/tonight.jsonl"
fi
mv "$store/tonight.jsonl" "$store/last.jsonl"
rm -rf "$store/unread"
if [ "$whole" = yes ]; then rm -rf "$store/tonight"; else mv "$store/tonight" "$store/unread"; fi
exit "$code"
