// Defect copy_inside: A helper uploads data while its caller is inside a render pass.
// EXPECT error command-buffer-in-use vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-renderpass
// EXIT any
// Defect dispatch_inside: A dispatch is recorded inside a render pass.
// EXPECT error command-buffer-in-use vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-renderpass
// EXIT any
// Defect ended_in_its_first_subpass: A render pass of two subpasses ends in the first one.
// EXPECT error command-buffer-in-use vkCmdEndRenderPass at END
// EXPECT-FACT vuid=VUID-vkCmdEndRenderPass-None-00910
// EXIT any
// Fix: The command is recorded outside of the render pass, which ends in its last subpass.
#include "common/vulkan_compute.h"
#include "common/vulkan_deferred.h"
#include "common/vulkan_pass.h"

// Fix: The upload is recorded before the render pass.
static Buffer source, target;

static void Upload() {
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
}

static void CopyInside() {
  const Image image = MakeImage(PassImage());
  source = MakeStaging(4096);
  target = MakeBuffer(4096);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
#ifndef DEFECT_copy_inside
  Upload();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT_copy_inside
  Upload();
#endif
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(pass, image, source, target);
}

// Fix: It is recorded before the render pass.
static void Dispatch() {
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
}

static void DispatchInside() {
  const VkBufferUsageFlags usage = kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const Buffer input = MakeBuffer(4096, usage), output = MakeBuffer(4096, usage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  Bind(compute);
#ifndef DEFECT_dispatch_inside
  Dispatch();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT_dispatch_inside
  Dispatch();
#endif
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(pass, image, compute, input, output);
}

// Fix: The second subpass is begun first.
static void EndedInItsFirstSubpass() {
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 1, &dependency);
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifndef DEFECT_ended_in_its_first_subpass
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
#endif
  // @END
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(deferred);
}

int main() {
  Open();
  CopyInside();
  DispatchInside();
  EndedInItsFirstSubpass();
  Close();
}
