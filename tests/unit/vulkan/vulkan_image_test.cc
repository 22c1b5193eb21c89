// Images in front of a Vulkan driver in the same process: attachments, presentation, copies by the
// host, and handles that the driver gives out again.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "tests/unit/vulkan/vulkan_worker.h"

namespace gpusan::vulkan {
namespace {

using test::Commands;
using test::FakeVulkan;
using test::Findings;
using test::kWhole;
using test::TheProcess;
using test::Worker;

// A render pass over both layers of an image, whose load and store operations access nothing. One
// rectangle of `layer` is cleared behind a copy to layer 0.
void ClearLayer(const FakeVulkan& vulkan, const Commands& vk, Worker& worker, uint32_t layer) {
  VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image_info.imageType = VK_IMAGE_TYPE_2D;
  image_info.format = VK_FORMAT_R8G8B8A8_UNORM;
  image_info.extent = {8, 8, 1};
  image_info.mipLevels = 1;
  image_info.arrayLayers = 2;
  image_info.samples = VK_SAMPLE_COUNT_1_BIT;
  image_info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VkImage image;
  vk.CreateImage(vk.device, &image_info, nullptr, &image);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory;
  vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
  vk.BindImageMemory(vk.device, image, memory, 0);
  VkImageViewCreateInfo view_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = image;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  view_info.format = image_info.format;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2};
  VkImageView view;
  vulkan.Get<PFN_vkCreateImageView>("vkCreateImageView")(vk.device, &view_info, nullptr, &view);
  VkAttachmentDescription attachment = {};
  attachment.format = image_info.format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
  attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass_info.attachmentCount = pass_info.subpassCount = 1;
  pass_info.pAttachments = &attachment;
  pass_info.pSubpasses = &subpass;
  VkRenderPass pass;
  vulkan.Get<PFN_vkCreateRenderPass>("vkCreateRenderPass")(vk.device, &pass_info, nullptr, &pass);
  VkFramebufferCreateInfo frame_info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame_info.renderPass = pass;
  frame_info.attachmentCount = 1;
  frame_info.pAttachments = &view;
  frame_info.width = frame_info.height = 8;
  frame_info.layers = 2;
  VkFramebuffer frame;
  vulkan.Get<PFN_vkCreateFramebuffer>("vkCreateFramebuffer")(vk.device, &frame_info, nullptr,
                                                             &frame);
  const VkCommandBuffer commands = worker.buffer;
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(commands, &begin);
  VkImageMemoryBarrier general = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  general.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  general.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  general.srcQueueFamilyIndex = general.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  general.image = image;
  general.subresourceRange = view_info.subresourceRange;
  vk.CmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
      VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr,
      0, nullptr, 1, &general);
  const VkClearColorValue black = {};
  vulkan.Get<PFN_vkCmdClearColorImage>("vkCmdClearColorImage")(
      commands, image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
  VkRenderPassBeginInfo pass_begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  pass_begin.renderPass = pass;
  pass_begin.framebuffer = frame;
  pass_begin.renderArea.extent = {8, 8};
  vulkan.Get<PFN_vkCmdBeginRenderPass>("vkCmdBeginRenderPass")(commands, &pass_begin,
                                                               VK_SUBPASS_CONTENTS_INLINE);
  const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  const VkClearRect rectangle = {{{0, 0}, {8, 8}}, layer, 1};
  vulkan.Get<PFN_vkCmdClearAttachments>("vkCmdClearAttachments")(commands, 1, &clear, 1,
                                                                 &rectangle);
  vulkan.Get<PFN_vkCmdEndRenderPass>("vkCmdEndRenderPass")(commands);
  vk.EndCommandBuffer(commands);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, VK_NULL_HANDLE);
  vulkan.Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(vulkan.queues[0]);
  vulkan.Get<PFN_vkDestroyFramebuffer>("vkDestroyFramebuffer")(vk.device, frame, nullptr);
  vulkan.Get<PFN_vkDestroyRenderPass>("vkDestroyRenderPass")(vk.device, pass, nullptr);
  vulkan.Get<PFN_vkDestroyImageView>("vkDestroyImageView")(vk.device, view, nullptr);
  vk.DestroyImage(vk.device, image, nullptr);
  vk.FreeMemory(vk.device, memory, nullptr);
}

TEST_CASE("vkCmdClearAttachments accesses the layers of its rectangles") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  Worker worker(vk, vulkan.queues[0]);
  ClearLayer(vulkan, vk, worker, 1);
  CHECK(Findings() == std::vector<std::string>());
  ClearLayer(vulkan, vk, worker, 0);
  const std::vector<std::string> findings = Findings();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings[0].find("missing-barrier: ") == 0);
}

