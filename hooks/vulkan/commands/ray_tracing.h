// Commands that build, copy and trace acceleration structures.
//
// Buffers are named by address. An address that belongs to no known buffer is not followed:
// the writes of the command are then unknown. References of an acceleration structure by address,
// such as the bottom level structures of an instance, are not followed either.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CmdBuildAccelerationStructures {
  BeforeOf<PFN_vkCmdBuildAccelerationStructuresKHR> Before;
};
// The device reads the numbers of primitives: the sizes of inputs are unknown.
struct CmdBuildAccelerationStructuresIndirect {
  BeforeOf<PFN_vkCmdBuildAccelerationStructuresIndirectKHR> Before;
};
struct CmdCopyAccelerationStructure {
  BeforeOf<PFN_vkCmdCopyAccelerationStructureKHR> Before;
};
// The size of a serialized structure is unknown: only the structure itself counts.
struct CmdCopyAccelerationStructureToMemory {
  BeforeOf<PFN_vkCmdCopyAccelerationStructureToMemoryKHR> Before;
};
struct CmdCopyMemoryToAccelerationStructure {
  BeforeOf<PFN_vkCmdCopyMemoryToAccelerationStructureKHR> Before;
};
struct CmdWriteAccelerationStructuresProperties {
  BeforeOf<PFN_vkCmdWriteAccelerationStructuresPropertiesKHR> Before;
};
// `width`, `height` and `depth` are in rays.
struct CmdTraceRays {
  BeforeOf<PFN_vkCmdTraceRaysKHR> Before;
};
struct CmdTraceRaysIndirect {
  BeforeOf<PFN_vkCmdTraceRaysIndirectKHR> Before;
};
// The device also reads the shader binding tables' addresses.
struct CmdTraceRaysIndirect2 {
  BeforeOf<PFN_vkCmdTraceRaysIndirect2KHR> Before;
};

}  // namespace gpusan::vulkan
