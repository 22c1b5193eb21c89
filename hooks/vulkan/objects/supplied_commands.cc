// Commands of VK_EXT_debug_utils that gpusan supplies above drivers which lack the extension.
#include "hooks/vulkan/objects/supplied_commands.h"

#include <string_view>

namespace gpusan::vulkan {
namespace {

VKAPI_ATTR VkResult VKAPI_CALL NoName(VkDevice, const void*) { return VK_SUCCESS; }
VKAPI_ATTR void VKAPI_CALL NoLabelOf(void*, const VkDebugUtilsLabelEXT*) {}
VKAPI_ATTR void VKAPI_CALL NoEndOf(void*) {}

// Commands of devices; the loader itself supplies the commands of instances.
const struct {
  const char* name;
  Slot slot;
  void* nothing;
} kSupplied[] = {
#define GPUSAN_SUPPLY(name, function) \
  { #name, kSlot_##name, reinterpret_cast < void*>(&function) }
    GPUSAN_SUPPLY(vkSetDebugUtilsObjectNameEXT, NoName),
    GPUSAN_SUPPLY(vkSetDebugUtilsObjectTagEXT, NoName),
    GPUSAN_SUPPLY(vkCmdBeginDebugUtilsLabelEXT, NoLabelOf),
    GPUSAN_SUPPLY(vkCmdEndDebugUtilsLabelEXT, NoEndOf),
    GPUSAN_SUPPLY(vkCmdInsertDebugUtilsLabelEXT, NoLabelOf),
    GPUSAN_SUPPLY(vkQueueBeginDebugUtilsLabelEXT, NoLabelOf),
    GPUSAN_SUPPLY(vkQueueEndDebugUtilsLabelEXT, NoEndOf),
    GPUSAN_SUPPLY(vkQueueInsertDebugUtilsLabelEXT, NoLabelOf),
#undef GPUSAN_SUPPLY
};

}  // namespace

void SupplyDebugUtils(Device& device) {
  // Programs get these commands without the extension as well, through their instance.
  for (const auto& supplied : kSupplied) {
    if (device.next[supplied.slot] == nullptr) device.next[supplied.slot] = supplied.nothing;
  }
}

bool SuppliesDebugUtils(const Device& device, const char* name) {
  if (!device.instance->debug_utils) return false;
  for (const auto& supplied : kSupplied) {
    if (std::string_view(name) == supplied.name) return true;
  }
  return false;
}

}  // namespace gpusan::vulkan
