#!/bin/sh
# clpeak: transfers of hundreds of MiB, blocking and not, mapped and not, and the launch latency.
# packages: clpeak
# suite: quick
# expect: warning uninitialized-read clEnqueueNDRangeKernel
# replace: : -?[0-9.]+( us)?$ => : N
set -e
clpeak --transfer-bandwidth --kernel-latency
