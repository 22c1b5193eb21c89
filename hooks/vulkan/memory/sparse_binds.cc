// Checks the binds of vkQueueBindSparse.
#include "hooks/vulkan/memory/sparse_binds.h"

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/sparse_ranges.h"
#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

// Adds a finding if the range is not inside of `all` bytes of the object. `vuids`: for the offset,
// and for the size.
void CheckRange(VkCall& call, const Object& object, uint64_t offset, uint64_t bytes, uint64_t all,
                const char* const (&vuids)[2]) {
  const bool begin = offset >= all;
  if (!begin && bytes <= all - offset) [[likely]]
    return;
  ReportSync(call, object, rules::SyncStateUse::Fault::kSparseRange,
             absl::StrCat(bytes, " B from byte ", offset, " of the ", all, " B"), vuids[!begin]);
}

// Adds what a bind names to the list.
void Add(Resource* resource, std::vector<WeakRef<Resource>>* bound) {
  if (resource != nullptr && resource->live()) bound->emplace_back(resource);
}

void CheckMemory(VkCall& call, const VkSparseMemoryBind& bind,
                 std::vector<WeakRef<Resource>>* bound) {
  if (bind.memory == VK_NULL_HANDLE) return;
  Resource* memory = UseMemory(call, bind.memory, "pBinds[].memory");
  if (memory == nullptr) return;
  Add(memory, bound);
  constexpr const char* kVuids[] = {"memoryOffset-01101", "size-01102"};
  CheckRange(call, *memory, bind.memoryOffset, bind.size, memory->bytes, kVuids);
}

ImagePart PartOf(const ImageState& image, const VkSparseImageMemoryBind& bind) {
  const VkImageSubresource& of = bind.subresource;
  ImagePart part =
      PartOf(image, VkImageSubresourceLayers{of.aspectMask, of.mipLevel, of.arrayLayer, 1});
  part.origin[0] = static_cast<uint32_t>(bind.offset.x);
  part.origin[1] = static_cast<uint32_t>(bind.offset.y);
  part.origin[2] = static_cast<uint32_t>(bind.offset.z);
  part.extent[0] = bind.extent.width;
  part.extent[1] = bind.extent.height;
  part.extent[2] = bind.extent.depth;
  return part;
}

}  // namespace

std::vector<WeakRef<Resource>> CheckSparseBinds(VkCall& call, const VkBindSparseInfo& info) {
  std::vector<WeakRef<Resource>> bound;
  for (uint32_t i = 0; i < info.bufferBindCount; ++i) {
    const VkSparseBufferMemoryBindInfo& binds = info.pBufferBinds[i];
    Resource* buffer = UseBuffer(call, binds.buffer, "pBufferBinds[].buffer");
    Add(buffer, &bound);
    VkMemoryRequirements needs = {};
    if (buffer != nullptr) {
      GPUSAN_VK_NEXT(&call.device(), vkGetBufferMemoryRequirements)
      (call.device().handle, binds.buffer, &needs);
    }
    for (uint32_t j = 0; j < binds.bindCount; ++j) {
      const VkSparseMemoryBind& bind = binds.pBinds[j];
      CheckMemory(call, bind, &bound);
      constexpr const char* kVuids[] = {"resourceOffset-01099", "size-01100"};
      if (buffer == nullptr) continue;
      CheckRange(call, *buffer, bind.resourceOffset, bind.size, needs.size, kVuids);
      NoteSparseRange(*buffer, Region::Linear(bind.resourceOffset, bind.size));
    }
  }
  // The offsets of images may be those of their mip tail.
  for (uint32_t i = 0; i < info.imageOpaqueBindCount; ++i) {
    const VkSparseImageOpaqueMemoryBindInfo& binds = info.pImageOpaqueBinds[i];
    Add(UseImage(call, binds.image, "pImageOpaqueBinds[].image"), &bound);
    for (uint32_t j = 0; j < binds.bindCount; ++j) CheckMemory(call, binds.pBinds[j], &bound);
  }
  for (uint32_t i = 0; i < info.imageBindCount; ++i) {
    const VkSparseImageMemoryBindInfo& binds = info.pImageBinds[i];
    Resource* image = UseImage(call, binds.image, "pImageBinds[].image");
    Add(image, &bound);
    for (uint32_t j = 0; j < binds.bindCount; ++j) {
      if (image != nullptr) NoteSparseRange(*image, PartOf(ImageOf(*image), binds.pBinds[j]));
      if (const VkDeviceMemory memory = binds.pBinds[j].memory; memory != VK_NULL_HANDLE)
        Add(UseMemory(call, memory, "pBinds[].memory"), &bound);
    }
  }
  return bound;
}

}  // namespace gpusan::vulkan
