#!/bin/sh
# ffmpeg: a test picture through the Vulkan filters: uploads, compute shaders on images of one and of several planes, timeline
# semaphores between frames, downloads.
# packages: ffmpeg
# api: vulkan
# suite: long
# attach: layer validation
# allow: error missing-barrier vkCmdPipelineBarrier
set -e
filter() {  # pixel format, filter
  echo "$1 $2"
  ffmpeg -hide_banner -loglevel error -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
    -i testsrc=size=162x118:rate=5:duration=1 -vf "format=$1,hwupload,$2,hwdownload,format=$1" -f framemd5 - | grep -v '^#'
}
filter rgba avgblur_vulkan
filter yuv420p avgblur_vulkan=sizeX=5:sizeY=5
filter rgba gblur_vulkan
filter rgba chromaber_vulkan=dist_x=2:dist_y=2
filter yuv420p hflip_vulkan
filter yuv420p vflip_vulkan
filter rgba flip_vulkan
filter rgba transpose_vulkan=dir=clock
filter yuv420p scale_vulkan=w=80:h=60
filter rgba 'hflip_vulkan,avgblur_vulkan,vflip_vulkan'
two() {  # filter of two inputs
  echo "$1"
  ffmpeg -hide_banner -loglevel error -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
    -i testsrc=size=162x118:rate=5:duration=1 -f lavfi -i testsrc2=size=162x118:rate=5:duration=1 -filter_complex \
    "[0]format=rgba,hwupload[a];[1]format=rgba,hwupload[b];[a][b]$1,hwdownload,format=rgba" -f framemd5 - | grep -v '^#'
}
two overlay_vulkan=10:20
two blend_vulkan=all_mode=multiply
