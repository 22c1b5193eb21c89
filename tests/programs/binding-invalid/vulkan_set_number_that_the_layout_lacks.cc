// Defect: Binds a set as number 1 with a pipeline layout that has one set.
// Fix: Binds it as number 0.
// EXPECT error binding-invalid vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-firstSet-00360
// EXIT any
#include "common/vulkan_sets.h"

int main() {
  Open();
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  uint32_t number = 0;
#ifdef DEFECT
  number = 1;
#endif
  Begin();
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, number, 1, &set.set, 0, nullptr);
#ifndef DEFECT
  Run();
#endif
  Close(set);
}
