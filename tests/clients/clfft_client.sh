#!/bin/sh
# clFFT's own test program: real and complex, one to three dimensions, batches, in and out of place.
# packages: clfft-client
# suite: long
# replace: (wall time|gflops): .* => \1: N
set -e
clFFT-client -c -x 1024
clFFT-client -c -x 64 -y 64
clFFT-client -c -x 16 -y 16 -z 16
clFFT-client -c -x 100 -y 60 -o
clFFT-client -c -x 512 -b 7 -o
clFFT-client -c -x 256 --inLayout 2 --outLayout 2