// Acquires the only image of a new swapchain, changes its layout to `layout` and presents it. With
// `bound`, another image is bound to the memory of the swapchain's image before.
void Present(const FakeVulkan& vulkan, const Commands& vk, const Worker& worker,
             VkImageLayout layout, bool bound) {
  const VkQueue queue = vulkan.queues[0];
  VkSwapchainCreateInfoKHR info = {VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.imageFormat = VK_FORMAT_R8G8B8A8_UNORM;
  info.imageExtent = {16, 16};
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  VkSwapchainKHR swapchain;
  vulkan.Get<PFN_vkCreateSwapchainKHR>("vkCreateSwapchainKHR")(vk.device, &info, nullptr,
                                                               &swapchain);
  uint32_t index = 1;
  VkImage image;
  vulkan.Get<PFN_vkGetSwapchainImagesKHR>("vkGetSwapchainImagesKHR")(vk.device, swapchain, &index,
                                                                     &image);
  VkImage other = VK_NULL_HANDLE;
  if (bound) {
    VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    image_info.imageType = VK_IMAGE_TYPE_2D;
    image_info.format = info.imageFormat;
    image_info.extent = {16, 16, 1};
    image_info.mipLevels = image_info.arrayLayers = 1;
    image_info.samples = VK_SAMPLE_COUNT_1_BIT;
    image_info.usage = info.imageUsage;
    vk.CreateImage(vk.device, &image_info, nullptr, &other);
    VkBindImageMemorySwapchainInfoKHR of = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR};
    of.swapchain = swapchain;
    VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &of};
    bind.image = other;
    vulkan.Get<PFN_vkBindImageMemory2>("vkBindImageMemory2")(vk.device, 1, &bind);
  }
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  vk.CreateFence(vk.device, &fence_info, nullptr, &fence);
  vulkan.Get<PFN_vkAcquireNextImageKHR>("vkAcquireNextImageKHR")(vk.device, swapchain, ~uint64_t{0},
                                                                 VK_NULL_HANDLE, fence, &index);
  vk.WaitForFences(vk.device, 1, &fence, VK_TRUE, ~uint64_t{0});
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker.buffer, &begin);
  VkImageMemoryBarrier change = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  change.newLayout = layout;
  change.srcQueueFamilyIndex = change.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  change.image = bound ? other : image;
  change.subresourceRange = kWhole;
  vk.CmdPipelineBarrier(worker.buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &change);
  vk.EndCommandBuffer(worker.buffer);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &worker.buffer;
  vk.QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
  const auto wait = vulkan.Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle");
  wait(queue);
  VkPresentInfoKHR present = {VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  present.swapchainCount = 1;
  present.pSwapchains = &swapchain;
  present.pImageIndices = &index;
  vulkan.Get<PFN_vkQueuePresentKHR>("vkQueuePresentKHR")(queue, &present);
  wait(queue);
  vk.DestroyFence(vk.device, fence, nullptr);
  if (bound) vk.DestroyImage(vk.device, other, nullptr);
  vulkan.Get<PFN_vkDestroySwapchainKHR>("vkDestroySwapchainKHR")(vk.device, swapchain, nullptr);
}

TEST_CASE("the usage of a swapchain is read from the chain of VK_KHR_extended_flags") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  later::VkImageUsageFlags2CreateInfoKHR usage = {later::kImageUsageFlags2CreateInfo, nullptr,
                                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  const auto clear = [&](const void* chain) {
    VkSwapchainCreateInfoKHR info = {VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, chain};
    info.imageFormat = VK_FORMAT_R8G8B8A8_UNORM;
    info.imageExtent = {16, 16};
    info.imageArrayLayers = 1;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    VkSwapchainKHR swapchain;
    vulkan.Get<PFN_vkCreateSwapchainKHR>("vkCreateSwapchainKHR")(vk.device, &info, nullptr,
                                                                 &swapchain);
    uint32_t count = 1;
    VkImage image;
    vulkan.Get<PFN_vkGetSwapchainImagesKHR>("vkGetSwapchainImagesKHR")(vk.device, swapchain, &count,
                                                                       &image);
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vk.BeginCommandBuffer(worker.buffer, &begin);
    const VkClearColorValue color = {};
    vulkan.Get<PFN_vkCmdClearColorImage>("vkCmdClearColorImage")(
        worker.buffer, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &kWhole);
    vk.EndCommandBuffer(worker.buffer);
    vulkan.Get<PFN_vkDestroySwapchainKHR>("vkDestroySwapchainKHR")(vk.device, swapchain, nullptr);
  };
  clear(&usage);
  CHECK(Findings() == std::vector<std::string>());
  clear(nullptr);
  const std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("usage-missing: ") == 0);
}

