#!/bin/sh
# StarPU: a task runtime that moves data between host and device by itself, one thread a worker.
# packages: starpu-examples
# suite: long
# expect: warning leak clCreateProgramWithSource
# env: STARPU_NCPU=0 STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_SILENT=1
# replace: [0-9.]+ (ms|us|s)\b => N
set -e
examples=/usr/lib/x86_64-linux-gnu/starpu/examples
for example in vector_scal incrementer block variable; do
  echo "$example"
  "$examples/$example" 2>&1
done
