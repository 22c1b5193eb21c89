// Hazards of commands that the CPU driver lacks, in front of a driver in the same process: each
// case with the synchronization that it needs, and without.
#include <catch2/catch.hpp>
#include <cstdint>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include "hooks/common/site.h"
#include "hooks/vulkan/dispatch/layer_entry.h"
#include "swap.frag.h"
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/vulkan_fake_driver.h"

namespace gpusan::vulkan {
namespace {

SiteId Capture(const void* return_address, const void* frame_address) {
  return CaptureSite(return_address, frame_address);
}

// One tracker for the process: the hooks keep objects by thread.
struct Process {
  Process() {
    TrackerOptions options;
    options.capture = &Capture;
    tracker = new Tracker(findings, host_memory, options);
  }
  test::KeptFindings findings;
  HostMemory host_memory;
  Tracker* tracker;
};
Process& TheProcess() {
  static auto* const process = [] {
    auto* made = new Process;
    SetHooks({[] { return TheProcess().tracker; }, nullptr});
    return made;
  }();
  return *process;
}

using Texts = std::vector<std::string>;

// The rules and texts of the findings since the last call.
Texts Findings() {
  Texts texts;
  for (const Finding& finding : TheProcess().findings.Take())
    texts.push_back(std::string(InfoOf(finding.rule).id) + ": " + finding.what);
  return texts;
}

constexpr uint64_t kBytes = 1024;

#define GET(name) Get<PFN_vk##name>("vk" #name)

// A device with one command buffer, which is recorded.
class Scene {
 public:
  Scene() {
    VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    GET(CreateCommandPool)(device(), &pool, nullptr, &pool_);
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool_;
    allocate.commandBufferCount = 1;
    GET(AllocateCommandBuffers)(device(), &allocate, &commands);
    Begin();
    Findings();
  }

  VkDevice device() const { return vulkan_.device; }
  VkQueue queue(uint32_t index = 0) const { return vulkan_.queues[index]; }
  template <typename Function>
  Function Get(const char* name) const {
    return vulkan_.Get<Function>(name);
  }

  VkBuffer Buffer() {
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = kBytes;
    info.usage = ~VkBufferUsageFlags{0};
    VkBuffer buffer;
    GET(CreateBuffer)(device(), &info, nullptr, &buffer);
    GET(BindBufferMemory)(device(), buffer, Memory(), 0);
    return buffer;
  }
  VkDeviceMemory Memory() {
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    GET(AllocateMemory)(device(), &allocate, nullptr, &memory);
    return memory;
  }
  VkDeviceAddress Address(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr,
                                            buffer};
    return GET(GetBufferDeviceAddress)(device(), &info);
  }
  void Fill(VkBuffer buffer, uint64_t bytes = 4) {
    GET(CmdFillBuffer)(commands, buffer, 0, bytes, 0);
  }
  void Barrier(VkPipelineStageFlags2 from, VkAccessFlags2 from_access, VkPipelineStageFlags2 to,
               VkAccessFlags2 to_access) {
    VkMemoryBarrier2 memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = from;
    memory.srcAccessMask = from_access;
    memory.dstStageMask = to;
    memory.dstAccessMask = to_access;
    VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    GET(CmdPipelineBarrier2)(commands, &info);
  }
  void Begin() {
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    GET(BeginCommandBuffer)(commands, &begin);
  }
  // Submits what is recorded, waits for it and begins again. Returns the findings.
  Texts Submit() {
    GET(EndCommandBuffer)(commands);
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    GET(QueueSubmit)(queue(), 1, &submit, VK_NULL_HANDLE);
    GET(QueueWaitIdle)(queue());
    Begin();
    return Findings();
  }

  VkCommandBuffer commands = VK_NULL_HANDLE;

