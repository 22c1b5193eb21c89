// Defect: A sampled image is written as VK_NULL_HANDLE, as a placeholder until the texture is loaded, on a device
// without the feature nullDescriptor.
// Fix: The descriptor names a view.
// EXPECT error binding-invalid vkUpdateDescriptorSets at WRITE
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-02997
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  const SampledImage image = MakeSampledImage();
  const OneSet set = MakeSet(kType);
  VkDescriptorImageInfo info = {VK_NULL_HANDLE, image.view,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
#ifdef DEFECT
  info.imageView = VK_NULL_HANDLE;
#endif
  VkWriteDescriptorSet write = WriteOne(set, kType);
  write.pImageInfo = &info;
  // @WRITE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Close(set, image);
}
