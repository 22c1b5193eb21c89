// Defect: Writes a storage buffer descriptor of a buffer that was created for copies only.
// Fix: The buffer is created for storage, too.
// EXPECT error usage-missing vkUpdateDescriptorSets
// EXPECT-FACT missing_flag=VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00331
#include "common/vulkan_compute.h"

int main() {
  Open();
#ifdef DEFECT
  const Buffer a = MakeBuffer(4096);
#else
  const Buffer a = MakeBuffer(4096, kStorage);
#endif
  const Buffer b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Close(compute, a, b);
}
