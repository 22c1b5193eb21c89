#!/bin/sh
# vkd3d's gears: Direct3D 12 by way of Vulkan, on a virtual screen, until they are stopped.
# packages: vkd3d-demos xvfb xauth
# api: vulkan
# suite: long
# incomplete: 1
# expect: error missing-barrier vkCmdBeginRenderPass
# expect: error race vkQueuePresentKHR
xvfb-run -a timeout -s TERM 15 vkd3d-gears >/dev/null 2>&1
test $? -eq 124
