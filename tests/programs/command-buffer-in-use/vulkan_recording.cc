// Defect begun_twice: Begins a command buffer that is being recorded.
// EXPECT error command-buffer-in-use vkBeginCommandBuffer at SECOND
// EXPECT-FACT vuid=VUID-vkBeginCommandBuffer-commandBuffer-00049
// Defect after_its_end: Records a command into a command buffer that has been ended.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at FILL
// EXPECT-FACT state=executable
// EXPECT-FACT vuid=VUID-vkCmdFillBuffer-commandBuffer-recording
// Defect before_the_begin: The viewport is set before vkBeginCommandBuffer.
// EXPECT error command-buffer-in-use vkCmdSetViewport at SET
// EXPECT-FACT vuid=VUID-vkCmdSetViewport-commandBuffer-recording
// EXIT any
// Defect while_pending: Records the command buffer of the last submission again without waiting for
// it.
// EXPECT error command-buffer-in-use vkBeginCommandBuffer at BEGIN
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkBeginCommandBuffer-commandBuffer-00049
// EXIT any
// Defect submitted_twice: Submits a command buffer again that was begun for one submission.
// EXPECT error command-buffer-in-use vkQueueSubmit at SECOND_2
// EXPECT-FACT state=invalid
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Fix: The command buffer is begun once, recorded before its end, and begun again when it is
// complete.
#include "common/vulkan.h"

// Fix: Begins a command buffer again after its end.
static void BegunTwice() {
  Begin();
#ifndef DEFECT_begun_twice
  OK(vkEndCommandBuffer(commands));
#endif
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  // @SECOND
  OK(vkBeginCommandBuffer(commands, &info));
  OK(vkEndCommandBuffer(commands));
}

// Fix: Records a command into a command buffer before it is ended.
static void AfterItsEnd() {
  const Buffer buffer = MakeBuffer(4096);
  Begin();
#ifdef DEFECT_after_its_end
  OK(vkEndCommandBuffer(commands));
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 0);
#else
  vkCmdFillBuffer(commands, buffer.handle, 0, 4096, 0);
  OK(vkEndCommandBuffer(commands));
#endif
  Destroy(buffer);
}

// Fix: It is set after it.
static void BeforeTheBegin() {
  const VkViewport viewport = {0, 0, 16, 16, 0, 1};
#ifdef DEFECT_before_the_begin
  // @SET
  vkCmdSetViewport(commands, 0, 1, &viewport);
  Begin();
#else
  Begin();
  vkCmdSetViewport(commands, 0, 1, &viewport);
#endif
  Run();
}

// Fix: Waits for the fence of the last submission before it records the command buffer again.
static void WhilePending() {
  const Buffer a = MakeStaging(1 << 20), b = MakeBuffer(1 << 20);
  const VkBufferCopy all = {0, 0, 1 << 20};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
#ifdef DEFECT_while_pending
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#else
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  OK(vkQueueSubmit(queue, 1, &info, fence));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  vkDestroyFence(device, fence, nullptr);
#endif
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  // @BEGIN
  vkBeginCommandBuffer(commands, &begin);
  vkEndCommandBuffer(commands);
  OK(vkQueueWaitIdle(queue));
  Destroy(a, b);
}

// Fix: Submits a command buffer again that was begun for any number of submissions.
static void SubmittedTwice() {
#ifdef DEFECT_submitted_twice
  Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
#else
  Begin();
#endif
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  // @SECOND_2
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}

int main() {
  Open();
  BegunTwice();
  AfterItsEnd();
  BeforeTheBegin();
  WhilePending();
  SubmittedTwice();
  Close();
}
