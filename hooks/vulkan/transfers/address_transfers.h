// Transfers to and from memory that commands name by its address (VK_KHR_device_address_commands).
// What they write is unknown if no buffer is known to have the address.
#pragma once

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Records an access to bytes at an address. Returns nullptr if no buffer is known to have them; the
// bytes that a write changes are unknown then.
RecordedUse* UseAddressed(Recorder& recorder, const later::VkDeviceAddressRangeKHR& range,
                          VkPipelineStageFlags2 stage, VkAccessFlags2 access, bool write);

struct CmdFillMemory {
  void Before(VkCall& call, VkCommandBuffer commands, const void* range, uint32_t flags,
              uint32_t data);
};
struct CmdUpdateMemory {
  void Before(VkCall& call, VkCommandBuffer commands, const void* range, uint32_t flags,
              VkDeviceSize size, const void* data);
};
struct CmdCopyMemory {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
struct CmdCopyMemoryToImage {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
struct CmdCopyImageToMemory {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};

}  // namespace gpusan::vulkan