 private:
  const Process& process_ = TheProcess();  // before the first call
  const test::FakeVulkan vulkan_{2};
  VkCommandPool pool_ = VK_NULL_HANDLE;
};
#define VK(name) scene.Get<PFN_vk##name>("vk" #name)

// Requires one finding of missing-barrier about both commands.
void RequireHazard(const Texts& findings, const char* later, const char* earlier) {
  REQUIRE(findings.size() == 1);
  CAPTURE(findings[0]);
  CHECK(findings[0].find("missing-barrier: " + std::string(later)) == 0);
  const std::string name = std::string(later) == earlier ? "the earlier " : "";
  CHECK(findings[0].find(" after " + name + earlier) != std::string::npos);
}
const Texts kNone;

constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr VkPipelineStageFlags2 kClear = VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr VkPipelineStageFlags2 kBuild = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkPipelineStageFlags2 kTrace = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
constexpr VkAccessFlags2 kWritten = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kBuilt = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;
constexpr VkAccessFlags2 kTraced = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;

// An acceleration structure in the second half of a buffer, with inputs and scratch memory.
class Structure {
 public:
  explicit Structure(Scene& of)
      : scene(of),
        buffer(scene.Buffer()),
        scratch(scene.Buffer()),
        vertices(scene.Buffer()),
        indices(scene.Buffer()),
        transform(scene.Buffer()) {
    VkAccelerationStructureCreateInfoKHR info = {
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR};
    info.buffer = buffer;
    info.offset = info.size = kBytes / 2;
    VK(CreateAccelerationStructureKHR)(scene.device(), &info, nullptr, &handle);
    geometry_.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
    geometry_.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
    auto& triangles = geometry_.geometry.triangles;
    triangles.vertexData.deviceAddress = scene.Address(vertices);
    triangles.vertexStride = 12;
    triangles.maxVertex = 2;
    triangles.indexType = VK_INDEX_TYPE_UINT16;
    triangles.indexData.deviceAddress = scene.Address(indices);
    triangles.transformData.deviceAddress = scene.Address(transform);
  }
  void OfBoxes() {
    geometry_.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
    geometry_.geometry.aabbs.data.deviceAddress = scene.Address(vertices);
    geometry_.geometry.aabbs.stride = 24;
  }
  void OfInstances() {
    geometry_.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
    geometry_.geometry.instances.arrayOfPointers = VK_FALSE;
    geometry_.geometry.instances.data.deviceAddress = scene.Address(vertices);
  }
  // `source`: the structure that is updated; VK_NULL_HANDLE: builds anew.
  void Build(VkAccelerationStructureKHR source = VK_NULL_HANDLE) {
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR};
    info.mode = source == VK_NULL_HANDLE ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR
                                         : VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    info.srcAccelerationStructure = source;
    info.dstAccelerationStructure = handle;
    info.geometryCount = 1;
    info.pGeometries = &geometry_;
    info.scratchData.deviceAddress = scene.Address(scratch);
    const VkAccelerationStructureBuildRangeInfoKHR range = {1, 0, 0, 0};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    VK(CmdBuildAccelerationStructuresKHR)(scene.commands, 1, &info, &ranges);
  }

  Scene& scene;
  VkBuffer buffer, scratch, vertices, indices, transform;
  VkAccelerationStructureKHR handle = VK_NULL_HANDLE;

 private:
  VkAccelerationStructureGeometryKHR geometry_ = {};
};

TEST_CASE("a build reads its inputs") {
  Scene scene;
  Structure structure(scene);
  VkBuffer input = structure.vertices;
  SECTION("vertices") {}
  SECTION("indices") { input = structure.indices; }
  SECTION("transformation") { input = structure.transform; }
  SECTION("boxes") { structure.OfBoxes(); }
  SECTION("instances") { structure.OfInstances(); }
  scene.Fill(input);
  scene.Barrier(kClear, kWritten, kBuild, VK_ACCESS_2_SHADER_READ_BIT);
  structure.Build();
  scene.Barrier(kBuild, 0, kClear, 0);
  scene.Fill(input);
  CHECK(scene.Submit() == kNone);
  scene.Fill(input);
  structure.Build();
  RequireHazard(scene.Submit(), "vkCmdBuildAccelerationStructuresKHR", "vkCmdFillBuffer");
  structure.Build();
  scene.Fill(input);
  RequireHazard(scene.Submit(), "vkCmdFillBuffer", "vkCmdBuildAccelerationStructuresKHR");
}

