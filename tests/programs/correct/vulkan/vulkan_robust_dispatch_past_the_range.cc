// A dispatch whose shader accesses words behind the range of its descriptor, on a device with
// robustBufferAccess: writes there have no effect.
#include "common/vulkan_compute.h"
#include "shaders/part.comp.h"

int main() {
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.features.robustBufferAccess = VK_TRUE;
  Wanted wanted;
  wanted.features = &features;
  Open(wanted);
  const Compute part = MakeCompute(part_comp, sizeof(part_comp));
  const Buffer words = MakeBuffer(4096, kStorage);
  const VkDescriptorBufferInfo info = {words.handle, 0, 1024};
  const VkWriteDescriptorSet write = Write(part.set, 0, &info);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(part);
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  Close(words, part);
}
