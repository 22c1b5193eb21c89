#!/bin/sh
# Collects what tests/gpu.sh needs on a machine with a GPU and without a compiler: gpusan and the libraries of its command,
# the CUDA programs with their sources, the fake driver, the CUDA runtime. 85 MiB, 28 MiB compressed.
#   tests/gpu_pack.sh FOLDER [BUILD]    FOLDER is emptied first; BUILD is build/release if not said
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${2:-$root/build/release}" && pwd)
case "$1" in /*) pack=$1 ;; *) pack=$PWD/$1 ;; esac
rm -rf "$pack"
mkdir -p "$pack/bin" "$pack/layer" "$pack/lib" "$pack/cudart" "$pack/tests"

# A command of this machine with its libraries, the C library's own left out, behind a script that finds them.
take() {
  cp -L "$1" "$pack/bin/$2"
  strip "$pack/bin/$2"
  ldd "$1" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt|libresolv)\.so/ { print $3 }' |
    while read -r library; do cp -L "$library" "$pack/lib/"; done
  printf '#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\nLD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/bin/%s" "$@"\n' \
    "$2" > "$pack/$2"
  chmod +x "$pack/$2"
}
take "$build/report/gpusan" gpusan
take "$(command -v addr2line)" addr2line
cp "$build/layer/libgpusan.so" "$pack/layer/"
strip --strip-unneeded "$pack/layer/libgpusan.so"

cp -r "$root/tests/programs" "$pack/tests/"
cp "$root/tests/gpu.sh" "$pack/tests/"
rm -rf "$pack/tests/programs/__pycache__"
find "$pack/tests/programs" -name 'opencl*' -prune -exec rm -r {} +
# Of the Vulkan programs only the correct and the fixed ones: misuse can leave the machine without Vulkan. The wrong ones that
# share memory with CUDA only lack an order between two copies.
(cd "$root/tests/programs" && ls */cuda_*.cc */cudart_*.cc */vulkan*.cc */*/cuda_*.cc */*/cudart_*.cc */*/vulkan*.cc 2>/dev/null || true) | while read -r source; do
  check=${source%%/*} case=$(basename "$source" .cc)
  # CASE, or CASE_NAME for each defect that has a name.
  bad=$(sed -n "s|^// Defect \\([a-z0-9_]*\\):.*|$check/bad/${case}_\\1|p" "$root/tests/programs/$source")
  case $source in
    correct/*) programs=correct/$case ;;
    */vulkan_cuda_*) programs="${bad:-$check/bad/$case} $check/good/$case" ;;
    */vulkan*) programs=$check/good/$case ;;
    *) programs="${bad:-$check/bad/$case} $check/good/$case" ;;
  esac
  for program in $programs; do
    [ -x "$build/tests/programs/$program" ] || continue
    mkdir -p "$pack/programs/$(dirname "$program")"
    cp "$build/tests/programs/$program" "$pack/programs/$program"
  done
done
cp "$build/layer/VkLayer_gpusan_shadow.json" "$pack/layer/"
runtime=$(sed -n 's/^CUDA_cudart_LIBRARY:[A-Z]*=//p' "$build/CMakeCache.txt")
cp -L "$runtime" "$pack/cudart/libcudart.so.13"
fake=$build/tests/cuda/lib
if [ -e "$fake/libcuda.so.1" ]; then
  mkdir "$pack/fake"
  for library in "$fake"/*.so.*; do
    cp -L "$library" "$pack/fake/"
    strip --strip-unneeded "$pack/fake/${library##*/}"
  done
fi
du -sh "$pack"
