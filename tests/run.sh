#!/bin/sh
# The tests: installs what is missing, builds, runs two tests a core, since many tests wait. What takes longer has its own script
# (tests/README.md).
#   tests/run.sh            everything
#   tests/run.sh PATTERN    only the tests whose names match
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/tests/install.sh"
"$root/tests/build.sh" "${GPUSAN_PRESET:-release}"
cd "$root"
ctest --test-dir build/release --output-on-failure -j "$((2 * $(nproc)))" ${1:+-R "$1"}
