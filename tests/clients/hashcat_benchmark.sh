#!/bin/sh
# hashcat: the benchmark of one cheap mode, with the optimised kernels.
# packages: hashcat
# suite: long
# expect: warning kernel-access-flag clEnqueueNDRangeKernel
# timeout: 900
# replace: [0-9.]+ [kMG]?H/s.* => N H/s
# ignore: ^(Started|Stopped): |MiB|/[0-9]+ MB
set -e
hashcat --force --opencl-device-types 1 --hash-type 0 --benchmark --runtime 3