TEST_CASE("an image is presented in one of the layouts for that") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, false);
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR, false);
  CHECK(Findings() == std::vector<std::string>());
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_GENERAL, false);
  const std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("layout-mismatch: ") == 0);
  // An image that shares the memory changes the layout.
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, true);
  CHECK(Findings() == std::vector<std::string>());
}

// A render pass with one color attachment of the format, an image, a view and a framebuffer. With
// `reused`, the driver gives the object of that index the handle of `reused`, which is not
// destroyed.
struct Attached {
  enum Index { kPass, kView, kFrame, kCount };
  VkRenderPass pass = VK_NULL_HANDLE;
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkFramebuffer frame = VK_NULL_HANDLE;

  Attached(const FakeVulkan& vulkan, const Commands& vk, VkFormat format, uint32_t size,
           const Attached* reused = nullptr, Index index = kCount) {
    const auto reuse = [&](Index of, auto Attached::*handle) {
      if (index == of) test::ReuseHandle(HandleOf(reused->*handle));
    };
    VkAttachmentDescription attachment = {};
    attachment.format = format;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
    VkRenderPassCreateInfo pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    pass_info.attachmentCount = pass_info.subpassCount = 1;
    pass_info.pAttachments = &attachment;
    pass_info.pSubpasses = &subpass;
    reuse(kPass, &Attached::pass);
    vulkan.Get<PFN_vkCreateRenderPass>("vkCreateRenderPass")(vk.device, &pass_info, nullptr, &pass);
    VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    image_info.imageType = VK_IMAGE_TYPE_2D;
    image_info.format = format;
    image_info.extent = {size, size, 1};
    image_info.mipLevels = image_info.arrayLayers = 1;
    image_info.samples = VK_SAMPLE_COUNT_1_BIT;
    image_info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    vk.CreateImage(vk.device, &image_info, nullptr, &image);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
    vk.BindImageMemory(vk.device, image, memory, 0);
    VkImageViewCreateInfo view_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view_info.image = image;
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view_info.format = format;
    view_info.subresourceRange = kWhole;
    reuse(kView, &Attached::view);
    vulkan.Get<PFN_vkCreateImageView>("vkCreateImageView")(vk.device, &view_info, nullptr, &view);
    frame = Frame(vulkan, vk, pass, size, index == kFrame ? reused->frame : VK_NULL_HANDLE);
  }
  VkFramebuffer Frame(const FakeVulkan& vulkan, const Commands& vk, VkRenderPass of, uint32_t size,
                      VkFramebuffer reused = VK_NULL_HANDLE) const {
    VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    info.renderPass = of;
    info.attachmentCount = 1;
    info.pAttachments = &view;
    info.width = info.height = size;
    info.layers = 1;
    if (reused != VK_NULL_HANDLE) test::ReuseHandle(HandleOf(reused));
    VkFramebuffer made;
    vulkan.Get<PFN_vkCreateFramebuffer>("vkCreateFramebuffer")(vk.device, &info, nullptr, &made);
    return made;
  }
  void Begin(const FakeVulkan& vulkan, VkCommandBuffer commands, uint32_t size) const {
    VkRenderPassBeginInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = pass;
    info.framebuffer = frame;
    info.renderArea.extent = {size, size};
    const VkClearValue clear = {};
    info.clearValueCount = 1;
    info.pClearValues = &clear;
    vulkan.Get<PFN_vkCmdBeginRenderPass>("vkCmdBeginRenderPass")(commands, &info,
                                                                 VK_SUBPASS_CONTENTS_INLINE);
    vulkan.Get<PFN_vkCmdEndRenderPass>("vkCmdEndRenderPass")(commands);
  }
};

TEST_CASE("an object with the handle of a known one does not take over its description") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker.buffer, &begin);
  constexpr VkFormat kFirst = VK_FORMAT_R8G8B8A8_UNORM, kSecond = VK_FORMAT_R16_SFLOAT;
  for (int i = 0; i < Attached::kCount; ++i) {
    const Attached first(vulkan, vk, kFirst, 8);
    const Attached second(vulkan, vk, kSecond, 16, &first, static_cast<Attached::Index>(i));
    second.Begin(vulkan, worker.buffer, 16);
    CHECK(Findings() == std::vector<std::string>());
    // Nothing is known of an object that both may be.
    first.Begin(vulkan, worker.buffer, 8);
    CHECK(Findings() == std::vector<std::string>());
  }
  // A driver may share the handles of equal render passes and framebuffers.
  const Attached first(vulkan, vk, kFirst, 8);
  const Attached second(vulkan, vk, kFirst, 8, &first, Attached::kPass);
  first.Frame(vulkan, vk, first.pass, 8, first.frame);
  CHECK(second.pass == first.pass);
  CHECK(Findings() == std::vector<std::string>());
  first.Begin(vulkan, worker.buffer, 9);
  std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("image-region-out-of-bounds: ") == 0);
  const Attached other(vulkan, vk, kSecond, 8);
  other.Frame(vulkan, vk, first.pass, 8);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("binding-invalid: ") == 0);
  vk.EndCommandBuffer(worker.buffer);
  CHECK(layouts_unknown.exchange(false));
}

