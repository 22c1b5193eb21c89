#!/bin/sh
# Packs the fuzz programs of build/fuzz, stripped, into an archive for a machine without clang: pack.sh [FILE]
# FILE is build/fuzz.tar.xz by default. On that machine, in a checkout: tar xf build/fuzz.tar.xz && tests/fuzz/run.sh -b -j 16 0.5
set -eu
cd "$(dirname "$0")/../.."
file=${1:-build/fuzz.tar.xz}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/build/fuzz/tests/fuzz"
for program in build/fuzz/tests/fuzz/fuzz_*; do strip -o "$folder/$program" "$program"; done
tar c -C "$folder" build | xz -T0 -3 >"$file"
ls -l "$file"
