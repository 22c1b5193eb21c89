// Objects are destroyed while, or after, commands that use them are recorded.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_pass.h"

// Objects are destroyed behind the recording of commands that use them, and the recordings never run: a frame is
// abandoned, also in the middle of its recording, recorded again with new objects that may have the old handles, and
// submitted. The secondary command buffers of complete work are reset, freed and destroyed with their pool, and the
// primary one is recorded again without them.
static VkCommandBuffer Allocate(VkCommandPool from, VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = from;
  info.level = level;
  info.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &info, &made));
  return made;
}

// The objects of one frame, which live as long as it.
struct Frame {
  Compute compute;
  Pass pass;
  VkQueryPool queries;
  VkEvent event;
};

static Frame MakeFrameObjects(const Buffer& input, const Buffer& output, const Image& image) {
  Frame frame;
  frame.compute = MakeCompute();
  SetBuffers(frame.compute, input.handle, output.handle);
  frame.pass.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  MakeFrame(image.handle, &frame.pass);
  VkQueryPoolCreateInfo queries = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  queries.queryType = VK_QUERY_TYPE_OCCLUSION;
  queries.queryCount = 1;
  OK(vkCreateQueryPool(device, &queries, nullptr, &frame.queries));
  const VkEventCreateInfo event = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  OK(vkCreateEvent(device, &event, nullptr, &frame.event));
  return frame;
}

static void DestroyFrame(const Frame& frame) {
  Destroy(frame.compute);
  Destroy(frame.pass);
  vkDestroyQueryPool(device, frame.queries, nullptr);
  vkDestroyEvent(device, frame.event, nullptr);
}

static void Record(const Frame& frame, const Buffer& input, VkCommandBuffer secondary) {
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  vkCmdResetQueryPool(commands, frame.queries, 0, 1);
  Bind(frame.compute);
  vkCmdDispatch(commands, 1, 1, 1);
  vkCmdSetEvent(commands, frame.event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(frame.pass, &clear);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  if (secondary != VK_NULL_HANDLE) vkCmdExecuteCommands(commands, 1, &secondary);
  OK(vkEndCommandBuffer(commands));
}

static void Submit() {
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}

static void RecordSecondary(VkCommandBuffer secondary, const Buffer& target) {
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, target.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
}

static void ObjectsOfAbandonedRecordings() {
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage), other = MakeBuffer(4096);
  const Image image = MakeImage(PassImage());
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool own;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &own));
  const VkCommandBuffer secondary = Allocate(own, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  RecordSecondary(secondary, other);

  // Abandoned frames.
  for (int i = 0; i < 3; ++i) {
    const Frame frame = MakeFrameObjects(input, output, image);
    Record(frame, input, secondary);
    DestroyFrame(frame);
  }
  // A command buffer is invalid when an object of its recording is destroyed, and begins anew without a reset.
  const Buffer staging = MakeStaging(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, staging.handle, input.handle, 1, &all);
  Destroy(staging);
  Frame frame = MakeFrameObjects(input, output, image);
  Record(frame, input, secondary);
  Submit();

  // The secondary is reset with its pool, recorded again, and executed by a new recording.
  OK(vkResetCommandPool(device, own, 0));
  RecordSecondary(secondary, other);
  Record(frame, input, secondary);
  Submit();

  // It is freed, and so is another one of the same handle, perhaps.
  vkFreeCommandBuffers(device, own, 1, &secondary);
  const VkCommandBuffer next = Allocate(own, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  RecordSecondary(next, other);
  Record(frame, input, next);
  Submit();
  vkDestroyCommandPool(device, own, nullptr);
  Record(frame, input, VK_NULL_HANDLE);
  Submit();

  // The last recording stays executable: what it uses is destroyed, and the command buffer with its pool.
  DestroyFrame(frame);
  Destroy(input, output, other, image);
}

// A pipeline layout is destroyed while a command buffer that it was passed to is recorded and
// executed. Older specifications forbid that (VUID-vkDestroyPipelineLayout-pipelineLayout-02004),
// newer ones do not.
static void LayoutDestroyedWhileRecording() {
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
  Destroy(compute);
}

int main() {
  Open();
  ObjectsOfAbandonedRecordings();
  LayoutDestroyedWhileRecording();
  Close();
}
