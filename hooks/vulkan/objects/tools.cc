// vkGetPhysicalDeviceToolProperties: gpusan adds itself to the tools that are active.
#include "hooks/vulkan/objects/tools.h"

#include <cstdio>

namespace gpusan::vulkan {
namespace {

template <size_t size>
void Copy(char (&to)[size], const char* from) {
  std::snprintf(to, size, "%s", from);
}

// Leaves sType and pNext alone: they are the program's.
void Describe(VkPhysicalDeviceToolProperties* tool) {
  Copy(tool->name, "gpusan");
  Copy(tool->version, GPUSAN_VERSION);
  tool->purposes = VK_TOOL_PURPOSE_VALIDATION_BIT;
  Copy(tool->description, "sanitizer: memory, layouts, barriers, lifetimes and host access");
  Copy(tool->layer, "VK_LAYER_GPUSAN_shadow");
}

}  // namespace

void ListTools::Before(VkCall&, VkPhysicalDevice, uint32_t* count,
                       VkPhysicalDeviceToolProperties* tools) {
  if (count != nullptr && tools != nullptr) capacity_ = *count;
}

void ListTools::After(VkCall&, VkResult& result, VkPhysicalDevice, uint32_t* count,
                      VkPhysicalDeviceToolProperties* tools) {
  if (result != VK_SUCCESS || count == nullptr) return;
  if (tools == nullptr) {
    ++*count;
  } else if (*count < capacity_) {
    Describe(&tools[(*count)++]);
  } else {
    result = VK_INCOMPLETE;
  }
}

}  // namespace gpusan::vulkan
