// A pipeline layout is destroyed while a command buffer that it was passed to is recorded and
// executed. Older specifications forbid that (VUID-vkDestroyPipelineLayout-pipelineLayout-02004),
// newer ones do not.
#include "common/vulkan_compute.h"

int main() {
  Open();
  Compute compute = MakeCompute();
  const Buffer from = MakeBuffer(1024, kStorage), to = MakeBuffer(1024, kStorage);
  SetBuffers(compute, from.handle, to.handle);
  Begin();
  vkCmdFillBuffer(commands, from.handle, 0, VK_WHOLE_SIZE, 7);
  Run();
  Begin();
  Bind(compute);
  vkDestroyPipelineLayout(device, compute.layout, nullptr);
  compute.layout = VK_NULL_HANDLE;
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  for (const Buffer& buffer : {from, to}) Destroy(buffer);
  Close(compute);
}
