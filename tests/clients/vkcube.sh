#!/bin/sh
# vkcube: a textured cube for some frames on a virtual screen: swapchain, render pass, uniform buffers that stay mapped.
# packages: vulkan-tools xvfb xauth
# api: vulkan
# suite: long
# attach: layer validation
exec xvfb-run -a vkcube --c 30 --suppress_popups
