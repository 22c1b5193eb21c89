#!/bin/sh
# What to do with the records of a night: one file of all processes, pages and files for machines, and what is new.
#
#   gpusan-night.sh STORE
#
# STORE/tonight holds the record files, from 'gpusan run --output=STORE/tonight ...' on as many hosts as there are. Kept
# in STORE: last.jsonl (this night, merged, with symbols: what the next one is compared with), nights.db ('gpusan history
# show STORE/nights.db'), and of this night report.html, report.sarif, junit.xml, gpusan.prom and new.txt.
# STORE/gpusan.conf is read if it is there; NIGHT names the night, the time of now without it. Run it where the binaries of the
# night are, for their symbols. Records are removed once they are merged; those of the last night of which something could not
# be read stay in STORE/unread.
#
# Exit code: 66 when something is new (in the first night: when something was found), 70 when a process left an
# incomplete record or gpusan could not do its work; what could be read is kept all the same.
set -u
[ $# -eq 1 ] || { echo "usage: gpusan-night.sh STORE" >&2; exit 70; }
store=$1
gpusan=${GPUSAN:-gpusan}
[ -d "$store/tonight" ] || { echo "gpusan-night.sh: no records in $store/tonight" >&2; exit 70; }
[ ! -f "$store/gpusan.conf" ] || export GPUSAN_OPTIONS="config='$store/gpusan.conf'"

code=0
worst() { [ "$1" -eq 0 ] || [ "$code" -eq 66 ] || code=$1; }

# A record that is cut off, by a kill or a full disk, does not keep the others from being reported.
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
