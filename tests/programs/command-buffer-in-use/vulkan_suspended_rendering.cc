// Defect copy_in_between: A buffer is filled between a suspended rendering and the one that resumes
// it.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at FILL
// EXPECT-FACT vuid=VUID-vkCmdFillBuffer-suspended
// EXIT any
// Defect secondary_in_between: A secondary command buffer that fills a buffer is executed between a
// suspended rendering and the one that resumes it.
// EXPECT error command-buffer-in-use vkCmdFillBuffer
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-pCommandBuffers-06021
// EXIT any
// Defect pass_in_between: Between a suspended rendering and the one that resumes it, another
// rendering is recorded.
// EXPECT error command-buffer-in-use vkQueueSubmit2 at SUBMIT
// EXPECT-PARTY earlier-command
// EXPECT-FACT vuid=VUID-VkSubmitInfo2-commandBuffer-06012
// EXIT any
// Defect barrier_in_between: A command buffer that resumes a rendering of another one begins with a
// barrier.
// EXPECT error command-buffer-in-use vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pCommandBuffers-06015
// EXIT any
// Defect another_area: A rendering is resumed with a smaller render area.
// EXPECT error command-buffer-in-use vkCmdBeginRendering at RESUME
// EXPECT-TEXT resumes a rendering
// EXIT any
// Defect never_resumed: A rendering is suspended in one submission and resumed in the next one.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUSPENDS
// EXPECT-PARTY earlier-command
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pCommandBuffers-06014
// EXPECT error command-buffer-in-use vkQueueSubmit at RESUMES
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pCommandBuffers-06193
// Fix: The rendering is resumed right behind its suspension, with the same area.
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

// Fix: It is filled before the rendering begins.
static void CopyInBetween() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const Buffer buffer = MakeBuffer(64);
  Begin();
#ifndef DEFECT_copy_in_between
  vkCmdFillBuffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 1);
#endif
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
#ifdef DEFECT_copy_in_between
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 1);
#endif
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({commands});
  OK(vkQueueWaitIdle(queue));
  Close(buffer, rendering);
}

// Fix: It is executed first.
static void SecondaryInBetween() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const Buffer buffer = MakeBuffer(64);
  const VkCommandBuffer fills = MakeSecondary();
  RecordFill(fills, buffer);
  Begin();
#ifndef DEFECT_secondary_in_between
  vkCmdExecuteCommands(commands, 1, &fills);
#endif
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
#ifdef DEFECT_secondary_in_between
  vkCmdExecuteCommands(commands, 1, &fills);
#endif
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({commands});
  OK(vkQueueWaitIdle(queue));
  Close(buffer, rendering);
}

// Fix: The other one comes first.
static void PassInBetween() {
  VkPhysicalDeviceVulkan13Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features.dynamicRendering = features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Rendering rendering = MakeRendering(), other = MakeRendering();
  Begin();
#ifndef DEFECT_pass_in_between
  RecordPart(other, 0);
#endif
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
#ifdef DEFECT_pass_in_between
  RecordPart(other, 0);
#endif
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferSubmitInfo part = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  part.commandBuffer = commands;
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &part;
  // @SUBMIT
  OK(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(rendering, other);
}

// Fix: The barrier comes behind the rendering.
static void Order() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

static void BarrierInBetween() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer first = commands, second = MakePrimary();
  Begin();
  Order();
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
  OK(vkEndCommandBuffer(commands));
  commands = second;
  Begin();
#ifdef DEFECT_barrier_in_between
  Order();
#endif
  // A state between the parts is allowed.
  const float constants[4] = {};
  vkCmdSetBlendConstants(commands, constants);
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
#ifndef DEFECT_barrier_in_between
  Order();
#endif
  OK(vkEndCommandBuffer(commands));
  SubmitParts({first, second});
  OK(vkQueueWaitIdle(queue));
  commands = first;
  Close(rendering);
}

// Fix: Both parts have the same render area.
static void Record(const Rendering& rendering, VkRenderingFlags flags, uint32_t width) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = rendering.view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  // Without a clear its value does not count.
  color.clearValue.color.uint32[0] = width + static_cast<uint32_t>(flags);
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.flags = flags;
  info.renderArea.extent = {width, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  // @RESUME
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

static void AnotherArea() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  Begin();
  Record(rendering, VK_RENDERING_SUSPENDING_BIT, kPassSize);
#ifdef DEFECT_another_area
  Record(rendering, VK_RENDERING_RESUMING_BIT, kPassSize / 2);
#else
  Record(rendering, VK_RENDERING_RESUMING_BIT, kPassSize);
#endif
  OK(vkEndCommandBuffer(commands));
  SubmitParts({commands});
  OK(vkQueueWaitIdle(queue));
  Close(rendering);
}

// Fix: One submission has both command buffers.
static void NeverResumed() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer parts[2] = {commands, MakePrimary()};
  for (int i = 0; i < 2; ++i) {
    commands = parts[i];
    Begin();
    RecordPart(rendering, i == 0 ? VK_RENDERING_SUSPENDING_BIT : VK_RENDERING_RESUMING_BIT);
    OK(vkEndCommandBuffer(commands));
  }
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pCommandBuffers = parts;
#ifdef DEFECT_never_resumed
  info.commandBufferCount = 1;
  // @SUSPENDS
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  info.pCommandBuffers = parts + 1;
  // @RESUMES
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#else
  info.commandBufferCount = 2;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(rendering);
}

int main() {
  CopyInBetween();
  SecondaryInBetween();
  PassInBetween();
  BarrierInBetween();
  AnotherArea();
  NeverResumed();
}
