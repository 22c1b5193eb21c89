#!/bin/sh
# UFO: tasks that fail on this driver, so that gpusan has something to explain. Two abort, one goes on regardless.
# packages: ufo-filters libufo-bin
# suite: long
# incomplete: 2
# expect: error error-ignored clEnqueueCopyBuffer
# expect: warning call-failed clCreateBuffer
# expect: warning call-failed clCreateImage2D
# expect: warning leak clEnqueueNDRangeKernel
# env: UFO_DEVICE_TYPE=cpu
run() {
  echo "$*"
  ufo-launch -q "$@" ! write filename=out.raw >log.txt 2>&1
  echo "exit code $?"
  grep -o 'CL_[A-Z_]*' log.txt
}
run dummy-data width=64 height=64 number=4 init=1 ! pad width=80 height=80
run dummy-data width=64 height=64 number=4 init=1 ! rescale factor=0.5
run dummy-data width=64 height=64 number=4 init=1 ! stack number=4 ! measure metric=mean
exit 0
