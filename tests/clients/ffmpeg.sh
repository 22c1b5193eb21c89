#!/bin/sh
# ffmpeg: a test picture through the OpenCL filters, upload and download by hwupload and hwdownload (images of 1 and 2
# channels, one per plane, and RGBA), several filters in one graph, two inputs in one kernel.
# packages: ffmpeg
# suite: long
# expect: warning call-failed clReleaseMemObject
# allow: error kernel-argument-out-of-bounds clEnqueueNDRangeKernel
# attach: layer
set -e
source=testsrc=size=162x118:rate=5:duration=2
filter() {  # pixel format, filter
  echo "$1 $2"
  ffmpeg -hide_banner -loglevel error -init_hw_device opencl=cl:0.0 -filter_hw_device cl -f lavfi -i "$source" \
    -vf "format=$1,hwupload,$2,hwdownload,format=$1" -f framemd5 - | grep -v '^#'
}
filter yuv420p avgblur_opencl=3
filter gray avgblur_opencl=3
filter rgba avgblur_opencl=2
filter yuv420p unsharp_opencl
filter yuv420p boxblur_opencl=2:1
filter yuv444p boxblur_opencl=4:2
filter yuv420p sobel_opencl
filter yuv420p prewitt_opencl
filter yuv420p roberts_opencl
filter yuv420p transpose_opencl=1
filter yuv420p erosion_opencl
filter yuv420p dilation_opencl
filter yuv420p pad_opencl=200:150:10:12:red
filter yuv420p nlmeans_opencl
filter rgba 'convolution_opencl=0 -1 0 -1 5 -1 0 -1 0'
filter rgba colorkey_opencl=green
filter yuv420p avgblur_opencl=2,unsharp_opencl,transpose_opencl
two() {  # filter of two inputs
  echo "$1"
  ffmpeg -hide_banner -loglevel error -init_hw_device opencl=cl:0.0 -filter_hw_device cl -f lavfi -i "$source" \
    -f lavfi -i testsrc2=size=162x118:rate=5:duration=2 -filter_complex \
    "[0]format=yuv420p,hwupload[a];[1]format=yuv420p,hwupload[b];[a][b]$1,hwdownload,format=yuv420p" \
    -f framemd5 - | grep -v '^#'
}
two overlay_opencl=10:20
two xfade_opencl=fade:duration=1:offset=0.4
cat >invert.cl <<'K'
__kernel void invert(__write_only image2d_t out, unsigned int index, __read_only image2d_t in) {
  const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, (float4)(1.0f) - read_imagef(in, sampler, at));
}
K
filter rgba program_opencl=invert.cl:invert
