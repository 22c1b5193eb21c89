// Defect dispatch: Records a dispatch whose descriptor set names a buffer that was destroyed after
// the update. The dispatch is not submitted.
// EXPECT error use-after-free vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
// Defect render_pass: A render pass begins with a framebuffer after the image of its view has been
// destroyed.
// EXPECT error use-after-free vkCmdBeginRenderPass at BEGIN
// EXIT any
// Defect rendering: Renders to a view whose image has been destroyed.
// EXPECT error use-after-free vkCmdBeginRendering at BEGIN_2
// EXIT any
// Defect copy: Records a copy from a buffer that has been destroyed.
// EXPECT error use-after-free vkCmdCopyBuffer at COPY
// EXPECT-PARTY release at RELEASE
// Fix: The objects are destroyed behind the last use.
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"

// Fix: The set is updated with another buffer after the destruction, and the dispatch runs.
static void DispatchOverADestroyedBuffer() {
  Open();
#ifdef DEFECT_dispatch
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage);
#else
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               other = MakeBuffer(4096, kStorage);
#endif
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  vkDestroyBuffer(device, output.handle, nullptr);
#ifndef DEFECT_dispatch
  SetBuffers(compute, input.handle, other.handle);
#endif
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
#ifdef DEFECT_dispatch
  OK(vkEndCommandBuffer(commands));
#else
  Run();
#endif
  vkFreeMemory(device, output.memory, nullptr);
  Destroy(compute);
  Destroy(input);
#ifndef DEFECT_dispatch
  Destroy(other);
#endif
  Close();
}

// Fix: The image is destroyed after the render pass. Another framebuffer of the destroyed image is
// not used again.
static void RenderPass() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const Image later = MakeImage(PassImage());
  const Pass pass_of_later =
      MakePass(later.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
#ifdef DEFECT_render_pass
  Destroy(image);
#endif
  const VkClearValue clear = {};
  VkRenderPassBeginInfo info = PassBegin(pass, &clear);
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
#ifdef DEFECT_render_pass
  OK(vkEndCommandBuffer(commands));
#else
  Run();
  Destroy(image);
  info = PassBegin(pass_of_later, &clear);
  Begin();
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
#endif
  Close(pass, pass_of_later, later);
}

// Fix: The image is destroyed after the rendering; the view outlives it.
static void RenderingOfADestroyedImage() {
  OpenForRendering();
  Rendering rendering = MakeRendering();
#ifdef DEFECT_rendering
  Destroy(rendering.image);
#endif
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = rendering.view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kPassSize, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  Begin();
  // @BEGIN_2
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
#ifdef DEFECT_rendering
  OK(vkEndCommandBuffer(commands));
#else
  Run();
  Destroy(rendering.image);
#endif
  rendering.image = {};
  Close(rendering);
}

// Fix: Records a copy from a buffer, and destroys it afterwards.
static void Copy() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
#ifdef DEFECT_copy
  // @RELEASE
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
#ifndef DEFECT_copy
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  Close(source.memory, target);
}

int main() {
  DispatchOverADestroyedBuffer();
  RenderPass();
  RenderingOfADestroyedImage();
  Copy();
}
