#!/bin/sh
# Builds the release preset and measures what gpusan costs. Flags are those of run.py (--help).
set -eu
bench=$(cd "$(dirname "$0")" && pwd)
"$bench/../install.sh"
build=$("$bench/../build.sh" release | tail -n 1)
exec python3 "$bench/run.py" --build "$build" "$@"
