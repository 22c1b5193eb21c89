// Defect buffer: Destroys a buffer between the recording and the submission of the copy that reads
// it.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT-PARTY recorded at COPY
// EXIT any
// Defect buffer_of_a_set: Destroys a buffer that a descriptor set names between the recording and
// the submission of the dispatch that writes it.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_2
// EXPECT-PARTY recorded at DISPATCH
// EXIT any
// Defect event_and_queries: Destroys an event and a query pool between the recording of the
// commands that use them and the submission.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_3
// EXPECT-PARTY recorded at RESET
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_3
// EXPECT-PARTY recorded at SET
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Defect framebuffer: Destroys the framebuffer of a recorded render pass, as a resize of the window
// does, and submits the recording.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_4
// EXPECT-TEXT framebuffer
// EXPECT-PARTY recorded at PASS
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Defect immutable_sampler: Destroys the immutable sampler of a descriptor set between the
// recording of a dispatch that uses the set and its submission.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_5
// EXPECT-TEXT sampler
// EXPECT-PARTY recorded at DISPATCH_2
// EXIT any
// Defect pipeline_and_set: Destroys a pipeline, and a descriptor pool with its set, between the
// recording of the dispatch that uses them and its submission.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_6
// EXPECT-TEXT pipeline
// EXPECT-PARTY recorded at DISPATCH_3
// EXPECT-PARTY release at END
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_6
// EXPECT-TEXT descriptor set
// EXPECT-PARTY recorded at DISPATCH_3
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Defect secondary_buffer: Frees a secondary command buffer between the recording of the primary
// one that executes it and its submission.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT_7
// EXPECT-TEXT command buffer
// EXPECT-PARTY recorded at EXECUTE
// EXPECT-PARTY release at FREE
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Fix: The objects are destroyed behind the submission.
#include "common/vulkan.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_look.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_secondary.h"

// Fix: Destroys a buffer after the copy that reads it.
static void BufferOfACopy() {
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_buffer
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#ifndef DEFECT_buffer
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  Destroy(source.memory, target);
}

// Fix: Destroys the buffer after the work that writes it.
static void BufferOfASet() {
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_buffer_of_a_set
  vkDestroyBuffer(device, output.handle, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_2
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#ifndef DEFECT_buffer_of_a_set
  vkDestroyBuffer(device, output.handle, nullptr);
#endif
  Destroy(output.memory, compute, input);
}

// Fix: Destroys them after the submission is complete.
static VkQueryPool queries;
static VkEvent event;

static void DestroyBoth() {
  vkDestroyQueryPool(device, queries, nullptr);
  vkDestroyEvent(device, event, nullptr);
}

static void EventAndQueries() {
  VkQueryPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_OCCLUSION;
  pool_info.queryCount = 1;
  OK(vkCreateQueryPool(device, &pool_info, nullptr, &queries));
  VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  OK(vkCreateEvent(device, &event_info, nullptr, &event));
  Begin();
  // @RESET
  vkCmdResetQueryPool(commands, queries, 0, 1);
  // @SET
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_event_and_queries
  DestroyBoth();
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_3
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_event_and_queries
  DestroyBoth();
#endif
}

// Fix: Destroys the framebuffer after the submission is complete.
static void Framebuffer() {
  const Image image = MakeImage(PassImage());
  Pass pass;
  pass.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  MakeFrame(image.handle, &pass);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @PASS
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_framebuffer
  vkDestroyFramebuffer(device, pass.frame, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_4
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_framebuffer
  vkDestroyFramebuffer(device, pass.frame, nullptr);
#endif
  Destroy(pass.view, pass.pass, image);
}

// Fix: Destroys the sampler after the submission is complete.
static void ImmutableSampler() {
  const Look look = MakeLook(true);
  Begin();
  Bind(look);
  // @DISPATCH_2
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_immutable_sampler
  vkDestroySampler(device, look.sampler, nullptr);
#endif
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  // @SUBMIT_5
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_immutable_sampler
  vkDestroySampler(device, look.sampler, nullptr);
#endif
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
  DestroyRest(look);
}

// Fix: Destroys them after the submission is complete.
static void PipelineAndSet() {
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  Bind(compute);
  // @DISPATCH_3
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_pipeline_and_set
  // @END
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_6
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_pipeline_and_set
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
#endif
  Destroy(compute.layout, compute.set_layout, input, output);
}

// Fix: Frees the secondary command buffer after the submission is complete.
static void SecondaryBuffer() {
  const Buffer buffer = MakeBuffer(4096);
  const VkCommandBuffer secondary = MakeSecondary();
  RecordFill(secondary, buffer);
  Begin();
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT_secondary_buffer
  // @FREE
  vkFreeCommandBuffers(device, pool, 1, &secondary);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_7
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT_secondary_buffer
  vkFreeCommandBuffers(device, pool, 1, &secondary);
#endif
  Destroy(buffer);
}

int main() {
  Open();
  BufferOfACopy();
  BufferOfASet();
  EventAndQueries();
  Framebuffer();
  ImmutableSampler();
  PipelineAndSet();
  SecondaryBuffer();
  Close();
}