TEST_CASE("a build writes its structure and its scratch memory") {
  Scene scene;
  Structure structure(scene);
  SECTION("both ordered") {
    structure.Build();
    scene.Barrier(kBuild, kBuilt, kBuild, kBuilt | kTraced);
    structure.Build();
    scene.Barrier(kBuild, kBuilt, kClear, kWritten);
    scene.Fill(structure.scratch);
    scene.Fill(structure.buffer, kBytes);
    CHECK(scene.Submit() == kNone);
  }
  SECTION("one of both ordered") {
    for (const VkBuffer named : {structure.buffer, structure.scratch}) {
      structure.Build();
      VkBufferMemoryBarrier2 one = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
      one.srcStageMask = one.dstStageMask = kBuild;
      one.srcAccessMask = kBuilt;
      one.dstAccessMask = kBuilt | kTraced;
      one.buffer = named;
      one.size = VK_WHOLE_SIZE;
      VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
      info.bufferMemoryBarrierCount = 1;
      info.pBufferMemoryBarriers = &one;
      VK(CmdPipelineBarrier2)(scene.commands, &info);
      structure.Build();
      RequireHazard(scene.Submit(), "vkCmdBuildAccelerationStructuresKHR",
                    "vkCmdBuildAccelerationStructuresKHR");
    }
  }
  SECTION("the rest of the buffer") {
    structure.Build();
    scene.Fill(structure.buffer, kBytes / 2);
    CHECK(scene.Submit() == kNone);
  }
  SECTION("scratch memory") {
    structure.Build();
    scene.Fill(structure.scratch);
    RequireHazard(scene.Submit(), "vkCmdFillBuffer", "vkCmdBuildAccelerationStructuresKHR");
  }
}

TEST_CASE("an update and a copy read their source") {
  Scene scene;
  Structure source(scene), target(scene);
  const bool updates = GENERATE(true, false);
  VkCopyAccelerationStructureInfoKHR copy = {
      VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR};
  copy.src = source.handle;
  copy.dst = target.handle;
  auto use = [&] {
    if (updates) {
      target.Build(source.handle);
    } else {
      VK(CmdCopyAccelerationStructureKHR)(scene.commands, &copy);
    }
  };
  source.Build();
  scene.Barrier(kBuild, kBuilt, kBuild, kTraced);
  use();
  CHECK(scene.Submit() == kNone);
  source.Build();
  use();
  RequireHazard(
      scene.Submit(),
      updates ? "vkCmdBuildAccelerationStructuresKHR" : "vkCmdCopyAccelerationStructureKHR",
      "vkCmdBuildAccelerationStructuresKHR");
  use();
  scene.Fill(target.buffer, kBytes);
  RequireHazard(
      scene.Submit(), "vkCmdFillBuffer",
      updates ? "vkCmdBuildAccelerationStructuresKHR" : "vkCmdCopyAccelerationStructureKHR");
}

TEST_CASE("a structure is serialized and deserialized") {
  Scene scene;
  Structure structure(scene);
  VkCopyAccelerationStructureToMemoryInfoKHR out = {
      VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR};
  out.src = structure.handle;
  VkCopyMemoryToAccelerationStructureInfoKHR in = {
      VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR};
  in.dst = structure.handle;
  scene.Fill(structure.buffer, kBytes);
  scene.Barrier(kClear, kWritten, kBuild, kTraced);
  VK(CmdCopyAccelerationStructureToMemoryKHR)(scene.commands, &out);
  CHECK(scene.Submit() == kNone);
  scene.Fill(structure.buffer, kBytes);
  VK(CmdCopyAccelerationStructureToMemoryKHR)(scene.commands, &out);
  RequireHazard(scene.Submit(), "vkCmdCopyAccelerationStructureToMemoryKHR", "vkCmdFillBuffer");
  VK(CmdCopyMemoryToAccelerationStructureKHR)(scene.commands, &in);
  scene.Fill(structure.buffer, kBytes);
  RequireHazard(scene.Submit(), "vkCmdFillBuffer", "vkCmdCopyMemoryToAccelerationStructureKHR");
}

