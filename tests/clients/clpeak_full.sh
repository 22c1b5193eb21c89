#!/bin/sh
# clpeak: all of its measurements; many kernels with deep unrolling.
# packages: clpeak
# suite: long
# replace: : -?[0-9.]+( us)?$ => : N
set -e
clpeak
