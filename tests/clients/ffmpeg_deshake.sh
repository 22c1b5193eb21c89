#!/bin/sh
# ffmpeg's deshake_opencl, which corrupts its own heap on a picture of this size: what gpusan sees before it dies.
# packages: ffmpeg
# suite: long
set -e
status=0
ffmpeg -hide_banner -loglevel error -init_hw_device opencl=cl:0.0 -filter_hw_device cl -f lavfi \
  -i testsrc=size=162x118:rate=5:duration=2 -vf format=yuv420p,hwupload,deshake_opencl,hwdownload,format=yuv420p \
  -f null - || status=$?
echo "exit code $status"
