// Commands that build, copy and trace acceleration structures.
//
// Buffers are named by address. An address that belongs to no known buffer is not followed:
// the writes of the command are then unknown. References of an acceleration structure by address,
// such as the bottom level structures of an instance, are not followed either.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CmdBuildAccelerationStructures {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkAccelerationStructureBuildGeometryInfoKHR* infos,
              const VkAccelerationStructureBuildRangeInfoKHR* const* ranges);
};
// The device reads the numbers of primitives: the sizes of inputs are unknown.
struct CmdBuildAccelerationStructuresIndirect {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkAccelerationStructureBuildGeometryInfoKHR* infos,
              const VkDeviceAddress* indirect_addresses, const uint32_t* strides,
              const uint32_t* const* max_counts);
};
struct CmdCopyAccelerationStructure {
  void Before(VkCall& call, VkCommandBuffer commands,
              const VkCopyAccelerationStructureInfoKHR* info);
};
// The size of a serialized structure is unknown: only the structure itself counts.
struct CmdCopyAccelerationStructureToMemory {
  void Before(VkCall& call, VkCommandBuffer commands,
              const VkCopyAccelerationStructureToMemoryInfoKHR* info);
};
struct CmdCopyMemoryToAccelerationStructure {
  void Before(VkCall& call, VkCommandBuffer commands,
              const VkCopyMemoryToAccelerationStructureInfoKHR* info);
};
struct CmdWriteAccelerationStructuresProperties {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkAccelerationStructureKHR* structures, VkQueryType type, VkQueryPool pool,
              uint32_t first);
};
// `width`, `height` and `depth` are in rays.
struct CmdTraceRays {
  void Before(VkCall& call, VkCommandBuffer commands,
              const VkStridedDeviceAddressRegionKHR* generation,
              const VkStridedDeviceAddressRegionKHR* miss,
              const VkStridedDeviceAddressRegionKHR* hit,
              const VkStridedDeviceAddressRegionKHR* callable, uint32_t width, uint32_t height,
              uint32_t depth);
};
struct CmdTraceRaysIndirect {
  void Before(VkCall& call, VkCommandBuffer commands,
              const VkStridedDeviceAddressRegionKHR* generation,
              const VkStridedDeviceAddressRegionKHR* miss,
              const VkStridedDeviceAddressRegionKHR* hit,
              const VkStridedDeviceAddressRegionKHR* callable, VkDeviceAddress indirect);
};
// The device also reads the shader binding tables' addresses.
struct CmdTraceRaysIndirect2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkDeviceAddress indirect);
};

}  // namespace gpusan::vulkan
