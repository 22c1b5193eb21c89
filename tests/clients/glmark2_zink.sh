#!/bin/sh
# glmark2: 33 scenes of OpenGL by way of Mesa's zink, that is by Vulkan: dynamic rendering, mip chains, buffers that are
# written while they are used, a swapchain for each scene.
# packages: glmark2-x11 libgl1-mesa-dri mesa-vulkan-drivers xvfb xauth
# api: vulkan
# suite: long
# attach: layer validation
# expect: error missing-barrier vkCmdPipelineBarrier2
# expect: error missing-barrier vkCmdDrawMultiEXT
# expect: error usage-missing vkCmdPipelineBarrier2
# expect: error leak vkAllocateMemory
# expect: error leak vkCreateImage
# expect: warning leak vkCreateImageView
# expect: warning uninitialized-read vkCmdCopyImage
# allow: warning leak vkCreateSemaphore
# What Khronos validation has to say would stand between the lines.
printf 'khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\nkhronos_validation.log_filename = khronos.txt\n' \
  >vk_layer_settings.txt
xvfb-run -a env XDG_RUNTIME_DIR="$HOME" LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=zink MESA_LOADER_DRIVER_OVERRIDE=zink \
  glmark2 --validate --size 200x150 >out || exit
grep -q 'GL_RENDERER: *zink' out && grep '^\[.*Validation: ' out
