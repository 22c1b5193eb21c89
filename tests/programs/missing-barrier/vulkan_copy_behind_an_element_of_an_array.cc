// Defect: A copy reads the buffer that a shader writes as an element of an array of descriptors.
// Fix: The copy reads the buffer that the shader only reads, and the one that it does not use.
// EXPECT warning missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-FACT hazard=RAW
#include "common/vulkan_elements.h"

int main() {
  Open();
  const Buffer from = MakeBuffer(4096, kStorage), to = MakeBuffer(4096, kStorage),
               unused = MakeBuffer(4096, kStorage), target = MakeBuffer(4096);
  const Compute compute = MakeElements();
  const VkBuffer elements[kElements] = {unused.handle, from.handle, to.handle, unused.handle};
  for (uint32_t i = 0; i < kElements; ++i) SetElement(compute, i, elements[i]);
  Begin();
  for (const VkBuffer buffer : {from.handle, to.handle, unused.handle})
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 16, 1, 1);
  const VkBufferCopy first = {0, 0, 2048}, second = {0, 2048, 2048};
#ifdef DEFECT
  const VkBuffer source = to.handle;
#else
  const VkBuffer source = from.handle;
#endif
  // @COPY
  vkCmdCopyBuffer(commands, source, target.handle, 1, &first);
  vkCmdCopyBuffer(commands, unused.handle, target.handle, 1, &second);
  Run();
  Destroy(compute);
  for (const Buffer& buffer : {from, to, unused, target}) Destroy(buffer);
  Close();
}
