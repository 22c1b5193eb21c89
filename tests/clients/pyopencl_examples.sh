#!/bin/sh
# pyopencl's own examples: arrays, SVM, element-wise and structured kernels, scans of what the device can do.
# packages: python-pyopencl-doc python3-pyopencl python3-numpy
# suite: long
# expect: warning leak clCreateCommandQueueWithProperties
# expect: note call-failed clGetDeviceInfo
# env: PYOPENCL_CTX=0
# replace: -?[0-9]+\.[0-9]+(e-?[0-9]+)? => N
# replace: 0x[0-9a-f]+ => ADDRESS
# replace: GLOBAL_MEM_SIZE: .* => GLOBAL_MEM_SIZE: N
# ignore: DEVICE_ENQUEUE_CAPABILITIES
set -e
cp /usr/share/doc/python-pyopencl-doc/examples/* .
for example in demo demo_array demo_array_svm demo_elementwise demo_elementwise_complex demo-struct-reduce narray svm \
               demo_meta_template dump-properties; do
  echo "$example"
  /usr/bin/python3 -W ignore "$example.py"
done
