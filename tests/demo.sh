#!/bin/sh
# Builds gpusan and shows it at work: a real OpenCL program, not changed, on the CPU driver.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/tests/install.sh"
cd "$root"
case=format-size-mismatch/bad/opencl_bytes_for_float_image
cmake --preset release >/dev/null
cmake --build --preset release --target gpusan_library gpusan_main "program-$(echo $case | tr / -)"
build=$root/build/release
echo
echo "\$ sed -n '/int main/,/^}/p' tests/programs/$case.c"
sed -n '/int main/,/^}/p' "tests/programs/$case.c"
echo
echo "\$ gpusan run -- ./$(basename $case)"
status=0
"$build/report/gpusan" run -- "$build/tests/programs/$case" || status=$?
echo "\$ echo \$?"
echo "$status"
# 66: the program itself succeeded and gpusan found an error.
[ "$status" -eq 66 ]
