// Framebuffers, render areas and clears that do not fit their render pass.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

// An image with levels and layers, and views of it.
struct Picture {
  const StateScene& scene;
  VkImage image = VK_NULL_HANDLE;

  Picture(const StateScene& in, uint32_t mips, uint32_t layers) : scene(in) {
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = kFormat;
    info.extent = {kImageSize, kImageSize, 1};
    info.mipLevels = mips;
    info.arrayLayers = layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    VK(CreateImage)(scene.device(), &info, nullptr, &image);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    VK(AllocateMemory)(scene.device(), &allocate, nullptr, &memory);
    VK(BindImageMemory)(scene.device(), image, memory, 0);
  }
  VkImageView View(uint32_t mips, uint32_t layers) const {
    VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    info.format = kFormat;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, mips, 0, layers};
    VkImageView view;
    VK(CreateImageView)(scene.device(), &info, nullptr, &view);
    return view;
  }
};

// A render pass with one color attachment.
VkRenderPass Pass(const StateScene& scene, uint32_t view_mask = 0) {
  VkAttachmentDescription attachment = {};
  attachment.format = kFormat;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassMultiviewCreateInfo views = {VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  views.subpassCount = 1;
  views.pViewMasks = &view_mask;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  if (view_mask != 0) info.pNext = &views;
  info.attachmentCount = info.subpassCount = 1;
  info.pAttachments = &attachment;
  info.pSubpasses = &subpass;
  VkRenderPass pass;
  VK(CreateRenderPass)(scene.device(), &info, nullptr, &pass);
  return pass;
}

VkFramebuffer Frame(const StateScene& scene, VkRenderPass pass, VkImageView view,
                    uint32_t layers = 1) {
  VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = pass;
  info.attachmentCount = 1;
  info.pAttachments = &view;
  info.width = info.height = kImageSize;
  info.layers = layers;
  if (view == VK_NULL_HANDLE) {
    info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    info.pAttachments = nullptr;
  }
  VkFramebuffer frame;
  VK(CreateFramebuffer)(scene.device(), &info, nullptr, &frame);
  return frame;
}

// Begins and ends the render pass. `given`: for an imageless framebuffer.
List Begin(const StateScene& scene, VkRenderPass pass, VkFramebuffer frame, VkExtent2D area,
           const std::vector<VkImageView>& given = {}) {
  VkRenderPassAttachmentBeginInfo views = {VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO};
  views.attachmentCount = static_cast<uint32_t>(given.size());
  views.pAttachments = given.data();
  VkRenderPassBeginInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  if (!given.empty()) info.pNext = &views;
  info.renderPass = pass;
  info.framebuffer = frame;
  info.renderArea.extent = area;
  VK(CmdBeginRenderPass)(scene.commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  VK(CmdEndRenderPass)(scene.commands);
  return Vuids();
}

TEST_CASE("a framebuffer has views of one level, with a layer for each view of the render pass") {
  const StateScene scene;
  const Picture picture(scene, 2, 2);
  const VkRenderPass plain = Pass(scene), multiview = Pass(scene, 3);
  const VkImageView one = picture.View(1, 1), two = picture.View(1, 2), mips = picture.View(2, 1);
  CHECK(Vuids() == List());
  Frame(scene, plain, one);
  Frame(scene, multiview, two);
  CHECK(Vuids() == List());
  Frame(scene, plain, mips);
  CHECK(Vuids() == List{"VkFramebufferCreateInfo-pAttachments-00883"});
  Frame(scene, multiview, one);
  CHECK(Vuids() == List{"VkFramebufferCreateInfo-renderPass-04536"});
  Frame(scene, multiview, two, 2);
  CHECK(Vuids() == List{"VkFramebufferCreateInfo-renderPass-02531"});
}

TEST_CASE("a render pass begins with an area, and with the views of an imageless framebuffer") {
  const StateScene scene;
  const Picture picture(scene, 2, 1);
  const VkRenderPass pass = Pass(scene);
  const VkImageView view = picture.View(1, 1), mips = picture.View(2, 1);
  const VkFramebuffer frame = Frame(scene, pass, view);
  const VkFramebuffer imageless = Frame(scene, pass, VK_NULL_HANDLE);
  constexpr VkExtent2D kAll = {kImageSize, kImageSize};
  CHECK(Begin(scene, pass, frame, kAll) == List());
  CHECK(Begin(scene, pass, imageless, kAll, {view}) == List());
  CHECK(Begin(scene, pass, frame, {0, 1}) == List{"VkRenderPassBeginInfo-None-08996"});
  CHECK(Begin(scene, pass, frame, {1, 0}) == List{"VkRenderPassBeginInfo-None-08997"});
  CHECK(Begin(scene, pass, frame, kAll, {view}) == List{"VkRenderPassBeginInfo-framebuffer-03207"});
  CHECK(Begin(scene, pass, imageless, kAll) == List{"VkRenderPassBeginInfo-framebuffer-03208"});
  CHECK(Begin(scene, pass, imageless, kAll, {mips}) ==
        List{"VkRenderPassAttachmentBeginInfo-pAttachments-03218"});
}

TEST_CASE("a clear stays inside of the render area") {
  const StateScene scene;
  const Picture picture(scene, 1, 2);
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = picture.View(1, 2);
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea = {{2, 2}, {4, 4}};
  rendering.layerCount = 2;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
  VK(CmdBeginRendering)(scene.commands, &rendering);
  const auto clear = [&](const VkClearRect& rect, uint32_t color = 0) {
    const VkClearAttachment of = {VK_IMAGE_ASPECT_COLOR_BIT, color, {}};
    VK(CmdClearAttachments)(scene.commands, 1, &of, 1, &rect);
    return Vuids();
  };
  CHECK(clear({{{2, 2}, {4, 4}}, 0, 2}) == List());
  CHECK(clear({{{3, 3}, {1, 1}}, 1, 1}) == List());
  CHECK(clear({{{3, 3}, {1, 1}}, 0, 1}, VK_ATTACHMENT_UNUSED) == List());
  CHECK(clear({{{1, 2}, {4, 4}}, 0, 1}) == List{"vkCmdClearAttachments-pRects-00016"});
  CHECK(clear({{{2, 2}, {4, 5}}, 0, 1}) == List{"vkCmdClearAttachments-pRects-00016"});
  CHECK(clear({{{3, 3}, {1, 1}}, 0, 1}, 1) == List{"vkCmdClearAttachments-aspectMask-07271"});
  VK(CmdEndRendering)(scene.commands);
  rendering.layerCount = 1;
  rendering.viewMask = 3;
  VK(CmdBeginRendering)(scene.commands, &rendering);
  CHECK(clear({{{2, 2}, {4, 4}}, 0, 1}) == List());
  CHECK(clear({{{2, 2}, {4, 4}}, 0, 2}) == List{"vkCmdClearAttachments-baseArrayLayer-00018"});
}

}  // namespace
}  // namespace gpusan::test
