#!/bin/sh
# clpeak: all of its measurements; many kernels with deep unrolling.
# packages: clpeak
# suite: long
# expect: warning uninitialized-read clEnqueueNDRangeKernel
# replace: : -?[0-9.]+( us)?$ => : N
set -e
clpeak
