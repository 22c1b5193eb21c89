#!/bin/sh
# Builds gpusan and shows it at work: a real OpenCL program, not changed, on the CPU driver.
#   tests/demo.sh             builds gpusan, from which `cmake --install build/release` installs
#   GPUSAN=gpusan tests/demo.sh   shows an installed command, and builds the program only
# Needs a compiler, OpenCL's headers and loader, and a driver; the first form installs them.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
check=format-size-mismatch
case=opencl_bytes_for_float_image
if [ -z "${GPUSAN:-}" ]; then
  "$root/tests/install.sh" demo
  # The tests need more packages: a folder that was not made for them does without, and builds in half of the time.
  [ -f build/release/CMakeCache.txt ] || new="-DBUILD_TESTING=OFF -DGPUSAN_UNITE=ON"
  cmake --preset release ${new:-} >/dev/null
  cmake --build --preset release --target gpusan_product
  GPUSAN=$root/build/release/report/gpusan
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -g -DDEFECT -DCL_TARGET_OPENCL_VERSION=300 -Itests/programs "tests/programs/$check/$case.c" -o "$folder/$case" -lOpenCL -lm
echo
echo "\$ sed -n '/int main/,/^}/p' tests/programs/$check/$case.c"
sed -n '/int main/,/^}/p' "tests/programs/$check/$case.c"
echo
echo "\$ gpusan run -- ./$case"
status=0
"$GPUSAN" run -- "$folder/$case" || status=$?
echo "\$ echo \$?"
echo "$status"
# 66: the program itself succeeded and gpusan found an error.
[ "$status" -eq 66 ]
