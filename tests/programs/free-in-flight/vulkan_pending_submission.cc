// Defect buffer: Destroys a buffer and frees its memory while the copy that reads it may still run.
// EXPECT error free-in-flight vkDestroyBuffer at DESTROY
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyBuffer-buffer-00922
// EXPECT error free-in-flight vkFreeMemory at FREE
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkFreeMemory-memory-00677
// EXIT any
// Defect pipeline_and_pool: Destroys the pipeline and the descriptor pool of a dispatch that may
// still run.
// EXPECT error free-in-flight vkDestroyPipeline at PIPELINE
// EXPECT-PARTY pending-command at SUBMIT_2
// EXPECT-FACT vuid=VUID-vkDestroyPipeline-pipeline-00765
// EXPECT error free-in-flight vkDestroyDescriptorPool at POOL
// EXPECT-PARTY pending-command at SUBMIT_2
// EXPECT-FACT vuid=VUID-vkDestroyDescriptorPool-descriptorPool-00303
// EXIT any
// Defect command_pool: Destroys the command pool of a secondary command buffer while a submission
// that executes it may run.
// EXPECT error free-in-flight vkDestroyCommandPool at POOL_2
// EXPECT-PARTY pending-command at SUBMIT_3
// EXPECT-FACT vuid=VUID-vkDestroyCommandPool-commandPool-00041
// EXIT any
// Defect query_pool_and_event: Destroys a query pool and an event that commands which may still run
// use.
// EXPECT error free-in-flight vkDestroyQueryPool at QUERIES
// EXPECT-PARTY pending-command at SUBMIT_4
// EXPECT-FACT vuid=VUID-vkDestroyQueryPool-queryPool-00793
// EXPECT error free-in-flight vkDestroyEvent at EVENT
// EXPECT-PARTY pending-command at SUBMIT_4
// EXPECT-FACT vuid=VUID-vkDestroyEvent-event-01145
// EXIT any
// Defect sampler_and_views: Destroys what a dispatch reads through before the submission is known
// to be complete: the sampler and the view of an image, and the view of a buffer.
// EXPECT error free-in-flight vkDestroySampler at SAMPLER
// EXPECT-PARTY pending-command at SUBMIT_5
// EXPECT-FACT vuid=VUID-vkDestroySampler-sampler-01082
// EXPECT error free-in-flight vkDestroyImageView at VIEW
// EXPECT-PARTY pending-command at SUBMIT_5
// EXPECT-FACT vuid=VUID-vkDestroyImageView-imageView-01026
// EXPECT error free-in-flight vkDestroyBufferView at TEXELS
// EXPECT-PARTY pending-command at SUBMIT_5
// EXPECT-FACT vuid=VUID-vkDestroyBufferView-bufferView-00936
// EXIT any
// Defect semaphore: Destroys a semaphore that a submission which may still run signals.
// EXPECT error free-in-flight vkDestroySemaphore at DESTROY_2
// EXPECT-PARTY pending-command at SUBMIT_6
// EXPECT-FACT vuid=VUID-vkDestroySemaphore-semaphore-05149
// EXIT any
// Fix: The program waits for the submission, and then destroys the objects.
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_look.h"
#include "common/vulkan_secondary.h"

// Fix: Waits for the copy that reads a buffer before it destroys the buffer.
static void BufferOfAPendingCopy() {
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_buffer
  OK(vkQueueWaitIdle(queue));
#endif
  // @DESTROY
  vkDestroyBuffer(device, source.handle, nullptr);
  // @FREE
  vkFreeMemory(device, source.memory, nullptr);
#ifdef DEFECT_buffer
  OK(vkQueueWaitIdle(queue));
#endif
  Destroy(target);
}

// Fix: Waits for a dispatch before it destroys its pipeline and its descriptor pool.
static void PipelineAndPool() {
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 16, 1, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_2
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_pipeline_and_pool
  OK(vkQueueWaitIdle(queue));
#endif
  // @PIPELINE
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  // @POOL
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
#ifdef DEFECT_pipeline_and_pool
  OK(vkQueueWaitIdle(queue));
#endif
  Destroy(compute.layout, compute.set_layout, a, b);
}

// Fix: Waits for the submission before it destroys the pool.
static void CommandPool() {
  const Buffer buffer = MakeBuffer(4096);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool own;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &own));
  const VkCommandBuffer secondary = MakeSecondary(own);
  RecordFill(secondary, buffer);
  Begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_3
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_command_pool
  OK(vkQueueWaitIdle(queue));
#endif
  // @POOL_2
  vkDestroyCommandPool(device, own, nullptr);
#ifdef DEFECT_command_pool
  vkQueueWaitIdle(queue);
#endif
  Destroy(buffer);
}

// Fix: Waits for the commands that use a query pool and an event before it destroys them.
static void QueryPoolAndEvent() {
  VkQueryPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_OCCLUSION;
  pool_info.queryCount = 1;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &pool_info, nullptr, &queries));
  VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  OK(vkCreateEvent(device, &event_info, nullptr, &event));
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_4
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_query_pool_and_event
  OK(vkQueueWaitIdle(queue));
#endif
  // @QUERIES
  vkDestroyQueryPool(device, queries, nullptr);
  // @EVENT
  vkDestroyEvent(device, event, nullptr);
#ifdef DEFECT_query_pool_and_event
  OK(vkQueueWaitIdle(queue));
#endif
}

// Fix: Waits first.
static void SamplerAndViews() {
  const Look look = MakeLook();
  Begin();
  Bind(look);
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_5
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_sampler_and_views
  OK(vkQueueWaitIdle(queue));
#endif
  // @SAMPLER
  vkDestroySampler(device, look.sampler, nullptr);
  // @VIEW
  vkDestroyImageView(device, look.view, nullptr);
  // @TEXELS
  vkDestroyBufferView(device, look.texels, nullptr);
#ifdef DEFECT_sampler_and_views
  OK(vkQueueWaitIdle(queue));
#endif
  DestroyRest(look);
}

// Fix: Waits for the submission that signals a semaphore before it destroys the semaphore.
static void Semaphore() {
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore;
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  Begin();
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  // @SUBMIT_6
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_semaphore
  OK(vkQueueWaitIdle(queue));
#endif
  // @DESTROY_2
  vkDestroySemaphore(device, semaphore, nullptr);
#ifdef DEFECT_semaphore
  OK(vkQueueWaitIdle(queue));
#endif
}

int main() {
  Open();
  BufferOfAPendingCopy();
  PipelineAndPool();
  CommandPool();
  QueryPoolAndEvent();
  SamplerAndViews();
  Semaphore();
  Close();
}
