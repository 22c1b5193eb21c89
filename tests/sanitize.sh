#!/bin/sh
# Builds the unit tests of the tracker, of the queue of deferred CUDA commands, of the Vulkan layer, of what reads shaders and packed
# images, and the replay files with a sanitizer and runs them: sanitize.sh [asan|tsan]...
# With asan the command too: the tests of its parts, and those that run it, for which the release build has the programs.
# With both the whole library: programs of the release build over PoCL and lavapipe, with samples and timeline
# (sanitized_programs.py).
# Both without an argument. Prints a line a preset; the first failure ends it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
[ $# -gt 0 ] || set -- asan tsan
# The leak finder does not look into memory that comes straight from the kernel, where the tracker's objects live for ever.
# One test of the command preloads a library, which then stands in front of ASan's runtime.
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
tests=$(sed -n 's/^ *gpusan_unit_test(\(tracker_[a-z_]*\|host_memory_test\|cuda_deferral_queue_test\|cuda_unpack_test\|host_concurrent_uses_test\|vulkan_hazard_test\|vulkan_layer_test\|vulkan_spirv_test\) .*/\1/p' tests/unit/CMakeLists.txt)
for preset in "$@"; do
  case $preset in
    asan | tsan) ;;
    *) echo "sanitize.sh: no preset '$preset'; asan or tsan" >&2; exit 2 ;;
  esac
  begin=$(date +%s)
  cmake --preset "$preset" >/dev/null
  targets=$tests
  if [ "$preset" = asan ]; then
    targets="$tests $(sed -n 's/^gpusan_unit_test(\(report_[a-z_]*\) .*/\1/p' tests/unit/CMakeLists.txt) gpusan_main"
  fi
  # shellcheck disable=SC2086
  cmake --build --preset "$preset" --target $targets gpusan_replay gpusan_library >"build/$preset/sanitize.log" 2>&1 || {
    tail -n 40 "build/$preset/sanitize.log"
    exit 1
  }
  pattern=$(echo $targets | sed 's/ /$|^unit./g')
  ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" -R "^unit.$pattern\$|^replay\." \
    >"build/$preset/sanitize.log" 2>&1 || {
    tail -n 80 "build/$preset/sanitize.log"
    exit 1
  }
  if [ "$preset" = asan ]; then
    [ -f build/release/build.ninja ] || cmake --preset release >/dev/null
    cmake --build --preset release --target report_command_test report_loop_test >build/asan/command.log 2>&1 || {
      tail -n 80 build/asan/command.log
      exit 1
    }
    # Side by side, since each waits for other processes most of the time.
    jobs="" number=0 failed=""
    for step in "env GPUSAN_COMMAND=$root/build/asan/report/gpusan build/release/tests/unit/report_command_test" \
      "env GPUSAN_COMMAND=$root/build/asan/report/gpusan build/release/tests/unit/report_loop_test" \
      "python3 tests/reports/formats_test.py" "python3 tests/reports/compare_test.py"; do
      # shellcheck disable=SC2086
      GPUSAN=$root/build/asan/report/gpusan FAKE_LIBRARY=$root/build/release/tests/unit/libreport_fake_library.so \
        MANIFESTS=$root/manifests SANITIZED=1 PYTHONDONTWRITEBYTECODE=1 $step >"build/asan/command.$number.log" 2>&1 &
      jobs="$jobs $!" number=$((number + 1))
    done
    for job in $jobs; do
      wait "$job" || failed=1
    done
    [ -z "$failed" ] || {
      tail -n 80 build/asan/command.?.log
      exit 1
    }
  fi
  python3 tests/sanitized_programs.py --library "build/$preset/layer/libgpusan.so" --sanitizer "$preset" \
    --programs build/release/tests/programs >"build/$preset/programs.log" 2>&1 || {
    tail -n 80 "build/$preset/programs.log"
    exit 1
  }
  echo "$preset: $(tail -n 1 "build/$preset/programs.log")"
  echo "$preset: $(grep 'tests passed' "build/$preset/sanitize.log"), $(($(date +%s) - begin)) s with the build"
done
