#!/bin/sh
# Configures and builds the preset named (release by default) and prints its build folder on the last line.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
preset=${1:-release}
cd "$root"
cmake --preset "$preset" -DBUILD_TESTING=ON >/dev/null
cmake --build --preset "$preset"
[ "$preset" = ci ] && preset=release
echo "$root/build/$preset"
