// Begins a command buffer again after its end.
#include "common/vulkan.h"

int main() {
  Open();
  Begin();
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(commands, &info));
  OK(vkEndCommandBuffer(commands));
  Close();
}
