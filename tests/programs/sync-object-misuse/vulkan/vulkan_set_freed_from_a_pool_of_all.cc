// Defect: A descriptor set is freed whose pool was created without
// VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT.
// Fix: The pool is reset, which frees all of its sets.
// EXPECT error sync-object-misuse vkFreeDescriptorSets at FREE
// EXPECT-FACT vuid=VUID-vkFreeDescriptorSets-descriptorPool-00312
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
#ifdef DEFECT
  // @FREE
  OK(vkFreeDescriptorSets(device, compute.pool, 1, &compute.set));
#else
  OK(vkResetDescriptorPool(device, compute.pool, 0));
#endif
  Close(compute);
}
