// Lists the active tools, a line each: layer, name, version. Then asks with no place for the last
// one.
#include <cstdio>
#include <vector>

#include "common/vulkan.h"

int main() {
  Open();
  const auto list = reinterpret_cast<PFN_vkGetPhysicalDeviceToolProperties>(
      vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceToolProperties"));
  if (list == nullptr) return 77;
  uint32_t count = 0;
  if (list(physical, &count, nullptr) != VK_SUCCESS) return 1;
  std::vector<VkPhysicalDeviceToolProperties> tools(
      count + 1, {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES});
  uint32_t written = count + 1;
  if (list(physical, &written, tools.data()) != VK_SUCCESS || written != count) return 2;
  for (uint32_t i = 0; i < written; ++i)
    std::printf("%s %s %s\n", tools[i].layer, tools[i].name, tools[i].version);
  if (count > 0) {
    written = count - 1;
    const VkResult result = list(physical, &written, tools.data());
    std::printf("%d %u\n", result, count - written);
  }
  Close();
}
