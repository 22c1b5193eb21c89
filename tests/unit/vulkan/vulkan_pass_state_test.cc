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
  CHECK(clear({{{3, 3}, {1, 1}}, 1, 2}) == List{"vkCmdClearAttachments-pRects-06937"});
  VK(CmdEndRendering)(scene.commands);
  rendering.layerCount = 1;
  rendering.viewMask = 3;
  VK(CmdBeginRendering)(scene.commands, &rendering);
  CHECK(clear({{{2, 2}, {4, 4}}, 0, 1}) == List());
  CHECK(clear({{{2, 2}, {4, 4}}, 0, 2}) == List{"vkCmdClearAttachments-baseArrayLayer-00018"});
}

TEST_CASE("transform feedback ends in the subpass in which it begins") {
  const StateScene scene;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kImageSize, kImageSize};
  rendering.layerCount = 1;
  const auto begin = [&] {
    VK(CmdBeginTransformFeedbackEXT)(scene.commands, 0, 0, nullptr, nullptr);
    return Vuids();
  };
  const auto end = [&] {
    VK(CmdEndTransformFeedbackEXT)(scene.commands, 0, 0, nullptr, nullptr);
    return Vuids();
  };
  VK(CmdBeginRendering)(scene.commands, &rendering);
  CHECK(end() == List{"vkCmdEndTransformFeedbackEXT-None-02375"});
  CHECK(begin() == List());
  CHECK(begin() == List{"vkCmdBeginTransformFeedbackEXT-None-02367"});
  const VkBuffer buffer = scene.Buffer();
  const VkDeviceSize zero = 0;
  VK(CmdBindTransformFeedbackBuffersEXT)(scene.commands, 0, 1, &buffer, &zero, nullptr);
  CHECK(Vuids() == List{"vkCmdBindTransformFeedbackBuffersEXT-pBuffers-02360",
                        "vkCmdBindTransformFeedbackBuffersEXT-None-02365"});
  VK(CmdExecuteCommands)(scene.commands, 0, nullptr);
  CHECK(Vuids() == List{"vkCmdExecuteCommands-None-02286"});
  CHECK(end() == List());
  CHECK(begin() == List());
  VK(CmdEndRendering)(scene.commands);
  CHECK(Vuids() == List{"vkCmdEndRendering-None-06781"});
  scene.Begin(scene.commands);
  rendering.viewMask = 1;
  VK(CmdBeginRendering)(scene.commands, &rendering);
  CHECK(begin() == List{"vkCmdBeginTransformFeedbackEXT-None-02373"});
}

// A view of a new image.
VkImageView Attachment(const StateScene& scene, VkFormat format, VkImageAspectFlags aspects,
                       VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
  VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image_info.imageType = VK_IMAGE_TYPE_2D;
  image_info.format = format;
  image_info.extent = {kImageSize, kImageSize, 1};
  image_info.mipLevels = image_info.arrayLayers = 1;
  image_info.samples = samples;
  image_info.usage =
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  VK(CreateImage)(scene.device(), &image_info, nullptr, &info.image);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory;
  VK(AllocateMemory)(scene.device(), &allocate, nullptr, &memory);
  VK(BindImageMemory)(scene.device(), info.image, memory, 0);
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = format;
  info.subresourceRange = {aspects, 0, 1, 0, 1};
  VkImageView view;
  VK(CreateImageView)(scene.device(), &info, nullptr, &view);
  Vuids();
  return view;
}

VkRenderingAttachmentInfo AttachmentInfo(VkImageView view, VkImageLayout layout) {
  VkRenderingAttachmentInfo info = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = view;
  info.imageLayout = layout;
  return info;
}

// Begins and ends a rendering. nullptr: no such attachment.
List Render(const StateScene& scene, const VkRenderingAttachmentInfo* color,
            const VkRenderingAttachmentInfo* depth = nullptr,
            const VkRenderingAttachmentInfo* stencil = nullptr) {
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kImageSize, kImageSize};
  info.layerCount = 1;
  info.colorAttachmentCount = color != nullptr ? 1 : 0;
  info.pColorAttachments = color;
  info.pDepthAttachment = depth;
  info.pStencilAttachment = stencil;
  VK(CmdBeginRendering)(scene.commands, &info);
  VK(CmdEndRendering)(scene.commands);
  return Vuids();
}

constexpr VkFormat kDepthStencil = VK_FORMAT_D32_SFLOAT_S8_UINT;
constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

