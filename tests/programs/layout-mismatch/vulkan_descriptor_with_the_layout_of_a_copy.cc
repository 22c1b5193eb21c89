// Defect: A sampled image is written with the layout that the image has during its upload.
// Fix: The write names the layout that the image has when the shader reads it.
// EXPECT error layout-mismatch vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-04149
#include "common/vulkan_sets.h"

int main() {
  Open();
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  const SampledImage image = MakeSampledImage();
  const OneSet set = MakeSet(kType);
  VkDescriptorImageInfo info = {VK_NULL_HANDLE, image.view,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
#ifdef DEFECT
  info.imageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
#endif
  VkWriteDescriptorSet write = WriteOne(set, kType);
  write.pImageInfo = &info;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, image);
}
