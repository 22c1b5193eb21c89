#!/bin/sh
# UFO: pipelines of OpenCL tasks, one thread a task, buffers handed from task to task.
# packages: ufo-filters libufo-bin
# suite: long
# expect: warning leak clEnqueueNDRangeKernel
# env: UFO_DEVICE_TYPE=cpu
set -e
run() {
  rm -f out.raw
  ufo-launch -q "$@" ! write filename=out.raw >log.txt 2>&1 || { cat log.txt >&2; exit 1; }
  echo "$*"
  md5sum <out.raw
}
run dummy-data width=64 height=64 number=4 init=0.5 ! blur size=5 sigma=1
run dummy-data width=64 height=64 number=4 init=0.25 ! calculate expression="'v * 3 + x'"
run dummy-data width=64 height=64 number=4 init=0.25 ! calculate expression="'x + v'" ! transpose ! flip direction=0
run dummy-data width=64 height=64 number=8 init=2 ! calculate expression="'x * v'" ! fft dimensions=1 \
  ! ifft dimensions=1 ! crop x=3 y=4 width=32 height=32
run dummy-data width=64 height=64 number=16 init=1 ! calculate expression="'x + v'" ! bin size=2 ! median-filter ! average
run dummy-data width=64 height=64 number=16 init=1 ! stack number=4 ! slice
