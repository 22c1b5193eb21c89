#!/bin/sh
# Builds gpusan and shows it at work: a real OpenCL program, not changed, on the CPU driver.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/tests/install.sh"
cd "$root"
check=format-size-mismatch
case=opencl_bytes_for_float_image
cmake --preset release >/dev/null
cmake --build --preset release --target gpusan_library gpusan_main "program-$check-bad-$case"
build=$root/build/release
echo
echo "\$ sed -n '/int main/,/^}/p' tests/programs/$check/$case.c"
sed -n '/int main/,/^}/p' "tests/programs/$check/$case.c"
echo
echo "\$ gpusan run -- ./$case"
status=0
"$build/report/gpusan" run -- "$build/tests/programs/$check/bad/$case" || status=$?
echo "\$ echo \$?"
echo "$status"
# 66: the program itself succeeded and gpusan found an error.
[ "$status" -eq 66 ]
