// Hazards of draws, attachments and video coding, which the CPU driver lacks, in front of a driver
// in the same process: each case with the synchronization that it needs, and without.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/vulkan/call/later_vulkan.h"
#include "swap.frag.h"
#include "tests/unit/vulkan/vulkan_scene.h"
#include "tests/unit/vulkan/vulkan_whole_pipeline.h"

namespace gpusan::vulkan {
namespace {

using test::kAll;
using test::kClear;
using test::kNone;
using test::kWritten;
using test::RequireHazard;
using test::RequireRead;
using test::Scene;
using test::Texts;

// A graphics pipeline whose shader accesses nothing, bound inside dynamic rendering.
void BeginDrawing(Scene& scene) {
  const test::WholePipeline whole(scene.device(), VK(CreateShaderModule), false);
  VkPipeline pipeline;
  VK(CreateGraphicsPipelines)(scene.device(), VK_NULL_HANDLE, 1, &whole.info, nullptr, &pipeline);
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {8, 8};
  rendering.layerCount = 1;
  VK(CmdBeginRendering)(scene.commands, &rendering);
  VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

TEST_CASE("draws read indices, parameters and counts") {
  Scene scene;
  const VkBuffer read = scene.Buffer(), other = scene.Buffer();
  VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  VkAccessFlags2 access = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
  const int kind = GENERATE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  const char* draws = "vkCmdDrawMeshTasksIndirectEXT";
  if (kind == 1 || kind == 2) draws = "vkCmdDrawMeshTasksIndirectCountEXT";
  if (kind == 3) {
    draws = "vkCmdDrawIndirectByteCountEXT";
    access = VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT;
  }
  if (kind == 4) {
    draws = "vkCmdDrawMultiIndexedEXT";
    stage = VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT;
    access = VK_ACCESS_2_INDEX_READ_BIT;
  }
  if (kind == 5) draws = "vkCmdDrawIndirectCount";
  if (kind == 6) draws = "vkCmdDrawIndirect2KHR";
  if (kind == 7 || kind == 8) draws = "vkCmdDrawIndirectCount2KHR";
  if (kind == 9) draws = "vkCmdDrawMeshTasksIndirect2EXT";
  if (kind >= 10) draws = "vkCmdDrawMeshTasksIndirectCount2EXT";
  auto draw = [&] {
    BeginDrawing(scene);
    const VkCommandBuffer commands = scene.commands;
    const VkMultiDrawIndexedInfoEXT one = {0, 3, 0};
    if (kind == 0) VK(CmdDrawMeshTasksIndirectEXT)(commands, read, 0, 1, 12);
    if (kind == 1) VK(CmdDrawMeshTasksIndirectCountEXT)(commands, other, 0, read, 0, 1, 12);
    if (kind == 2) VK(CmdDrawMeshTasksIndirectCountEXT)(commands, read, 0, other, 0, 1, 12);
    if (kind == 3) VK(CmdDrawIndirectByteCountEXT)(commands, 1, 0, read, 0, 0, 4);
    if (kind == 4) {
      VK(CmdBindIndexBuffer)(commands, read, 0, VK_INDEX_TYPE_UINT16);
      VK(CmdDrawMultiIndexedEXT)(commands, 1, &one, 1, 0, sizeof(one), nullptr);
    }
    if (kind == 5) VK(CmdDrawIndirectCount)(commands, read, 0, other, 0, 2, 16);
    // The commands that take an address and a structure.
    using WithInfo = void(VKAPI_PTR*)(VkCommandBuffer, const void*);
    if (kind == 6 || kind == 9) {
      later::VkDrawIndirect2InfoKHR info = {};
      info.addressRange = {scene.Address(read), 256, 16};
      info.drawCount = 2;
      scene.Get<WithInfo>(draws)(commands, &info);
    }
    if (kind == 7 || kind == 8 || kind >= 10) {
      const bool counts = kind == 8 || kind == 11;
      later::VkDrawIndirectCount2InfoKHR info = {};
      info.addressRange = {scene.Address(counts ? other : read), 256, 16};
      info.countAddressRange = {scene.Address(counts ? read : other), 4};
      info.maxDrawCount = 2;
      scene.Get<WithInfo>(draws)(commands, &info);
    }
    VK(CmdEndRendering)(commands);
  };
  scene.Fill(read, 256);
  scene.Fill(other, 256);
  scene.Barrier(kClear, kWritten, stage | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                access | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
  RequireRead(scene, read, 256, stage, draws, draw);
}

TEST_CASE("markers are ordered with each other only") {
  Scene scene;
  const VkBuffer buffer = scene.Buffer();
  auto mark = [&] {
    VK(CmdWriteBufferMarkerAMD)(scene.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, buffer, 0, 1);
  };
  mark();
  mark();
  scene.Barrier(VK_PIPELINE_STAGE_2_COPY_BIT, kWritten, kClear, kWritten);
  scene.Fill(buffer);
  CHECK(scene.Submit() == kNone);
  scene.Fill(buffer);
  mark();
  RequireHazard(scene.Submit(), "vkCmdWriteBufferMarkerAMD", "vkCmdFillBuffer");
}

// A view of an image with two layers. `made`: set to the image; may be nullptr.
VkImageView MakeView(Scene& scene, VkImage* made = nullptr) {
  VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {8, 8, 1};
  info.mipLevels = 1;
  info.arrayLayers = 2;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
               VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  VkImage image;
  VK(CreateImage)(scene.device(), &info, nullptr, &image);
  VK(BindImageMemory)(scene.device(), image, scene.Memory(), 0);
  if (made != nullptr) *made = image;
  VkImageViewCreateInfo view_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = image;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  view_info.format = info.format;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2};
  VkImageView view;
  VK(CreateImageView)(scene.device(), &view_info, nullptr, &view);
  return view;
}

TEST_CASE("a decoder reads a bitstream and references, and writes pictures") {
  Scene scene;
  const VkBuffer bits = scene.Buffer();
  VkVideoPictureResourceInfoKHR output = {VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR};
  output.imageViewBinding = MakeView(scene);
  VkVideoPictureResourceInfoKHR kept = output;
  kept.imageViewBinding = MakeView(scene);
  VkVideoReferenceSlotInfoKHR slot = {VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR};
  slot.pPictureResource = &kept;
  VkVideoDecodeInfoKHR info = {VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR};
  info.srcBuffer = bits;
  info.srcBufferRange = 256;
  info.dstPictureResource = output;
  auto decode = [&] { VK(CmdDecodeVideoKHR)(scene.commands, &info); };
  constexpr VkPipelineStageFlags2 kDecode = VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR;
  constexpr VkAccessFlags2 kBoth =
      VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR;
  SECTION("ordered") {
    info.pSetupReferenceSlot = &slot;
    scene.Fill(bits, 256);
    scene.Barrier(kClear, kWritten, kDecode, kBoth);
    decode();
    scene.Barrier(kDecode, kBoth, kDecode, kBoth);
    info.pSetupReferenceSlot = nullptr;
    info.referenceSlotCount = 1;
    info.pReferenceSlots = &slot;
    decode();
    CHECK(scene.Submit() == kNone);
  }
  SECTION("the bitstream") {
    scene.Fill(bits, 256);
    decode();
    RequireHazard(scene.Submit(), "vkCmdDecodeVideoKHR", "vkCmdFillBuffer");
  }
  SECTION("the output") {
    decode();
    decode();
    RequireHazard(scene.Submit(), "vkCmdDecodeVideoKHR", "vkCmdDecodeVideoKHR");
  }
  SECTION("other layers of the output") {
    decode();
    info.dstPictureResource.baseArrayLayer = 1;
    decode();
    CHECK(scene.Submit() == kNone);
  }
  SECTION("a reference") {
    info.pSetupReferenceSlot = &slot;
    decode();
    info.pSetupReferenceSlot = nullptr;
    info.referenceSlotCount = 1;
    info.pReferenceSlots = &slot;
    info.dstPictureResource.baseArrayLayer = 1;
    decode();
    RequireHazard(scene.Submit(), "vkCmdDecodeVideoKHR", "vkCmdDecodeVideoKHR");
  }
}

TEST_CASE("an encoder reads a picture and writes a bitstream") {
  // VkVideoEncodeInfoKHR as in Vulkan 1.3.274 and later.
  struct {
    VkStructureType sType = static_cast<VkStructureType>(1000299000);
    const void* pNext = nullptr;
    VkFlags flags = 0;
    VkBuffer dstBuffer = VK_NULL_HANDLE;
    VkDeviceSize dstBufferOffset = 0, dstBufferRange = 256;
    VkVideoPictureResourceInfoKHR srcPictureResource = {
        VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR};
    const VkVideoReferenceSlotInfoKHR* pSetupReferenceSlot = nullptr;
    uint32_t referenceSlotCount = 0;
    const VkVideoReferenceSlotInfoKHR* pReferenceSlots = nullptr;
    uint32_t precedingExternallyEncodedBytes = 0;
  } info;
  Scene scene;
  info.dstBuffer = scene.Buffer();
  info.srcPictureResource.imageViewBinding = MakeView(scene);
  const auto encode =
      scene.Get<void(VKAPI_PTR*)(VkCommandBuffer, const void*)>("vkCmdEncodeVideoKHR");
  encode(scene.commands, &info);
  scene.Barrier(kAll, VK_ACCESS_2_MEMORY_WRITE_BIT, kAll,
                VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
  encode(scene.commands, &info);
  CHECK(scene.Submit() == kNone);
  encode(scene.commands, &info);
  encode(scene.commands, &info);
  RequireHazard(scene.Submit(), "vkCmdEncodeVideoKHR", "vkCmdEncodeVideoKHR");
}

// Dynamic rendering to both layers of a new image, which is in the layout GENERAL.
struct ColorRendering {
  ColorRendering(Scene& scene, VkAttachmentLoadOp load, VkAttachmentStoreOp store) {
    attachment.imageView = MakeView(scene, &image);
    attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachment.loadOp = load;
    attachment.storeOp = store;
    info.renderArea.extent = {8, 8};
    info.layerCount = 2;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &attachment;
    VkImageMemoryBarrier2 general = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    general.dstStageMask = kAll;
    general.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    general.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    general.image = image;
    general.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2};
    VkDependencyInfo dependency = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.imageMemoryBarrierCount = 1;
    dependency.pImageMemoryBarriers = &general;
    VK(CmdPipelineBarrier2)(scene.commands, &dependency);
  }
  ColorRendering(const ColorRendering&) = delete;
  ColorRendering& operator=(const ColorRendering&) = delete;

  VkImage image = VK_NULL_HANDLE;
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
};

TEST_CASE("a clear in dynamic rendering writes all of its layers that are not stored") {
  Scene scene;
  ColorRendering color(scene, VK_ATTACHMENT_LOAD_OP_NONE_EXT, VK_ATTACHMENT_STORE_OP_NONE);
  const VkBuffer source = scene.Buffer();
  auto copy = [&] {
    VkBufferImageCopy left = {};
    left.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    left.imageExtent = {4, 8, 1};
    VK(CmdCopyBufferToImage)
    (scene.commands, source, color.image, VK_IMAGE_LAYOUT_GENERAL, 1, &left);
  };
  auto clear = [&](uint32_t layer) {
    VK(CmdBeginRendering)(scene.commands, &color.info);
    const VkClearAttachment cleared = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    const VkClearRect right = {{{4, 0}, {4, 8}}, layer, 1};
    VK(CmdClearAttachments)(scene.commands, 1, &cleared, 1, &right);
    VK(CmdClearAttachments)(scene.commands, 1, &cleared, 1, &right);
    VK(CmdEndRendering)(scene.commands);
  };
  SECTION("ordered") {
    copy();
    scene.Barrier(VK_PIPELINE_STAGE_2_COPY_BIT, kWritten,
                  VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                  VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
    clear(0);
    CHECK(scene.Submit() == kNone);
  }
  SECTION("another layer") {
    copy();
    clear(1);
    CHECK(scene.Submit() == kNone);
  }
  SECTION("not ordered") {
    copy();
    clear(0);
    RequireHazard(scene.Submit(), "vkCmdClearAttachments", "vkCmdCopyBufferToImage");
  }
  SECTION("load and store in order") {
    color.attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    clear(0);
    CHECK(scene.Submit() == kNone);
  }
}

// A pipeline for dynamic rendering with one color attachment, which its shader reads as an input
// attachment.
struct ReadingPipeline {
  // `ordered`: it reads in rasterization order.
  ReadingPipeline(Scene& scene, VkImageView view, bool ordered) {
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.bindingCount = 1;
    set_info.pBindings = &binding;
    VkDescriptorSetLayout set_layout;
    VK(CreateDescriptorSetLayout)(scene.device(), &set_info, nullptr, &set_layout);
    const VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    VkDescriptorPool pool;
    VK(CreateDescriptorPool)(scene.device(), &pool_info, nullptr, &pool);
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &set_layout;
    VK(AllocateDescriptorSets)(scene.device(), &allocate, &set);
    const VkDescriptorImageInfo input = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set;
    write.descriptorCount = 1;
    write.descriptorType = binding.descriptorType;
    write.pImageInfo = &input;
    VK(UpdateDescriptorSets)(scene.device(), 1, &write, 0, nullptr);
    VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = &set_layout;
    VK(CreatePipelineLayout)(scene.device(), &layout_info, nullptr, &layout);
    VkShaderModuleCreateInfo shader_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    shader_info.codeSize = sizeof(swap_frag);
    shader_info.pCode = swap_frag;
    test::WholePipeline whole(scene.device(), VK(CreateShaderModule), true);
    VkPipelineShaderStageCreateInfo& stage = whole.stages[1];
    stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stage.pName = "main";
    VK(CreateShaderModule)(scene.device(), &shader_info, nullptr, &stage.module);
    VkPipelineColorBlendAttachmentState written = {};
    written.colorWriteMask = VK_COLOR_COMPONENT_R_BIT;
    VkPipelineColorBlendStateCreateInfo blend = {
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    if (ordered) {
      blend.flags =
          VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
    }
    blend.attachmentCount = 1;
    blend.pAttachments = &written;
    VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = 1;
    VkGraphicsPipelineCreateInfo& info = whole.info;
    info.pNext = &rendering;
    info.stageCount = 2;
    info.pColorBlendState = &blend;
    info.layout = layout;
    VK(CreateGraphicsPipelines)(scene.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  }

  VkDescriptorSet set = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

TEST_CASE("a draw of dynamic rendering reads what another draw wrote") {
  Scene scene;
  const ColorRendering color(scene, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
  const bool rasterization_order = GENERATE(true, false);
  const ReadingPipeline reads(scene, color.attachment.imageView, rasterization_order);
  auto draw = [&] {
    VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, reads.pipeline);
    VK(CmdBindDescriptorSets)
    (scene.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, reads.layout, 0, 1, &reads.set, 0, nullptr);
    VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  };
  VK(CmdBeginRendering)(scene.commands, &color.info);
  draw();
  SECTION("with a barrier between both draws") {
    scene.Barrier(
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
    draw();
    VK(CmdEndRendering)(scene.commands);
    CHECK(scene.Submit() == kNone);
  }
  SECTION("without a barrier") {
    draw();
    VK(CmdEndRendering)(scene.commands);
    const Texts findings = scene.Submit();
    CHECK(findings.empty() == rasterization_order);
    if (!findings.empty()) CHECK(findings[0].find("missing-barrier: vkCmdDraw reads") == 0);
  }
}

}  // namespace
}  // namespace gpusan::vulkan
