// Commands that build, copy and trace acceleration structures.
#include "hooks/vulkan/commands/ray_tracing.h"

#include <algorithm>
#include <vector>

#include "hooks/vulkan/commands/draws.h"
#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/memory/acceleration_structures.h"
#include "hooks/vulkan/recording/queries.h"

namespace gpusan::vulkan {
namespace {

using BuildInfo = VkAccelerationStructureBuildGeometryInfoKHR;
using RangeInfo = VkAccelerationStructureBuildRangeInfoKHR;

constexpr uint64_t kBuild = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr uint64_t kCopy = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
constexpr uint64_t kRead = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
constexpr uint64_t kWrite = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;
// Of the inputs of a build (Vulkan 1.3 §7.1.3).
constexpr uint64_t kInputRead = VK_ACCESS_2_SHADER_READ_BIT;

// Records an access to `bytes` bytes from `address` on, as far as they are in the buffer. Returns
// false if the buffer is unknown.
bool RecordAt(Recorder& recorder, VkDeviceAddress address, uint64_t bytes, uint64_t stage,
              uint64_t access, bool write, bool certain) {
  if (address == 0 || bytes == 0) return true;
  const DeviceAddresses::Found found = recorder.call().device().addresses.Find(address);
  if (found.buffer == nullptr) return false;
  const uint64_t width = std::min(bytes, found.buffer->bytes - found.offset);
  RecordedUse& use = recorder.Use(*found.buffer, Region::Linear(found.offset, width), stage, access,
                                  kNoLayout, write);
  use.by_address = true;
  use.shader = !certain;
  return true;
}

// Records an access to a whole acceleration structure. Returns false if its buffer is unknown.
bool RecordStructure(Recorder& recorder, VkAccelerationStructureKHR handle, const char* argument,
                     uint64_t stage, uint64_t access, bool write) {
  if (handle == VK_NULL_HANDLE) return true;
  auto* object = static_cast<PlainObject*>(
      UseHandle(recorder.call(), ObjectKind::kAccelerationStructure, HandleOf(handle), argument));
  if (object == nullptr) return false;
  recorder.Hold(*object);
  const auto* state = DescriptionOf<AccelerationStructureState>(object);
  Resource* buffer = state != nullptr ? state->buffer.get() : nullptr;
  if (buffer == nullptr || !buffer->live()) return false;
  recorder.Use(*buffer, state->region, stage, access, kNoLayout, write);
  return true;
}

const VkAccelerationStructureGeometryKHR* GeometryAt(const BuildInfo& info, uint32_t index) {
  if (info.pGeometries != nullptr) return &info.pGeometries[index];
  return info.ppGeometries != nullptr ? info.ppGeometries[index] : nullptr;
}

void ReadInput(Recorder& recorder, VkDeviceAddress address, uint64_t offset, uint64_t bytes,
               bool certain) {
  if (address != 0) RecordAt(recorder, address + offset, bytes, kBuild, kInputRead, false, certain);
}

// The read vertices depend on the indices. Attributes between the positions are not read.
void ReadTriangles(Recorder& recorder,
                   const VkAccelerationStructureGeometryTrianglesDataKHR& triangles,
                   const RangeInfo& range) {
  const uint64_t stride = triangles.vertexStride;
  const uint64_t first = uint64_t{range.firstVertex} * stride;
  const uint64_t corners = uint64_t{3} * range.primitiveCount;
  if (triangles.indexType == VK_INDEX_TYPE_NONE_KHR) {
    ReadInput(recorder, triangles.vertexData.deviceAddress, range.primitiveOffset + first,
              corners * stride, false);
  } else {
    const uint64_t all = (uint64_t{triangles.maxVertex} + 1) * stride;
    ReadInput(recorder, triangles.vertexData.deviceAddress, first, all - std::min(all, first),
              false);
    ReadInput(recorder, triangles.indexData.deviceAddress, range.primitiveOffset,
              corners * IndexBytes(triangles.indexType), true);
  }
  ReadInput(recorder, triangles.transformData.deviceAddress, range.transformOffset,
            sizeof(VkTransformMatrixKHR), true);
}

void ReadGeometry(Recorder& recorder, const VkAccelerationStructureGeometryKHR& geometry,
                  const RangeInfo& range) {
  if (range.primitiveCount == 0) return;
  switch (geometry.geometryType) {
    case VK_GEOMETRY_TYPE_TRIANGLES_KHR:
      ReadTriangles(recorder, geometry.geometry.triangles, range);
      break;
    case VK_GEOMETRY_TYPE_AABBS_KHR:
      ReadInput(
          recorder, geometry.geometry.aabbs.data.deviceAddress, range.primitiveOffset,
          (range.primitiveCount - 1) * geometry.geometry.aabbs.stride + sizeof(VkAabbPositionsKHR),
          false);
      break;
    case VK_GEOMETRY_TYPE_INSTANCES_KHR:
      ReadInput(recorder, geometry.geometry.instances.data.deviceAddress, range.primitiveOffset,
                range.primitiveCount * (geometry.geometry.instances.arrayOfPointers
                                            ? sizeof(VkDeviceAddress)
                                            : sizeof(VkAccelerationStructureInstanceKHR)),
                true);
      break;
    default:
      break;
  }
}

// The size of the scratch memory that the build uses. `counts`: primitives of each geometry. 0: the
// driver does not say.
uint64_t ScratchBytes(VkCall& call, const BuildInfo& info, const uint32_t* counts) {
  const Device& device = call.device();
  const auto query = GPUSAN_VK_NEXT(&device, vkGetAccelerationStructureBuildSizesKHR);
  if (query == nullptr) return 0;
  VkAccelerationStructureBuildSizesInfoKHR sizes = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  query(device.handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, counts, &sizes);
  return info.mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR ? sizes.updateScratchSize
                                                                      : sizes.buildScratchSize;
}

// Records the structures and the scratch memory of a build.
void RecordBuild(Recorder& recorder, const BuildInfo& info, const uint32_t* counts) {
  bool known = true;
  if (info.mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR &&
      info.srcAccelerationStructure != info.dstAccelerationStructure) {
    RecordStructure(recorder, info.srcAccelerationStructure, "srcAccelerationStructure", kBuild,
                    kRead, false);
  }
  known &= RecordStructure(recorder, info.dstAccelerationStructure, "dstAccelerationStructure",
                           kBuild, kWrite, true);
  if (info.scratchData.deviceAddress != 0) {
    known &= RecordAt(recorder, info.scratchData.deviceAddress,
                      ScratchBytes(recorder.call(), info, counts), kBuild, kWrite, true, true);
  }
  if (!known) recorder.state().unseen_writes = true;
}

void ReadTable(Recorder& recorder, const VkStridedDeviceAddressRegionKHR* table) {
  if (table == nullptr) return;
  // It is unknown which of its records the shaders use.
  RecordAt(recorder, table->deviceAddress, table->size,
           VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
           VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, false, false);
}

void RecordTrace(Recorder& recorder) {
  if (recorder.state().bindings.other.pipeline.get() == nullptr)
    recorder.state().unseen_writes = true;
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
}

void ReadIndirect(Recorder& recorder, VkDeviceAddress address, uint64_t bytes) {
  RecordAt(recorder, address, bytes, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
           VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false, true);
}

}  // namespace

void CmdBuildAccelerationStructures::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                                            const BuildInfo* infos,
                                            const RangeInfo* const* ranges) {
  Recorder recorder(call, commands);
  if (!recorder || infos == nullptr || ranges == nullptr) return;
  std::vector<uint32_t> primitives;
  for (uint32_t i = 0; i < count; ++i) {
    if (ranges[i] == nullptr) continue;
    primitives.clear();
    for (uint32_t j = 0; j < infos[i].geometryCount; ++j) {
      primitives.push_back(ranges[i][j].primitiveCount);
      if (const auto* geometry = GeometryAt(infos[i], j); geometry != nullptr)
        ReadGeometry(recorder, *geometry, ranges[i][j]);
    }
    RecordBuild(recorder, infos[i], primitives.data());
  }
}

