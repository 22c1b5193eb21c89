#!/bin/sh
# Follows the blocks of PyTorch, CuPy, RMM and JAX on a machine with a GPU, with whichever of them is installed.
#   tests/clients/gpu/pools.sh build/release/report/gpusan
# First right programs, which must print the same and have no finding; then those with a bug in a block, and without it.
# Exit code 1 if something differs.
set -u
gpusan=$1
folder=$(cd "$(dirname "$0")" && pwd)
code=0
for client in cupy_script jax_script torch_training torch_inference; do
  python3 "$folder/run.py" --gpusan "$gpusan" --flag=--pool-blocks --only "$client" || code=1
done
for bug in cupy_ jax_ rmm_ of_blocks graph_input never_written; do
  python3 "$folder/bugs/run.py" --gpusan "$gpusan" --only "$bug" || code=1
done
exit $code
