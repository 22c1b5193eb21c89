// Dispatches whose results depend on buffers that no command in sight writes: the buffer is mapped, another dispatch
// or another submission writes it, the dispatch has no workgroup, or only another part of the buffer is written.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/again.comp.h"

static void Barrier() {
  MemoryBarrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

int main() {
  Open();
  Compute computes[3];
  for (Compute& compute : computes) compute = MakeCompute(again_comp, sizeof(again_comp));
  const Buffer mapped = MakeBuffer(256, kStorage, kHostMemory);
  const Buffer first = MakeBuffer(256, kStorage), second = MakeBuffer(256, kStorage);
  const Buffer unwritten = MakeBuffer(256, kStorage);
  SetBuffers(computes[0], mapped.handle, first.handle);
  SetBuffers(computes[1], first.handle, second.handle);
  SetBuffers(computes[2], unwritten.handle, second.handle);
  void* data;
  OK(vkMapMemory(device, mapped.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 1, 256);
  Begin();
  Bind(computes[0]);
  vkCmdDispatch(commands, 1, 1, 1);
  Barrier();
  Bind(computes[1]);
  vkCmdDispatch(commands, 1, 1, 1);
  Bind(computes[2]);
  vkCmdDispatch(commands, 0, 1, 1);
  Run();
  // Not all that the dispatch reads is written: which words it needs is not known.
  Begin();
  vkCmdFillBuffer(commands, unwritten.handle, 0, 128, 7);
  Barrier();
  Bind(computes[2]);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  for (const Compute& compute : computes) Destroy(compute);
  for (const Buffer& buffer : {mapped, first, second, unwritten}) Destroy(buffer);
  Close();
}
