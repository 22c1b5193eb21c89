// Acceleration structures: the part of a buffer that each of them is stored in.
#pragma once

#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct AccelerationStructureState final : Pooled<AccelerationStructureState, HeldState> {
  WeakRef<Resource> buffer;
  Region region;
  void Reset() {
    buffer = WeakRef<Resource>();
    region = Region();
    used.Clear();
  }
};

struct CreateAccelerationStructure {
  AfterOf<PFN_vkCreateAccelerationStructureKHR> After;
};
using DestroyAccelerationStructure =
    DestroyHeld<ObjectKind::kAccelerationStructure, VkAccelerationStructureKHR>;

}  // namespace gpusan::vulkan
