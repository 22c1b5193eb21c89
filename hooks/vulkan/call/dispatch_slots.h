// The index in a dispatch table of each command that gpusan intercepts or calls itself.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace gpusan::vulkan {

enum Slot : uint16_t {
#define GPUSAN_VK(name, Handler) kSlot_##name,
#define GPUSAN_VK_LATER(name, Handler, Result, parameters) kSlot_##name,
#define GPUSAN_VK_NEED(name) kSlot_##name,
#define GPUSAN_VK_PASS(name, reason)
#define GPUSAN_VK_PASS_LATER(name, reason)
#include "vulkan_rows.inc"
  kSlotCount
};

}  // namespace gpusan::vulkan