void CmdBuildAccelerationStructuresIndirect::Before(VkCall& call, VkCommandBuffer commands,
                                                    uint32_t count, const BuildInfo* infos,
                                                    const VkDeviceAddress* indirect_addresses,
                                                    const uint32_t* strides,
                                                    const uint32_t* const* max_counts) {
  Recorder recorder(call, commands);
  if (!recorder || infos == nullptr || indirect_addresses == nullptr || strides == nullptr ||
      max_counts == nullptr)
    return;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t geometries = infos[i].geometryCount;
    if (geometries == 0 || max_counts[i] == nullptr) continue;
    ReadIndirect(recorder, indirect_addresses[i],
                 uint64_t{geometries - 1} * strides[i] + sizeof(RangeInfo));
    RecordBuild(recorder, infos[i], max_counts[i]);
  }
}

void CmdCopyAccelerationStructure::Before(VkCall& call, VkCommandBuffer commands,
                                          const VkCopyAccelerationStructureInfoKHR* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  RecordStructure(recorder, info->src, "src", kCopy, kRead, false);
  if (!RecordStructure(recorder, info->dst, "dst", kCopy, kWrite, true))
    recorder.state().unseen_writes = true;
}

void CmdCopyAccelerationStructureToMemory::Before(
    VkCall& call, VkCommandBuffer commands,
    const VkCopyAccelerationStructureToMemoryInfoKHR* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  RecordStructure(recorder, info->src, "src", kCopy, kRead, false);
  recorder.state().unseen_writes = true;
}

