#!/bin/sh
# vulkaninfo: every query of instance and device, surfaces included.
# packages: vulkan-tools
# api: vulkan
# suite: long
# attach: layer validation
vulkaninfo | sed -n '/^Device Properties/,$p'
