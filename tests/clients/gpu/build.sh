#!/bin/sh
# Builds the CUDA samples for a machine with a GPU: each with the shared and with the static runtime.
#   build.sh FOLDER [ARCHITECTURE]    sm_90 if not said
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
mkdir -p "$1"
for sample in streams memory ipc; do
  for runtime in shared static; do
    "$nvcc" -arch="${2:-sm_90}" -O1 -g -lineinfo -cudart "$runtime" -o "$1/${sample}_$runtime" "$here/$sample.cu"
  done
done
"$nvcc" -arch="${2:-sm_90}" -O1 -g -cudart shared -o "$1/libraries_shared" "$here/libraries.cu" -lcublas -lcufft
