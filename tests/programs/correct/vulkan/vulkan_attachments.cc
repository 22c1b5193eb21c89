// Attachments of which only a part is rendered, stored or used.
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"

// Rendering leaves alone what is not in its area, and the layers that its framebuffer does not have
// or that no view is drawn to: others use those at the same time.
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr uint32_t kLayers = 3;

static VkImageView MakeView(VkImage image, uint32_t layers) {
  VkImageViewCreateInfo view =
      ViewInfo(image, kFormat, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers});
  view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  VkImageView made;
  OK(vkCreateImageView(device, &view, nullptr, &made));
  return made;
}

// All layers of an image, cleared by a command, and in a layout for everything.
static Image MakeCleared() {
  VkImageCreateInfo info = PassImage();
  info.arrayLayers = kLayers;
  const Image image = MakeImage(info);
  Begin();
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.layerCount = kLayers;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, kLayers};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
  Run();
  return image;
}

static void CmdClear(VkImageView view, const VkRect2D& area, uint32_t layers, uint32_t views) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = area;
  info.layerCount = layers;
  info.viewMask = views;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

static void CmdRead(const Image& image, const Buffer& target, uint32_t layer, uint32_t left,
             uint32_t width) {
  VkBufferImageCopy part = {};
  part.bufferOffset = VkDeviceSize{layer} * 1024;
  part.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1};
  part.imageOffset = {static_cast<int32_t>(left), 0, 0};
  part.imageExtent = {width, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &part);
}

// The pass that a framebuffer of one layer begins, over a view of all of them.
static void InPass(const Image& image, VkImageView view, const Buffer& target) {
  VkAttachmentDescription attachment = {};
  attachment.format = kFormat;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  VkRenderPass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  VkFramebufferCreateInfo frame_info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame_info.renderPass = pass;
  frame_info.attachmentCount = 1;
  frame_info.pAttachments = &view;
  frame_info.width = frame_info.height = kPassSize;
  frame_info.layers = 1;
  VkFramebuffer frame;
  OK(vkCreateFramebuffer(device, &frame_info, nullptr, &frame));
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin({pass, view, frame}, &black);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  CmdRead(image, target, 1, 0, kPassSize);
  Run();
  vkDestroyFramebuffer(device, frame, nullptr);
  vkDestroyRenderPass(device, pass, nullptr);
}

static void PartsOfAttachments() {
  VkPhysicalDeviceVulkan13Features rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceVulkan11Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &rendering};
  features.multiview = VK_TRUE;
  Open({.features = &features});
  const Image image = MakeCleared();
  const VkImageView all = MakeView(image.handle, kLayers);
  const Buffer target = MakeBuffer(kLayers * 1024);
  constexpr uint32_t kHalf = kPassSize / 2;

  // Two halves by two passes, one after the other.
  Begin();
  CmdClear(all, {{0, 0}, {kHalf, kPassSize}}, kLayers, 0);
  CmdClear(all, {{kHalf, 0}, {kHalf, kPassSize}}, kLayers, 0);
  Run();
  // One half, while the other is read.
  Begin();
  CmdClear(all, {{0, 0}, {kHalf, kPassSize}}, kLayers, 0);
  CmdRead(image, target, 0, kHalf, kHalf);
  Run();
  // One layer, and then two views, while the last layer is read.
  Begin();
  CmdClear(all, {{0, 0}, {kPassSize, kPassSize}}, 1, 0);
  CmdRead(image, target, 1, 0, kPassSize);
  CmdRead(image, target, 2, 0, kPassSize);
  Run();
  Begin();
  CmdClear(all, {{0, 0}, {kPassSize, kPassSize}}, 1, 3);
  CmdRead(image, target, 2, 0, kPassSize);
  Run();
  InPass(image, all, target);
  Close(all, image, target);
}

// An attachment whose content the store operation makes undefined, and which is copied to a buffer:
// a render pass clears and stores it in between, and a later one that does not store it covers a
// part, beside which the copy reads.
static void Render(VkImageView view, uint32_t size, VkAttachmentStoreOp store) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = store;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {size, size};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

static void OrderAll() {
  MemoryBarrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

static void AttachmentsThatAreNotStored() {
  OpenForRendering();
  const Image image = MakeImage(PassImage());
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle, kRenderingFormat);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Render(view, kPassSize, VK_ATTACHMENT_STORE_OP_DONT_CARE);
  OrderAll();
  Render(view, kPassSize, VK_ATTACHMENT_STORE_OP_STORE);
  OrderAll();
  Render(view, kPassSize / 2, VK_ATTACHMENT_STORE_OP_DONT_CARE);
  OrderAll();
  VkBufferImageCopy rest = {};
  rest.imageSubresource = kFirst;
  rest.imageOffset = {kPassSize / 2, 0, 0};
  rest.imageExtent = {kPassSize / 2, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &rest);
  Run();
  Close(view, image, target);
}

// The end of a render pass changes the layout of an attachment that no subpass uses. The program
// relies on the dependency of the render pass on later commands. The specification does not say
// whether such a dependency includes the change: no finding.
static void UnusedAttachmentBehindADependency() {
  Open();
  const Image image = MakeImage(PassImage());
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  const Pass pass = MakeUnusedPass(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &dependency);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  Run();
  Close(pass, image);
}

int main() {
  PartsOfAttachments();
  AttachmentsThatAreNotStored();
  UnusedAttachmentBehindADependency();
}
