// The same behind the wait.
#include "common/vulkan_look.h"

int main() {
  Open();
  const Look look = MakeLook();
  Begin();
  Bind(look);
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
  DestroyRest(look);
  Close();
}