TEST_CASE("an attachment of a rendering is in a layout for its use") {
  const StateScene scene;
  const VkImageView color = Attachment(scene, kFormat, VK_IMAGE_ASPECT_COLOR_BIT);
  const VkImageView both = Attachment(scene, kDepthStencil, kBoth);
  const auto as_color = [&](VkImageLayout layout) {
    const VkRenderingAttachmentInfo info = AttachmentInfo(color, layout);
    return Render(scene, &info);
  };
  const auto as_depth = [&](VkImageLayout layout) {
    const VkRenderingAttachmentInfo info = AttachmentInfo(both, layout);
    return Render(scene, nullptr, &info);
  };
  const auto as_stencil = [&](VkImageLayout layout) {
    const VkRenderingAttachmentInfo info = AttachmentInfo(both, layout);
    return Render(scene, nullptr, nullptr, &info);
  };
  CHECK(as_color(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL) == List());
  CHECK(as_color(VK_IMAGE_LAYOUT_GENERAL) == List());
  CHECK(as_color(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL) ==
        List{"VkRenderingAttachmentInfo-imageView-06135"});
  CHECK(as_color(VK_IMAGE_LAYOUT_PRESENT_SRC_KHR) ==
        List{"VkRenderingAttachmentInfo-imageView-06145"});
  CHECK(as_color(VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL) ==
        List{"VkRenderingInfo-colorAttachmentCount-06090"});
  CHECK(as_color(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL) ==
        List{"VkRenderingInfo-colorAttachmentCount-06096"});
  CHECK(as_color(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL) ==
        List{"VkRenderingInfo-colorAttachmentCount-06100"});
  CHECK(as_depth(VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL) == List());
  CHECK(as_depth(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL) == List());
  CHECK(as_depth(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL) ==
        List{"VkRenderingInfo-pDepthAttachment-06092"});
  CHECK(as_depth(VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL) ==
        List{"VkRenderingInfo-pDepthAttachment-07732"});
  CHECK(as_stencil(VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL) == List());
  CHECK(as_stencil(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL) ==
        List{"VkRenderingInfo-pStencilAttachment-06094"});
  CHECK(as_stencil(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL) ==
        List{"VkRenderingInfo-pStencilAttachment-07734"});
}

TEST_CASE("the attachments of a rendering fit each other") {
  const StateScene scene;
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  const VkRenderingAttachmentInfo one =
      AttachmentInfo(Attachment(scene, kDepthStencil, kBoth), kGeneral);
  const VkRenderingAttachmentInfo two =
      AttachmentInfo(Attachment(scene, kDepthStencil, kBoth), kGeneral);
  CHECK(Render(scene, nullptr, &one, &one) == List());
  CHECK(Render(scene, nullptr, &one, &two) == List{"VkRenderingInfo-pDepthAttachment-06085"});
  const VkRenderingAttachmentInfo depth =
      AttachmentInfo(Attachment(scene, VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT), kGeneral);
  CHECK(Render(scene, nullptr, &depth) == List());
  CHECK(Render(scene, nullptr, nullptr, &depth) ==
        List{"VkRenderingInfo-pStencilAttachment-06548"});
  const VkRenderingAttachmentInfo four = AttachmentInfo(
      Attachment(scene, kFormat, VK_IMAGE_ASPECT_COLOR_BIT, VK_SAMPLE_COUNT_4_BIT), kGeneral);
  CHECK(Render(scene, &four) == List());
  CHECK(Render(scene, &four, &depth) ==
        List{"VkRenderingInfo-multisampledRenderToSingleSampled-06857"});
}

TEST_CASE("an attachment of a rendering is resolved into an image like it") {
  const StateScene scene;
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  const auto make = [&](VkFormat format, VkSampleCountFlagBits samples) {
    return Attachment(scene, format, VK_IMAGE_ASPECT_COLOR_BIT, samples);
  };
  const VkImageView four = make(kFormat, VK_SAMPLE_COUNT_4_BIT);
  const VkImageView single = make(kFormat, VK_SAMPLE_COUNT_1_BIT);
  const auto resolve = [&](VkImageView from, VkImageView to, VkResolveModeFlagBits mode,
                           VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL) {
    VkRenderingAttachmentInfo info = AttachmentInfo(from, kGeneral);
    info.resolveMode = mode;
    info.resolveImageView = to;
    info.resolveImageLayout = layout;
    return Render(scene, &info);
  };
  constexpr VkResolveModeFlagBits kAverage = VK_RESOLVE_MODE_AVERAGE_BIT;
  constexpr const char* kOne = "VkRenderingAttachmentInfo-imageView-06861";
  CHECK(resolve(four, single, kAverage) == List());
  CHECK(resolve(single, make(kFormat, VK_SAMPLE_COUNT_1_BIT), VK_RESOLVE_MODE_NONE) == List());
  CHECK(resolve(single, make(kFormat, VK_SAMPLE_COUNT_1_BIT), kAverage) == List{kOne});
  CHECK(resolve(four, VK_NULL_HANDLE, kAverage) ==
        List{"VkRenderingAttachmentInfo-imageView-06862"});
  CHECK(resolve(four, make(kFormat, VK_SAMPLE_COUNT_4_BIT), kAverage) ==
        List{"VkRenderingAttachmentInfo-imageView-06864"});
  CHECK(resolve(four, make(VK_FORMAT_R16_SFLOAT, VK_SAMPLE_COUNT_1_BIT), kAverage) ==
        List{"VkRenderingAttachmentInfo-imageView-06865"});
  CHECK(resolve(four, single, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT) ==
        List{"VkRenderingAttachmentInfo-imageView-06129"});
  CHECK(resolve(four, single, kAverage, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL) ==
        List{"VkRenderingAttachmentInfo-imageView-06136"});
}

}  // namespace
}  // namespace gpusan::test
