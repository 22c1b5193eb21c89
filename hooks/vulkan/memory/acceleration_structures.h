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
  void After(VkCall& call, VkResult code, VkDevice device,
             const VkAccelerationStructureCreateInfoKHR* info,
             const VkAllocationCallbacks* allocator, VkAccelerationStructureKHR* structure);
};
using DestroyAccelerationStructure =
    DestroyHeld<ObjectKind::kAccelerationStructure, VkAccelerationStructureKHR>;

}  // namespace gpusan::vulkan