void CmdCopyMemoryToAccelerationStructure::Before(
    VkCall& call, VkCommandBuffer commands,
    const VkCopyMemoryToAccelerationStructureInfoKHR* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  if (!RecordStructure(recorder, info->dst, "dst", kCopy, kWrite, true))
    recorder.state().unseen_writes = true;
}

void CmdWriteAccelerationStructuresProperties::Before(VkCall& call, VkCommandBuffer commands,
                                                      uint32_t count,
                                                      const VkAccelerationStructureKHR* structures,
                                                      VkQueryType, VkQueryPool pool, uint32_t) {
  Recorder recorder(call, commands);
  if (!recorder || structures == nullptr) return;
  HoldQueryPool(call, recorder, pool);
  for (uint32_t i = 0; i < count; ++i)
    RecordStructure(recorder, structures[i], "pAccelerationStructures[]", kCopy, kRead, false);
}

void CmdTraceRays::Before(VkCall& call, VkCommandBuffer commands,
                          const VkStridedDeviceAddressRegionKHR* generation,
                          const VkStridedDeviceAddressRegionKHR* miss,
                          const VkStridedDeviceAddressRegionKHR* hit,
                          const VkStridedDeviceAddressRegionKHR* callable, uint32_t width,
                          uint32_t height, uint32_t depth) {
  if (width == 0 || height == 0 || depth == 0) return;  // runs nothing
  Recorder recorder(call, commands);
  if (!recorder) return;
  for (const auto* table : {generation, miss, hit, callable}) ReadTable(recorder, table);
  RecordTrace(recorder);
}

void CmdTraceRaysIndirect::Before(VkCall& call, VkCommandBuffer commands,
                                  const VkStridedDeviceAddressRegionKHR* generation,
                                  const VkStridedDeviceAddressRegionKHR* miss,
                                  const VkStridedDeviceAddressRegionKHR* hit,
                                  const VkStridedDeviceAddressRegionKHR* callable,
                                  VkDeviceAddress indirect) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  ReadIndirect(recorder, indirect, sizeof(VkTraceRaysIndirectCommandKHR));
  for (const auto* table : {generation, miss, hit, callable}) ReadTable(recorder, table);
  RecordTrace(recorder);
}

void CmdTraceRaysIndirect2::Before(VkCall& call, VkCommandBuffer commands,
                                   VkDeviceAddress indirect) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  ReadIndirect(recorder, indirect, sizeof(VkTraceRaysIndirectCommand2KHR));
  RecordTrace(recorder);
}

}  // namespace gpusan::vulkan