// A shader of the stage that traces the structure in set 0, binding 0; by a ray query, or by rays.
std::vector<uint32_t> TracingShader(spv::ExecutionModel stage) {
  const bool query = stage != spv::ExecutionModelRayGenerationKHR;
  std::vector<uint32_t> words = {spv::MagicNumber, 0x10400, 0, 16, 0};
  auto add = [&](spv::Op op, std::vector<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << spv::WordCountShift | op);
    words.insert(words.end(), operands.begin(), operands.end());
  };
  constexpr uint32_t kMain = 0x6e69616d;  // "main"
  add(spv::OpEntryPoint, {static_cast<uint32_t>(stage), 1, kMain, 0});
  add(spv::OpDecorate, {5, spv::DecorationDescriptorSet, 0});
  add(spv::OpDecorate, {5, spv::DecorationBinding, 0});
  add(spv::OpTypeAccelerationStructureKHR, {3});
  add(spv::OpTypePointer, {4, spv::StorageClassUniformConstant, 3});
  add(spv::OpVariable, {4, 5, spv::StorageClassUniformConstant});
  add(spv::OpFunction, {2, 1, 0, 6});
  add(spv::OpLabel, {7});
  add(spv::OpLoad, {3, 8, 5});
  if (query) {
    add(spv::OpRayQueryInitializeKHR, {9, 8, 10, 10, 11, 12, 11, 12});
  } else {
    add(spv::OpTraceRayKHR, {8, 10, 10, 10, 10, 10, 11, 12, 11, 12, 13});
  }
  add(spv::OpReturn, {});
  add(spv::OpFunctionEnd, {});
  return words;
}

