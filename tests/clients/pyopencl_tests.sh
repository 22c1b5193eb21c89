#!/bin/sh
# pyopencl's own tests of its wrapper: many calls that must fail, and every kind of object, in one process.
# packages: python-pyopencl-doc python3-pyopencl python3-numpy python3-pytest
# suite: long
# expect: error free-in-flight clSVMFree
# expect: warning uninitialized-read clEnqueueReadBuffer
# expect: warning uninitialized-read clEnqueueReadImage
# expect: warning uninitialized-read clEnqueueCopyImage
# expect: warning uninitialized-read clEnqueueCopyImageToBuffer
# allow: warning uninitialized-read clEnqueueNDRangeKernel
# expect: note call-failed clCreateKernel
# expect: note call-failed clGetDeviceInfo
# expect: warning leak clCreateKernelsInProgram
# replace: in [0-9.]+s.* => in N s
# ignore: ^ *(/|$)|Warning|warnings\.html
set -e
cp /usr/share/doc/python-pyopencl-doc/examples/* .
/usr/bin/python3 -W ignore -m pytest -q -p no:cacheprovider -W ignore \
  test_wrapper.py test_enqueue_copy.py test_arrays_in_structs.py test_clmath.py
