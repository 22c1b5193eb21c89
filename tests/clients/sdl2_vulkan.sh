#!/bin/sh
# SDL 2's own test of Vulkan: an image of the swapchain is cleared each frame, with one semaphore for all acquisitions, until it
# is stopped.
# packages: libsdl2-tests mesa-vulkan-drivers xvfb xauth
# api: vulkan
# suite: long
# expect: error sync-object-misuse vkAcquireNextImageKHR
XDG_RUNTIME_DIR="$HOME" xvfb-run -a timeout -s INT 5 /usr/libexec/installed-tests/SDL2/testvulkan >/dev/null 2>&1
test $? -eq 124