// A pipeline that traces a structure, bound with its descriptor set.
class Tracer {
 public:
  Tracer(Scene& of, VkPipelineBindPoint point, VkAccelerationStructureKHR structure)
      : scene(of), point_(point) {
    const bool rays = point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1,
                                            VK_SHADER_STAGE_ALL, nullptr};
    VkDescriptorSetLayoutCreateInfo set_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.bindingCount = 1;
    set_info.pBindings = &binding;
    VkDescriptorSetLayout set_layout;
    VK(CreateDescriptorSetLayout)(scene.device(), &set_info, nullptr, &set_layout);
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    VkDescriptorPool pool;
    VK(CreateDescriptorPool)(scene.device(), &pool_info, nullptr, &pool);
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &set_layout;
    VK(AllocateDescriptorSets)(scene.device(), &allocate, &set_);
    VkWriteDescriptorSetAccelerationStructureKHR structures = {
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR};
    structures.accelerationStructureCount = 1;
    structures.pAccelerationStructures = &structure;
    VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &structures};
    write.dstSet = set_;
    write.descriptorCount = 1;
    write.descriptorType = binding.descriptorType;
    VK(UpdateDescriptorSets)(scene.device(), 1, &write, 0, nullptr);
    VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = &set_layout;
    VK(CreatePipelineLayout)(scene.device(), &layout_info, nullptr, &layout_);
    const std::vector<uint32_t> words =
        TracingShader(rays ? spv::ExecutionModelRayGenerationKHR : spv::ExecutionModelGLCompute);
    VkShaderModuleCreateInfo shader_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    shader_info.codeSize = words.size() * 4;
    shader_info.pCode = words.data();
    VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stage.stage = rays ? VK_SHADER_STAGE_RAYGEN_BIT_KHR : VK_SHADER_STAGE_COMPUTE_BIT;
    stage.pName = "main";
    VK(CreateShaderModule)(scene.device(), &shader_info, nullptr, &stage.module);
    if (rays) {
      VkRayTracingPipelineCreateInfoKHR info = {
          VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR};
      info.stageCount = 1;
      info.pStages = &stage;
      info.layout = layout_;
      VK(CreateRayTracingPipelinesKHR)
      (scene.device(), VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
    } else {
      VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
      info.stage = stage;
      info.layout = layout_;
      VK(CreateComputePipelines)(scene.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
    }
  }
  void Bind() {
    VK(CmdBindPipeline)(scene.commands, point_, pipeline_);
    VK(CmdBindDescriptorSets)(scene.commands, point_, layout_, 0, 1, &set_, 0, nullptr);
  }

  Scene& scene;

 private:
  const VkPipelineBindPoint point_;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

TEST_CASE("shaders read the structures that their descriptors name") {
  Scene scene;
  Structure structure(scene);
  const bool rays = GENERATE(true, false);
  Tracer tracer(scene,
                rays ? VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR : VK_PIPELINE_BIND_POINT_COMPUTE,
                structure.handle);
  const VkStridedDeviceAddressRegionKHR none = {};
  auto trace = [&] {
    tracer.Bind();
    if (rays) {
      VK(CmdTraceRaysKHR)(scene.commands, &none, &none, &none, &none, 1, 1, 1);
    } else {
      VK(CmdDispatch)(scene.commands, 1, 1, 1);
    }
  };
  const char* const traces = rays ? "vkCmdTraceRaysKHR" : "vkCmdDispatch";
  structure.Build();
  scene.Barrier(kBuild, kBuilt, rays ? kTrace : VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kTraced);
  trace();
  CHECK(scene.Submit() == kNone);
  structure.Build();
  trace();
  RequireHazard(scene.Submit(), traces, "vkCmdBuildAccelerationStructuresKHR");
  trace();
  scene.Fill(structure.buffer, kBytes);
  RequireHazard(scene.Submit(), "vkCmdFillBuffer", traces);
}

TEST_CASE("a structure is not destroyed while a trace is pending") {
  Scene scene;
  Structure structure(scene);
  structure.Build();
  VK(EndCommandBuffer)(scene.commands);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &scene.commands;
  VK(QueueSubmit)(scene.queue(), 1, &submit, VK_NULL_HANDLE);
  SECTION("waits") {
    VK(QueueWaitIdle)(scene.queue());
    VK(DestroyAccelerationStructureKHR)(scene.device(), structure.handle, nullptr);
    CHECK(Findings() == kNone);
  }
  SECTION("does not wait") {
    VK(DestroyAccelerationStructureKHR)(scene.device(), structure.handle, nullptr);
    const Texts findings = Findings();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].find("free-in-flight: ") == 0);
    VK(QueueWaitIdle)(scene.queue());
  }
}

TEST_CASE("a trace reads shader binding tables and indirect parameters") {
  Scene scene;
  Structure structure(scene);
  Tracer tracer(scene, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, structure.handle);
  const VkBuffer read = scene.Buffer();
  const VkDeviceAddress address = scene.Address(read);
  const VkStridedDeviceAddressRegionKHR table = {address, 32, 32}, none = {};
  VkAccessFlags2 access = VK_ACCESS_2_SHADER_READ_BIT;
  VkPipelineStageFlags2 stage = kTrace;
  const int kind = GENERATE(0, 1, 2, 3);
  const char* const traces = kind < 2   ? "vkCmdTraceRaysKHR"
                             : kind < 3 ? "vkCmdTraceRaysIndirectKHR"
                                        : "vkCmdTraceRaysIndirect2KHR";
  if (kind >= 2) {
    access = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
    stage = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  }
  auto trace = [&] {
    tracer.Bind();
    if (kind == 0) VK(CmdTraceRaysKHR)(scene.commands, &table, &none, &none, &none, 1, 1, 1);
    if (kind == 1) VK(CmdTraceRaysKHR)(scene.commands, &none, &none, &table, &none, 1, 1, 1);
    if (kind == 2) VK(CmdTraceRaysIndirectKHR)(scene.commands, &none, &none, &none, &none, address);
    if (kind == 3) VK(CmdTraceRaysIndirect2KHR)(scene.commands, address);
  };
  scene.Fill(read, 256);
  scene.Barrier(kClear, kWritten, stage, access);
  trace();
  scene.Barrier(stage, 0, kClear, 0);
  scene.Fill(read, 256);
  CHECK(scene.Submit() == kNone);
  scene.Fill(read, 256);
  trace();
  RequireHazard(scene.Submit(), traces, "vkCmdFillBuffer");
  trace();
  scene.Fill(read, 256);
  RequireHazard(scene.Submit(), "vkCmdFillBuffer", traces);
}