// The calls of VK_EXT_host_image_copy for one mip level of an image.
struct HostCopies {
  using Copy = VkResult(VKAPI_PTR*)(VkDevice, const void*);
  using Transition = VkResult(VKAPI_PTR*)(VkDevice, uint32_t, const void*);
  const FakeVulkan& vulkan;
  VkImage image;
  char bytes[8 * 8 * 4] = {};

  void Write(uint32_t mip, uint32_t width = 4) {
    later::VkMemoryToImageCopy region = {};
    region.pHostPointer = bytes;
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
    region.imageExtent = {width, 4, 1};
    later::VkCopyMemoryToImageInfo info = {};
    info.dstImage = image;
    info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    vulkan.Get<Copy>("vkCopyMemoryToImage")(vulkan.device, &info);
  }
  void Read(uint32_t mip) {
    later::VkImageToMemoryCopy region = {};
    region.pHostPointer = bytes;
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
    region.imageExtent = {4, 4, 1};
    later::VkCopyImageToMemoryInfo info = {};
    info.srcImage = image;
    info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    vulkan.Get<Copy>("vkCopyImageToMemoryEXT")(vulkan.device, &info);
  }
  void Change(uint32_t mip) {
    later::VkHostImageLayoutTransitionInfo info = {};
    info.image = image;
    info.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 1, 0, 1};
    vulkan.Get<Transition>("vkTransitionImageLayout")(vulkan.device, 1, &info);
  }
};

TEST_CASE("the host copies only texels that no pending work accesses") {
  TheProcess();
  Findings();  // leaks of earlier tests
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  constexpr VkImageUsageFlags kHostTransfer = 0x00400000;
  const auto make = [&](VkImageUsageFlags usage) {
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {8, 8, 1};
    info.mipLevels = 2;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = usage;
    VkImage image;
    vk.CreateImage(vk.device, &info, nullptr, &image);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
    vk.BindImageMemory(vk.device, image, memory, 0);
    return image;
  };
  HostCopies copies{vulkan, make(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | kHostTransfer)};
  HostCopies cleared{vulkan, make(VK_IMAGE_USAGE_TRANSFER_DST_BIT | kHostTransfer)};
  for (uint32_t mip = 0; mip < 2; ++mip) {
    cleared.Change(mip);
    cleared.Write(mip);
  }
  CHECK(Findings() == std::vector<std::string>());

  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker.buffer, &begin);
  const VkClearColorValue black = {};
  vulkan.Get<PFN_vkCmdClearColorImage>("vkCmdClearColorImage")(
      worker.buffer, cleared.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
  vk.EndCommandBuffer(worker.buffer);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &worker.buffer;
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, VK_NULL_HANDLE);
  // Another level, and another image.
  cleared.Change(1);
  cleared.Write(1);
  cleared.Read(1);
  copies.Write(0);
  CHECK(Findings() == std::vector<std::string>());
  const auto races = [&](const char* call) {
    const std::vector<std::string> findings = Findings();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].find(std::string("host-race: ") + call) == 0);
  };
  cleared.Write(0);
  races("vkCopyMemoryToImage writes");
  cleared.Read(0);
  races("vkCopyImageToMemoryEXT reads");
  cleared.Change(0);
  races("vkTransitionImageLayout changes");
  vulkan.Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(vulkan.queues[0]);
  cleared.Write(0);
  cleared.Read(0);
  cleared.Change(0);
  CHECK(Findings() == std::vector<std::string>());

  cleared.Write(1, 8);
  std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("image-region-out-of-bounds: ") == 0);
  HostCopies plain{vulkan, make(VK_IMAGE_USAGE_TRANSFER_DST_BIT)};
  plain.Write(0);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("usage-missing: ") == 0);
  vulkan.Get<HostCopies::Copy>("vkCopyMemoryToImage")(vulkan.device, nullptr);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("invalid-pointer: ") == 0);
}

}  // namespace
}  // namespace gpusan::vulkan
