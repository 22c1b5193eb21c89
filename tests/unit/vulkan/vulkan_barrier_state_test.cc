// Barriers that the image, the queue family, the device or the render pass does not allow, each
// beside one that differs in the defect only.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
constexpr uint32_t kIgnored = VK_QUEUE_FAMILY_IGNORED;

VkImageMemoryBarrier ImageBarrier(VkImage image, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = kIgnored;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  return barrier;
}
VkBufferMemoryBarrier BufferBarrier(VkBuffer buffer) {
  VkBufferMemoryBarrier barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = kIgnored;
  barrier.buffer = buffer;
  barrier.size = VK_WHOLE_SIZE;
  return barrier;
}
List Record(const StateScene& scene, const VkImageMemoryBarrier& barrier) {
  VK(CmdPipelineBarrier)(scene.commands, kAll, kAll, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  return Vuids();
}
List Record(const StateScene& scene, const VkBufferMemoryBarrier& barrier) {
  VK(CmdPipelineBarrier)(scene.commands, kAll, kAll, 0, 0, nullptr, 1, &barrier, 0, nullptr);
  return Vuids();
}
// The same by synchronization2.
List Record2(const StateScene& scene, const VkImageMemoryBarrier& given) {
  VkImageMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = kAll;
  barrier.oldLayout = given.oldLayout;
  barrier.newLayout = given.newLayout;
  barrier.srcQueueFamilyIndex = given.srcQueueFamilyIndex;
  barrier.dstQueueFamilyIndex = given.dstQueueFamilyIndex;
  barrier.image = given.image;
  barrier.subresourceRange = given.subresourceRange;
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  VK(CmdPipelineBarrier2)(scene.commands, &info);
  return Vuids();
}
List RecordMemory(const StateScene& scene, VkPipelineStageFlags2 from, VkAccessFlags2 access,
                  VkPipelineStageFlags2 to) {
  VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = from;
  barrier.srcAccessMask = access;
  barrier.dstStageMask = to;
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &barrier;
  VK(CmdPipelineBarrier2)(scene.commands, &info);
  return Vuids();
}

// Disables synchronization2, which the device of the scene otherwise has.
VkPhysicalDeviceSynchronization2Features WithoutSynchronization2() {
  return {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, nullptr, VK_FALSE};
}

TEST_CASE("a barrier changes to a layout that the image can have") {
  const StateScene scene;
  const VkImage image = scene.Image(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED;
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  CHECK(Record(scene, ImageBarrier(image, kUndefined, kGeneral)) == List());
  CHECK(Record(scene, ImageBarrier(image, kUndefined, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR)) == List());
  CHECK(Record(scene, ImageBarrier(image, kUndefined, kUndefined)) == List());
  CHECK(Record(scene, ImageBarrier(image, VK_IMAGE_LAYOUT_PREINITIALIZED, kGeneral)) == List());
  CHECK(Record(scene, ImageBarrier(image, kGeneral, kUndefined)) ==
        List{"VkImageMemoryBarrier-newLayout-01198"});
  CHECK(Record2(scene, ImageBarrier(image, kGeneral, VK_IMAGE_LAYOUT_PREINITIALIZED)) ==
        List{"VkImageMemoryBarrier2-newLayout-01198"});
  struct {
    VkImageLayout layout;
    VkImageUsageFlags usage;
    const char* vuid;
  } constexpr kRows[] = {
      {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
       "oldLayout-01208"},
      {VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT,
       "oldLayout-01210"},
      {VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "oldLayout-01658"},
      {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "oldLayout-01659"},
      {static_cast<VkImageLayout>(1000024001), 0x800, "srcQueueFamilyIndex-07120"},
      {static_cast<VkImageLayout>(1000024000), 0x400, "srcQueueFamilyIndex-07121"},
      {static_cast<VkImageLayout>(1000024002), 0x1000, "srcQueueFamilyIndex-07122"},
      {static_cast<VkImageLayout>(1000299001), 0x4000, "srcQueueFamilyIndex-07123"},
      {static_cast<VkImageLayout>(1000299000), 0x2000, "srcQueueFamilyIndex-07124"},
      {static_cast<VkImageLayout>(1000299002), 0x8000, "srcQueueFamilyIndex-07125"},
      {static_cast<VkImageLayout>(1000339000), 0x80000, "srcQueueFamilyIndex-07006"},
      {static_cast<VkImageLayout>(1000553000), 0x2000000, "srcQueueFamilyIndex-10287"}};
  for (const auto& row : kRows) {
    CAPTURE(row.vuid);
    CHECK(Record(scene, ImageBarrier(scene.Image(row.usage), kUndefined, row.layout)) == List());
    CHECK(Record(scene, ImageBarrier(image, kUndefined, row.layout)) ==
          List{std::string("VkImageMemoryBarrier-") + row.vuid});
    CHECK(Record2(scene, ImageBarrier(image, row.layout, kGeneral)) ==
          List{std::string("VkImageMemoryBarrier2-") + row.vuid});
  }
}

TEST_CASE("a barrier names layouts that the device has") {
  VkPhysicalDeviceSynchronization2Features without = WithoutSynchronization2();
  const StateScene scene(0, &without);
  constexpr auto kZero = static_cast<VkImageLayout>(1000620000);
  const VkImage image = scene.Image(VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  CHECK(Record(scene, ImageBarrier(image, kGeneral, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL)) ==
        List{"VkImageMemoryBarrier-synchronization2-07794"});
  CHECK(Record(scene, ImageBarrier(image, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, kGeneral)) ==
        List{"VkImageMemoryBarrier-synchronization2-07793"});
  CHECK(Record(scene, ImageBarrier(image, kZero, kGeneral)) ==
        List{"VkImageMemoryBarrier-oldLayout-10767"});
  CHECK(RecordMemory(scene, VK_PIPELINE_STAGE_2_COPY_BIT, 0, VK_PIPELINE_STAGE_2_COPY_BIT) ==
        List{"vkCmdPipelineBarrier2-synchronization2-03848"});
  // VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT, which the headers may lack.
  struct {
    VkStructureType type = static_cast<VkStructureType>(1000620000);
    void* next = nullptr;
    VkBool32 enabled = VK_TRUE;
  } zero;
  const StateScene newer(0, &zero);
  VkImageMemoryBarrier barrier = ImageBarrier(
      newer.Image(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_D32_SFLOAT_S8_UINT), kZero,
      kGeneral);
  barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  CHECK(Record(newer, barrier) == List());
  barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
  CHECK(Record2(newer, barrier) == List());
  barrier.subresourceRange.baseArrayLayer = 1;
  barrier.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
  CHECK(Record2(newer, barrier) == List{"VkImageMemoryBarrier2-subresourceRange-01488",
                                        "VkImageMemoryBarrier2-oldLayout-10768"});
}

TEST_CASE("a layout of depth or of stencil alone is for its aspect") {
  VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures separate = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES, nullptr, VK_TRUE};
  const StateScene scene(0, &separate);
  const VkImage image =
      scene.Image(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_D32_SFLOAT_S8_UINT);
  const auto record = [&](VkImageLayout from, VkImageLayout to, VkImageAspectFlags aspects) {
    VkImageMemoryBarrier barrier = ImageBarrier(image, from, to);
    barrier.subresourceRange.aspectMask = aspects;
    return Record(scene, barrier);
  };
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  constexpr VkImageLayout kDepth = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  constexpr VkImageLayout kStencil = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  constexpr VkImageAspectFlags kOfDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
  constexpr VkImageAspectFlags kOfStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  CHECK(record(kGeneral, kDepth, kOfDepth) == List());
  CHECK(record(kStencil, kGeneral, kOfStencil) == List());
  CHECK(record(kGeneral, kDepth, kOfDepth | kOfStencil) ==
        List{"VkImageMemoryBarrier-aspectMask-08703"});
  CHECK(record(kStencil, kGeneral, kOfDepth) == List{"VkImageMemoryBarrier-aspectMask-08702"});
  CHECK(record(kGeneral, kDepth, VK_IMAGE_ASPECT_COLOR_BIT) ==
        List{"VkImageMemoryBarrier-image-03319"});
}

TEST_CASE("a barrier inside of dynamic rendering orders its attachments") {
  const StateScene scene;
  const VkImage image =
      scene.Image(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
  constexpr auto kLocalRead = static_cast<VkImageLayout>(1000232000);
  constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  VkImageViewCreateInfo view_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = image;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view_info.format = VK_FORMAT_R8G8B8A8_UNORM;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  VK(CreateImageView)(scene.device(), &view_info, nullptr, &attachment.imageView);
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kImageSize, kImageSize};
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
  const auto record = [&](VkImageLayout layout, const VkImageMemoryBarrier& barrier,
                          VkPipelineStageFlags from =
                              VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT) {
    attachment.imageLayout = layout;
    VK(CmdBeginRendering)(scene.commands, &rendering);
    VK(CmdPipelineBarrier)
    (scene.commands, from, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT, 0,
     nullptr, 0, nullptr, 1, &barrier);
    VK(CmdEndRendering)(scene.commands);
    return Vuids();
  };
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  CHECK(record(kLocalRead, ImageBarrier(image, kLocalRead, kLocalRead)) == List());
  CHECK(record(kGeneral, ImageBarrier(image, kGeneral, kGeneral)) == List());
  CHECK(record(kColor, ImageBarrier(image, kColor, kColor)) ==
        List{"vkCmdPipelineBarrier-image-09555"});
  CHECK(record(kGeneral, ImageBarrier(image, kLocalRead, kLocalRead)) ==
        List{"vkCmdPipelineBarrier-oldLayout-10759"});
  CHECK(record(kGeneral, ImageBarrier(image, kGeneral, kLocalRead)) ==
        List{"vkCmdPipelineBarrier-oldLayout-01181"});
  CHECK(record(kGeneral, ImageBarrier(image, kGeneral, kGeneral),
               VK_PIPELINE_STAGE_VERTEX_SHADER_BIT) ==
        List{"vkCmdPipelineBarrier-srcStageMask-09556"});
  CHECK(record(kGeneral, ImageBarrier(image, kGeneral, kGeneral),
               VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT) == List());
}

TEST_CASE("a barrier names parts that the resource has") {
  const StateScene scene;
  const VkImage image = scene.Image(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const auto with = [&](VkImageSubresourceRange range) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.subresourceRange = range;
    return Record(scene, barrier);
  };
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
  CHECK(with({kColor, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}) == List());
  CHECK(with({kColor, 0, 0, 0, 1}) == List{"VkImageSubresourceRange-levelCount-01720"});
  CHECK(with({kColor, 0, 1, 0, 0}) == List{"VkImageSubresourceRange-layerCount-01721"});
  CHECK(with({kColor, 1, 1, 0, 1}) == List{"VkImageMemoryBarrier-subresourceRange-01486"});
  CHECK(with({kColor, 0, 1, 0, 2}) == List{"VkImageMemoryBarrier-subresourceRange-01725"});
  CHECK(with({VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 1, 0, 1}) ==
        List{"VkImageMemoryBarrier-image-09241"});

  const auto of_planes = [&](VkImageCreateFlags flags, VkImageAspectFlags aspects) {
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.flags = flags;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.extent = {kImageSize, kImageSize, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImage made;
    VK(CreateImage)(scene.device(), &info, nullptr, &made);
    Vuids();
    VkImageMemoryBarrier barrier =
        ImageBarrier(made, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.subresourceRange = {aspects, 0, 1, 0, 1};
    return Record(scene, barrier);
  };
  constexpr VkImageAspectFlags kPlane = VK_IMAGE_ASPECT_PLANE_1_BIT;
  constexpr VkImageCreateFlags kDisjoint = VK_IMAGE_CREATE_DISJOINT_BIT;
  const List whole = of_planes(0, kColor), apart = of_planes(kDisjoint, kColor);
  CHECK(of_planes(0, kPlane).size() == whole.size() + 1);
  CHECK(of_planes(0, kPlane).back() == "VkImageMemoryBarrier-image-09242");
  CHECK(of_planes(kDisjoint, kPlane) == apart);
  CHECK(of_planes(kDisjoint, kPlane | VK_IMAGE_ASPECT_PLANE_0_BIT) == apart);
  CHECK(of_planes(kDisjoint, VK_IMAGE_ASPECT_DEPTH_BIT).back() ==
        "VkImageMemoryBarrier-image-01672");

  VkBufferMemoryBarrier bytes = BufferBarrier(scene.Buffer());
  CHECK(Record(scene, bytes) == List());
  bytes.size = kBufferBytes;
  CHECK(Record(scene, bytes) == List());
  bytes.size = 0;
  CHECK(Record(scene, bytes) == List{"VkBufferMemoryBarrier-size-01188"});
  bytes.size = kBufferBytes + 1;
  CHECK(Record(scene, bytes) == List{"VkBufferMemoryBarrier-size-01189"});
}

TEST_CASE("a barrier names queue families that the device has") {
  const StateScene scene;
  const VkImage image = scene.Image(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const auto of_image = [&](uint32_t from, uint32_t to) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    return Record(scene, barrier);
  };
  const VkBuffer buffer = scene.Buffer();
  const auto of_buffer = [&](uint32_t from, uint32_t to) {
    VkBufferMemoryBarrier barrier = BufferBarrier(buffer);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    return Record(scene, barrier);
  };
  constexpr uint32_t kForeign = VK_QUEUE_FAMILY_FOREIGN_EXT;
  CHECK(of_image(0, 1) == List());
  CHECK(of_image(0, VK_QUEUE_FAMILY_EXTERNAL) == List());
  CHECK(of_image(9, 9) == List());
  CHECK(of_image(9, 0) == List{"VkImageMemoryBarrier-image-09117"});
  CHECK(of_image(0, 9) == List{"VkImageMemoryBarrier-image-09118"});
  CHECK(of_buffer(9, 0) == List{"VkBufferMemoryBarrier-buffer-09095"});
  CHECK(of_buffer(0, 9) == List{"VkBufferMemoryBarrier-buffer-09096"});
  CHECK(of_image(kForeign, 0) == List{"VkImageMemoryBarrier-srcQueueFamilyIndex-09099"});
  CHECK(of_buffer(0, kForeign) == List{"VkBufferMemoryBarrier-dstQueueFamilyIndex-09100"});
}

TEST_CASE("a barrier names no queue families for a shared resource") {
  VkPhysicalDeviceSynchronization2Features without = WithoutSynchronization2();
  const StateScene scene(0, &without);
  const VkImage image = scene.Image(VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_R8G8B8A8_UNORM,
                                    VK_SHARING_MODE_CONCURRENT);
  const auto with = [&](uint32_t from, uint32_t to) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    return Record(scene, barrier);
  };
  constexpr uint32_t kExternal = VK_QUEUE_FAMILY_EXTERNAL;
  CHECK(with(kIgnored, kIgnored) == List());
  CHECK(with(kIgnored, kExternal) == List());
  CHECK(with(0, 0) == List{"VkImageMemoryBarrier-None-09053"});
  CHECK(with(0, kIgnored) == List{"VkImageMemoryBarrier-None-09053"});
  CHECK(with(kIgnored, 0) == List{"VkImageMemoryBarrier-None-09054"});
  CHECK(with(kExternal, kExternal) == List{"VkImageMemoryBarrier-None-09052"});
  VkBufferMemoryBarrier bytes = BufferBarrier(scene.Buffer(VK_SHARING_MODE_CONCURRENT));
  bytes.srcQueueFamilyIndex = bytes.dstQueueFamilyIndex = 0;
  CHECK(Record(scene, bytes) == List{"VkBufferMemoryBarrier-None-09050"});
  // With the feature the families mean nothing.
  const StateScene newer;
  bytes.buffer = newer.Buffer(VK_SHARING_MODE_CONCURRENT);
  CHECK(Record(newer, bytes) == List());
}

TEST_CASE("a barrier names stages that the device and the queue family have") {
  const StateScene scene;
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
  CHECK(RecordMemory(scene, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, kTransfer) == List());
  CHECK(RecordMemory(scene, VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT, 0, kTransfer) ==
        List{"VkMemoryBarrier2-srcStageMask-03929"});
  CHECK(RecordMemory(scene, kTransfer, 0, VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT) ==
        List{"VkMemoryBarrier2-dstStageMask-03930"});
  CHECK(RecordMemory(scene, VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT, 0, kTransfer) ==
        List{"VkMemoryBarrier2-srcStageMask-03931"});
  VK(CmdPipelineBarrier)
  (scene.commands, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, kTransfer, 0, 0, nullptr, 0,
   nullptr, 0, nullptr);
  CHECK(Vuids() == List{"vkCmdPipelineBarrier-srcStageMask-04094"});
  VK(CmdPipelineBarrier)(scene.commands, 0, kTransfer, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  CHECK(Vuids() == List());
  VkPhysicalDeviceSynchronization2Features without = WithoutSynchronization2();
  const StateScene older(0, &without);
  VK(CmdPipelineBarrier)(older.commands, 0, kTransfer, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  CHECK(Vuids() == List{"vkCmdPipelineBarrier-srcStageMask-03937"});
  // The structures of synchronization1 have no number for this stage.
  VK(CmdPipelineBarrier)
  (scene.commands, static_cast<VkPipelineStageFlags>(VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT),
   kTransfer, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  CHECK(Vuids() == List{""});
  CHECK(RecordMemory(scene, 0, 0, kTransfer) == List());
  struct {
    VkPipelineStageFlags2 stage;
    const char* number;
  } constexpr kRows[] = {{VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV, "03934"},
                         {VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV, "03935"},
                         {VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, "07316"},
                         {VK_PIPELINE_STAGE_2_SUBPASS_SHADING_BIT_HUAWEI, "04957"},
                         {VK_PIPELINE_STAGE_2_INVOCATION_MASK_BIT_HUAWEI, "04995"},
                         {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, "10751"},
                         {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR, "10752"},
                         {VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT, "11541"}};
  for (const auto& row : kRows) {
    CAPTURE(row.number);
    CHECK(RecordMemory(scene, row.stage, 0, kTransfer) ==
          List{std::string("VkMemoryBarrier2-srcStageMask-") + row.number});
  }
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
  mesh.meshShader = VK_TRUE;
  const StateScene meshes(0, &mesh);
  CHECK(RecordMemory(meshes, VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV, 0, kTransfer) == List());
  CHECK(RecordMemory(meshes, VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV, 0, kTransfer) ==
        List{"VkMemoryBarrier2-srcStageMask-03935"});
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.features.geometryShader = VK_TRUE;
  const StateScene geometry(0, &features);
  CHECK(RecordMemory(geometry, VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT, 0, kTransfer) == List());

  const StateScene transfers(1);
  CHECK(RecordMemory(transfers, kTransfer, VK_ACCESS_2_TRANSFER_WRITE_BIT, kTransfer) == List());
  CHECK(RecordMemory(transfers, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, kTransfer) ==
        List{"vkCmdPipelineBarrier2-srcStageMask-09673"});
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
  conditional.conditionalRendering = VK_TRUE;
  const StateScene conditions(1, &conditional);
  CHECK(RecordMemory(conditions, VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT, 0, kTransfer) ==
        List{"vkCmdPipelineBarrier2-srcStageMask-09673"});
}

TEST_CASE("a transfer of ownership names stages of its queue") {
  // VkPhysicalDeviceMaintenance8FeaturesKHR, which the headers may lack.
  struct {
    VkStructureType type = static_cast<VkStructureType>(1000574000);
    const void* next = nullptr;
    VkBool32 enabled = VK_TRUE;
  } maintenance8;
  const StateScene scene(1, &maintenance8);
  VkBufferMemoryBarrier barrier = BufferBarrier(scene.Buffer());
  barrier.srcQueueFamilyIndex = 0;
  barrier.dstQueueFamilyIndex = 1;
  const auto acquire = [&](VkPipelineStageFlags from, VkDependencyFlags flags) {
    VK(CmdPipelineBarrier)
    (scene.commands, from, VK_PIPELINE_STAGE_TRANSFER_BIT, flags, 0, nullptr, 1, &barrier, 0,
     nullptr);
    return Vuids();
  };
  // VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR
  constexpr VkDependencyFlags kAllStages = 0x20;
  constexpr VkPipelineStageFlags kFragment = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  CHECK(acquire(kFragment, 0) == List());
  CHECK(acquire(VK_PIPELINE_STAGE_TRANSFER_BIT, kAllStages) == List());
  CHECK(acquire(kFragment, kAllStages) == List{"vkCmdPipelineBarrier-srcStageMask-06461"});
  maintenance8.enabled = VK_FALSE;
  const StateScene older(1, &maintenance8);
  older.Get<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(
      older.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, kAllStages, 0,
      nullptr, 0, nullptr, 0, nullptr);
  CHECK(Vuids() == List{"vkCmdPipelineBarrier-maintenance8-10206"});
}

TEST_CASE("a barrier names accesses that its stages make") {
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
  conditional.conditionalRendering = VK_TRUE;
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &conditional};
  structures.accelerationStructure = VK_TRUE;
  const StateScene scene(0, &structures);
  constexpr VkPipelineStageFlags2 kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  constexpr VkPipelineStageFlags2 kCondition = VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
  struct {
    VkAccessFlags2 access;
    const char* number;
  } constexpr kRows[] = {{VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, "03918"},
                         {VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT, "03919"},
                         {VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, "03920"},
                         {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, "04747"},
                         {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, "03922"},
                         {VK_ACCESS_2_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT, "03926"},
                         {VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR, "03927"},
                         {VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, "03928"},
                         {VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, "07272"},
                         {VK_ACCESS_2_SHADER_READ_BIT, "07454"},
                         {VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV, "03924"},
                         {VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV, "03925"},
                         {VK_ACCESS_2_INVOCATION_MASK_READ_BIT_HUAWEI, "04994"},
                         {VK_ACCESS_2_OPTICAL_FLOW_READ_BIT_NV, "07455"},
                         {VK_ACCESS_2_OPTICAL_FLOW_WRITE_BIT_NV, "07456"},
                         {VK_ACCESS_2_MICROMAP_WRITE_BIT_EXT, "07457"},
                         {VK_ACCESS_2_MICROMAP_READ_BIT_EXT, "07458"},
                         {VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT, "08118"},
                         // Bits that the headers may lack: of tile shading, decompression, heaps.
                         {uint64_t{1} << 51, "10670"},
                         {uint64_t{1} << 52, "10671"},
                         {uint64_t{1} << 55, "11771"},
                         {uint64_t{1} << 56, "11772"},
                         {uint64_t{1} << 57, "11294"},
                         {uint64_t{1} << 58, "11294"}};
  for (const auto& row : kRows) {
    CAPTURE(row.number);
    CHECK(RecordMemory(scene, kTransfer, row.access, kTransfer) ==
          List{std::string("VkMemoryBarrier2-srcAccessMask-") + row.number});
    CHECK(RecordMemory(scene, kAll, row.access, kTransfer) == List());
  }
  CHECK(RecordMemory(scene, kCondition, VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT,
                     kTransfer) == List());
  CHECK(RecordMemory(scene, VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                     VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, kTransfer) == List());
  CHECK(RecordMemory(scene, VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
                     VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, kTransfer) == List());
}

}  // namespace
}  // namespace gpusan::test
