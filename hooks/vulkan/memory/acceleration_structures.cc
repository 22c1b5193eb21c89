// Acceleration structures: the part of a buffer that each of them is stored in.
#include "hooks/vulkan/memory/acceleration_structures.h"

namespace gpusan::vulkan {

void CreateAccelerationStructure::After(VkCall& call, VkResult code, VkDevice,
                                        const VkAccelerationStructureCreateInfoKHR* info,
                                        const VkAllocationCallbacks*,
                                        VkAccelerationStructureKHR* structure) {
  if (code != VK_SUCCESS) {
    call.tracker().objects().NoteFailedCreation(call, ObjectKind::kAccelerationStructure, code, 0);
    return;
  }
  auto* state = KeepDescribed<AccelerationStructureState>(call, ObjectKind::kAccelerationStructure,
                                                          HandleOf(*structure));
  if (state == nullptr) return;
  state->buffer = WeakRef<Resource>(static_cast<Resource*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kBuffer, HandleOf(info->buffer))));
  state->region = Region::Linear(info->offset, info->size);
}

}  // namespace gpusan::vulkan
