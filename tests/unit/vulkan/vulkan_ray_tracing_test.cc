// Hazards of acceleration structures and traces, which the CPU driver lacks, in front of a driver
// in the same process: each case with the synchronization that it needs, and without.
#include <catch2/catch.hpp>
#include <cstdint>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include "tests/unit/vulkan/vulkan_scene.h"

namespace gpusan::vulkan {
namespace {

using test::Findings;
using test::kAll;
using test::kBytes;
using test::kClear;
using test::kNone;
using test::kWritten;
using test::RequireHazard;
using test::RequireRead;
using test::Scene;
using test::Texts;

constexpr VkPipelineStageFlags2 kBuild = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkPipelineStageFlags2 kTrace = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
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
  RequireRead(scene, input, 4, kBuild, "vkCmdBuildAccelerationStructuresKHR",
              [&] { structure.Build(); });
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
  RequireRead(scene, read, 256, stage, traces, trace);
}

TEST_CASE("an address of a destroyed buffer is not followed") {
  Scene scene;
  Structure structure(scene);
  structure.Build();
  VK(DestroyBuffer)(scene.device(), structure.scratch, nullptr);
  CHECK(scene.Submit() == kNone);
}

}  // namespace
}  // namespace gpusan::vulkan
