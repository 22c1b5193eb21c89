#!/bin/sh
# GEGL: operations with OpenCL implementations on the CPU device, its tile cache between host and device; each result
# against the one without OpenCL. The results themselves differ from run to run, also without OpenCL.
# packages: gegl imagemagick
# suite: long
# replace: differs by .* => differs
# expect: warning leak clCreateCommandQueue
# expect: warning leak clCreateContext
# expect: warning leak clCreateKernel
# expect: warning leak clCreateProgramWithSource
# ignore: GeglBuffers leaked
set -e
convert -size 300x200 gradient:red-blue -fill green -draw 'circle 150,100 180,120' in.png
apply() {
  GEGL_USE_OPENCL=no gegl in.png -o want.png -- "$@" >log.txt 2>&1
  GEGL_USE_OPENCL=cpu gegl in.png -o got.png -- "$@" >log.txt 2>&1
  # The largest difference of any pixel, as a part of the full range.
  worst=$(compare -metric PAE want.png got.png null: 2>&1 | sed 's/.*(\(.*\))/\1/')
  echo "$*: $(/usr/bin/python3 -c "print('ok' if $worst < 0.02 else 'differs by $worst')")"
}
apply gegl:brightness-contrast contrast=1.5 brightness=0.1
apply gegl:gaussian-blur std-dev-x=3 std-dev-y=2
apply gegl:box-blur radius=4
apply gegl:bilateral-filter blur-radius=2 edge-preservation=4
apply gegl:edge-laplace
apply gegl:edge-sobel
apply gegl:oilify mask-radius=2
apply gegl:pixelize size-x=8 size-y=8
apply gegl:snn-mean radius=2 pairs=2
apply gegl:levels in-low=0.1 in-high=0.9 gegl:invert-linear gegl:opacity value=0.5
apply gegl:noise-reduction iterations=2
apply gegl:color-temperature original-temperature=5000
