// Defect: VK_EXT_extended_dynamic_state3 is enabled, but not its feature for the polygon mode that
// a command sets.
// Fix: The feature is enabled.
// EXPECT error usage-missing vkCmdSetPolygonModeEXT at SET
// EXPECT-FACT vuid=VUID-vkCmdSetPolygonModeEXT-None-09423
// EXPECT-TEXT extendedDynamicState3PolygonMode
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
  features.extendedDynamicState3AlphaToCoverageEnable = VK_TRUE;
#ifndef DEFECT
  features.extendedDynamicState3PolygonMode = VK_TRUE;
#endif
  Open({.extensions = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME}, .features = &features});
  const auto set_mode = reinterpret_cast<PFN_vkCmdSetPolygonModeEXT>(
      vkGetDeviceProcAddr(device, "vkCmdSetPolygonModeEXT"));
  const auto set_coverage = reinterpret_cast<PFN_vkCmdSetAlphaToCoverageEnableEXT>(
      vkGetDeviceProcAddr(device, "vkCmdSetAlphaToCoverageEnableEXT"));
  NEEDS(set_mode != nullptr && set_coverage != nullptr);
  Begin();
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);  // of Vulkan 1.3
  set_coverage(commands, VK_FALSE);
  // @SET
  set_mode(commands, VK_POLYGON_MODE_FILL);
  Run();
  Close();
}
