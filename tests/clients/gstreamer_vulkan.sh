#!/bin/sh
# GStreamer: test pictures up to images, through its Vulkan elements (drawn as full-screen quads) and down again.
# packages: gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-bad mesa-vulkan-drivers
# api: vulkan
# suite: long
# attach: layer validation
# expect: error missing-barrier vkCmdDrawIndexed
# expect: error layout-mismatch vkCreateRenderPass
play() {  # the pipeline between source and file
  echo "$@"
  XDG_RUNTIME_DIR="$HOME" gst-launch-1.0 -q videotestsrc num-buffers=10 ! "$@" ! filesink location=frames >messages || exit
  md5sum frames
}
play video/x-raw,format=RGBA,width=162,height=118 ! vulkanupload ! vulkandownload
play video/x-raw,format=NV12,width=160,height=120 ! vulkanupload ! vulkancolorconvert ! vulkandownload ! \
  video/x-raw,format=RGBA
play video/x-raw,format=BGRA,width=160,height=120 ! vulkanupload ! vulkanimageidentity ! vulkandownload
play video/x-raw,format=RGBA,width=160,height=120 ! vulkanupload ! vulkancolorconvert ! \
  'video/x-raw(memory:VulkanImage),format=YUY2' ! vulkandownload
