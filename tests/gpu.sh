#!/bin/sh
# The CUDA programs on a machine with a GPU, from a folder that tests/gpu_pack.sh prepared; nothing needs to be installed but
# the driver and python3. Prints a table: program, what it expects, the fake driver, the real one.
#   PACK/tests/gpu.sh            all programs
#   PACK/tests/gpu.sh PATTERN    those whose names contain it
set -eu
pack=$(cd "$(dirname "$0")/.." && pwd)
if [ ! -d "$pack/programs" ]; then
  echo "gpu.sh: run tests/gpu_pack.sh FOLDER first, then FOLDER/tests/gpu.sh on the machine with the GPU" >&2
  exit 2
fi
exec timeout 360 python3 "$pack/tests/programs/table.py" "$pack" "$@"
