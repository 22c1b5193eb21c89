#!/bin/sh
# Builds the unit tests of the tracker and the replay files with a sanitizer and runs them: sanitize.sh [asan|tsan]...
# Both without an argument. Prints a line a preset; the first failure ends it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
[ $# -gt 0 ] || set -- asan tsan
# The leak finder does not look into memory that comes straight from the kernel, where the tracker's objects live for ever.
export ASAN_OPTIONS=detect_leaks=0
tests=$(sed -n 's/^gpusan_unit_test(\(tracker_[a-z_]*\|host_memory_test\) .*/\1/p' tests/unit/CMakeLists.txt)
for preset in "$@"; do
  case $preset in
    asan | tsan) ;;
    *) echo "sanitize.sh: no preset '$preset'; asan or tsan" >&2; exit 2 ;;
  esac
  begin=$(date +%s)
  cmake --preset "$preset" >/dev/null
  # shellcheck disable=SC2086
  cmake --build --preset "$preset" --target $tests gpusan_replay >"build/$preset/sanitize.log" 2>&1 || {
    tail -n 40 "build/$preset/sanitize.log"
    exit 1
  }
  pattern=$(echo $tests | sed 's/ /$|^unit./g')
  ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" -R "^unit.$pattern\$|^replay\." \
    >"build/$preset/sanitize.log" 2>&1 || {
    tail -n 80 "build/$preset/sanitize.log"
    exit 1
  }
  echo "$preset: $(grep 'tests passed' "build/$preset/sanitize.log"), $(($(date +%s) - begin)) s with the build"
done