TEST_CASE("an address of a destroyed buffer is not followed") {
  Scene scene;
  Structure structure(scene);
  structure.Build();
  VK(DestroyBuffer)(scene.device(), structure.scratch, nullptr);
  CHECK(scene.Submit() == kNone);
}

// A graphics pipeline without shaders, bound inside dynamic rendering.
void BeginDrawing(Scene& scene) {
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  VkPipeline pipeline;
  VK(CreateGraphicsPipelines)(scene.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
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
  const int kind = GENERATE(0, 1, 2, 3, 4, 5);
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
    VK(CmdEndRendering)(commands);
  };
  scene.Fill(read, 256);
  scene.Fill(other, 256);
  scene.Barrier(kClear, kWritten, stage | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                access | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
  draw();
  scene.Barrier(stage, 0, kClear, 0);
  scene.Fill(read, 256);
  CHECK(scene.Submit() == kNone);
  scene.Fill(read, 256);
  draw();
  RequireHazard(scene.Submit(), draws, "vkCmdFillBuffer");
  draw();
  scene.Fill(read, 256);
  RequireHazard(scene.Submit(), "vkCmdFillBuffer", draws);
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

TEST_CASE("a clear in dynamic rendering writes all of its layers that are not stored") {
  Scene scene;
  VkImage image;
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = MakeView(scene, &image);
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {8, 8};
  rendering.layerCount = 2;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
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
  const VkBuffer source = scene.Buffer();
  auto copy = [&] {
    VkBufferImageCopy left = {};
    left.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    left.imageExtent = {4, 8, 1};
    VK(CmdCopyBufferToImage)(scene.commands, source, image, VK_IMAGE_LAYOUT_GENERAL, 1, &left);
  };
  auto clear = [&](uint32_t layer) {
    VK(CmdBeginRendering)(scene.commands, &rendering);
    const VkClearAttachment color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    const VkClearRect right = {{{4, 0}, {4, 8}}, layer, 1};
    VK(CmdClearAttachments)(scene.commands, 1, &color, 1, &right);
    VK(CmdClearAttachments)(scene.commands, 1, &color, 1, &right);
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
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
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
    VkPipelineShaderStageCreateInfo stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stage.pName = "main";
    VK(CreateShaderModule)(scene.device(), &shader_info, nullptr, &stage.module);
    const VkPipelineRasterizationStateCreateInfo raster = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
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
    VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         &rendering};
    info.stageCount = 1;
    info.pStages = &stage;
    info.pRasterizationState = &raster;
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
  VkImage image;
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = MakeView(scene, &image);
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {8, 8};
  rendering.layerCount = 2;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
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
  const bool rasterization_order = GENERATE(true, false);
  const ReadingPipeline reads(scene, attachment.imageView, rasterization_order);
  auto draw = [&] {
    VK(CmdBindPipeline)(scene.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, reads.pipeline);
    VK(CmdBindDescriptorSets)
    (scene.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, reads.layout, 0, 1, &reads.set, 0, nullptr);
    VK(CmdDraw)(scene.commands, 3, 1, 0, 0);
  };
  VK(CmdBeginRendering)(scene.commands, &rendering);
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
