#!/bin/sh
# mpv: a test picture played to a window by its Vulkan renderer (libplacebo), with scaling.
# packages: mpv xvfb xauth
# api: vulkan
# suite: long
# attach: layer validation
# ignore: ^(VUID|UNASSIGNED|    Objects: | +\[\d+\]|$)
# expect: error missing-barrier vkCmdBeginRenderPass
# expect: error missing-barrier vkCmdPipelineBarrier
# expect: error free-in-flight vkDestroySemaphore
# expect: warning leak vkCreateInstance
# Software renderers are used by name alone.
device=$(xvfb-run -a mpv --no-config --vulkan-device=help 2>&1 | sed -n "s/^ *'\([^']*\)'.*/\1/p" | head -n 1)
exec xvfb-run -a mpv --no-config --really-quiet --no-audio --untimed --vo=gpu --gpu-api=vulkan --gpu-context=x11vk \
  "--vulkan-device=$device" --frames=20 av://lavfi:testsrc=size=162x118:rate=5:duration=4
