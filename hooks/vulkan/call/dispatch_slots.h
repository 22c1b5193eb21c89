// The index in a dispatch table of each command that gpusan intercepts or calls itself.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace gpusan::vulkan {

enum Slot : uint16_t {
#define GPUSAN_VK(name, Handler) kSlot_##name,
#define GPUSAN_VK_NEED(name) kSlot_##name,
#define GPUSAN_VK_PASS(name, reason)
#include "vulkan_rows.inc"
#undef GPUSAN_VK
#undef GPUSAN_VK_NEED
#undef GPUSAN_VK_PASS
  kSlotCount
};

}  // namespace gpusan::vulkan
