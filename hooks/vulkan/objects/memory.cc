// See the header.
#include "hooks/vulkan/objects/memory.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "hooks/vulkan/mapped/host_access.h"
#include "hooks/vulkan/objects/aliases.h"
#include "hooks/vulkan/objects/objects.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::MemoryUse::Fault;

// Where `offset` is 0 nothing can be wrong with it, which saves a division.
bool IsAligned(uint64_t offset, uint64_t alignment) {
  return offset == 0 || alignment == 0 || offset % alignment == 0;
}

[[gnu::noinline, gnu::cold]] void ReportBinding(VkCall& call, const BindingUse& use,
                                                const VkMemoryRequirements& needs) {
  const bool image = use.resource->kind == ObjectKind::kImage;
  rules::MemoryUse fault;
  fault.resource = use.resource;
  fault.memory = use.memory;
  fault.offset = use.offset;
  fault.bytes = needs.size;
  auto report = [&](rules::MemoryUse::Fault kind, uint64_t limit, const char* vuid) {
    fault.fault = kind;
    fault.limit = limit;
    fault.vuid = vuid;
    rules::OnMemoryUse(fault, call);
  };
  if (ScopedOf(*use.resource).bound) {
    report(Fault::kBoundTwice, 0,
           image ? "VUID-vkBindImageMemory-image-07460" : "VUID-vkBindBufferMemory-buffer-07459");
    return;
  }
  if (!IsAligned(use.offset, needs.alignment)) {
    report(Fault::kMisaligned, needs.alignment,
           image ? "VUID-vkBindImageMemory-memoryOffset-01048"
                 : "VUID-vkBindBufferMemory-memoryOffset-01036");
  }
  if (use.offset > use.memory->bytes || needs.size > use.memory->bytes - use.offset) {
    report(Fault::kTooSmall, use.memory->bytes,
           image ? "VUID-vkBindImageMemory-size-01049" : "VUID-vkBindBufferMemory-size-01037");
  }
  const uint32_t type = MemoryOf(*use.memory).type;
  if (type < 32 && (needs.memoryTypeBits >> type & 1) == 0) {
    report(Fault::kWrongType, type,
           image ? "VUID-vkBindImageMemory-memory-01047" : "VUID-vkBindBufferMemory-memory-01035");
  }
}

[[gnu::always_inline]] inline BindingUse CheckBinding(VkCall& call, Resource* resource,
                                                      VkDeviceMemory handle, uint64_t offset,
                                                      const VkMemoryRequirements& needs,
                                                      bool foreign) {
  BindingUse use;
  use.resource = resource;
  use.offset = offset;
  use.foreign = foreign;
  if (foreign || resource == nullptr) return use;
  use.memory = UseMemory(call, handle, "memory");
  use.bytes = needs.size;
  if (use.memory == nullptr) return use;
  const uint32_t type = MemoryOf(*use.memory).type;
  const bool fits = offset <= use.memory->bytes && needs.size <= use.memory->bytes - offset;
  const bool of_type = type >= 32 || (needs.memoryTypeBits >> type & 1) != 0;
  if (ScopedOf(*resource).bound || !IsAligned(offset, needs.alignment) || !fits || !of_type)
      [[unlikely]]
    ReportBinding(call, use, needs);
  return use;
}

// To memory that is known, and the program's own. The program orders this with all that uses the
// resource (Vulkan 1.3 §3.6).
[[gnu::always_inline]] inline void BindKnown(const BindingUse& use) {
  ScopedState& state = ScopedOf(*use.resource);
  state.bound = true;
  MemoryState& memory = MemoryOf(*use.memory);
  state.memory = WeakRef<Resource>(use.memory);
  state.memory_offset = use.offset;
  state.memory_bytes = use.bytes;
  state.host_visible = memory.host_visible;
  std::lock_guard memory_lock(memory.lock);
  state.foreign = state.foreign || memory.foreign;
  if (!state.foreign) NoteBinding(*use.resource, memory);
  if (memory.bound.none() && !memory.foreign && use.offset == 0 && use.bytes == use.memory->bytes) {
    memory.bound.MarkAll();
    return;
  }
  const Region range = Region::Linear(use.offset, use.bytes);
  // What others write, or another binding wrote, holds something.
  if (memory.foreign || !memory.bound.Untouched(range)) {
    use.resource->init.MarkAll();
    memory.shared = memory.shared || memory.crowded;
  }
  memory.bound.Mark(range, use.memory->bytes);
}

void Bind(const BindingUse& use) {
  if (use.resource == nullptr) return;
  if (!use.foreign && use.memory != nullptr) return BindKnown(use);
  ScopedState& state = ScopedOf(*use.resource);
  state.bound = true;
  state.foreign = true;
  use.resource->init.MarkAll();
}

VkMemoryRequirements RequirementsOf(VkCall& call, VkBuffer buffer) {
  VkMemoryRequirements needs = {};
  GPUSAN_VK_NEXT(&call.device(), vkGetBufferMemoryRequirements)
  (call.device().handle, buffer, &needs);
  return needs;
}
VkMemoryRequirements RequirementsOf(VkCall& call, VkImage image) {
  VkMemoryRequirements needs = {};
  GPUSAN_VK_NEXT(&call.device(), vkGetImageMemoryRequirements)(call.device().handle, image, &needs);
  return needs;
}

[[gnu::always_inline]] inline BindingUse CheckBuffer(VkCall& call, VkBuffer handle,
                                                     VkDeviceMemory memory, uint64_t offset) {
  Resource* buffer = UseBuffer(call, handle, "buffer");
  if (buffer == nullptr) return {};
  return CheckBinding(call, buffer, memory, offset, RequirementsOf(call, handle), false);
}

[[gnu::always_inline]] inline BindingUse CheckImage(VkCall& call, VkImage handle,
                                                    VkDeviceMemory memory, uint64_t offset,
                                                    bool foreign) {
  Resource* image = UseImage(call, handle, "image");
  if (image == nullptr) return {};
  // A disjoint image has requirements for each plane.
  foreign = foreign || (ImageOf(*image).flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  return CheckBinding(call, image, memory, offset,
                      foreign ? VkMemoryRequirements{} : RequirementsOf(call, handle), foreign);
}

// Calls visit(memory, begin, end) for what each range that a flush or invalidation names has of a
// mapping. `told`: what is wrong with them has been reported.
template <typename Visitor>
void ForEachRange(VkCall& call, uint32_t count, const VkMappedMemoryRange* ranges, bool told,
                  Visitor visit) {
  const uint64_t atom = std::max<uint64_t>(call.device().limits.nonCoherentAtomSize, 1);
  for (uint32_t i = 0; i < count; ++i) {
    Resource* memory = UseMemory(call, ranges[i].memory, "pMemoryRanges[].memory");
    if (memory == nullptr) continue;
    MemoryState& state = MemoryOf(*memory);
    rules::MemoryUse fault;
    fault.memory = memory;
    fault.offset = ranges[i].offset;
    fault.bytes = ranges[i].size;
    std::unique_lock lock(state.lock);
    const auto mapped = state.mapped_range;
    const bool is_mapped = state.mapped != nullptr;
    fault.site = state.map_site;
    lock.unlock();
    auto report = [&](Fault kind, const char* vuid) {
      fault.fault = kind;
      fault.vuid = vuid;
      if (!told) rules::OnMemoryUse(fault, call);
    };
    if (!is_mapped) {
      if (call.device().unseen_maps) continue;
      fault.site = kUnknownSite;
      report(Fault::kNotMapped, "VUID-VkMappedMemoryRange-memory-00684");
      continue;
    }
    const bool whole = ranges[i].size == VK_WHOLE_SIZE;
    const uint64_t begin = ranges[i].offset;
    const uint64_t end = whole ? mapped.end() : SaturatingAdd(begin, ranges[i].size);
    fault.bytes = end - std::min(begin, end);
    if (begin < mapped.offset || begin > mapped.end() || end > mapped.end()) {
      report(Fault::kRange,
             whole ? "VUID-VkMappedMemoryRange-size-00686" : "VUID-VkMappedMemoryRange-size-00685");
      continue;
    }
    fault.limit = atom;
    if (begin % atom != 0) {
      report(Fault::kAtom, "VUID-VkMappedMemoryRange-offset-00687");
    } else if (whole ? end % atom != 0 && end != memory->bytes
                     : ranges[i].size % atom != 0 && end != memory->bytes) {
      report(Fault::kAtom,
             whole ? "VUID-VkMappedMemoryRange-size-01389" : "VUID-VkMappedMemoryRange-size-01390");
    }
    if (begin < end) visit(*memory, begin, end);
  }
}

}  // namespace

namespace {

[[gnu::always_inline]] inline void Describe(const Device& device, const VkMemoryAllocateInfo& info,
                                            MemoryState* state) {
  const VkMemoryPropertyFlags properties = device.memory_properties(info.memoryTypeIndex);
  state->type = info.memoryTypeIndex;
  state->host_visible = (properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  state->coherent = (properties & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
  state->ever_mapped = state->host_visible && device.unseen_maps;
  for (const auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    switch (at->sType) {
      case VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR:
      case VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT:
      case VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO:
        state->foreign = true;
        break;
      default:
        break;
    }
  }
}

[[gnu::noinline]] void KeepAnother(Tracker& tracker, const CallInfo& call, SiteId site,
                                   Device& device, const VkMemoryAllocateInfo* info,
                                   VkDeviceMemory handle) {
  MemoryState* state = MemoryState::New();
  Describe(device, *info, state);
  ResourceSpec spec;
  spec.kind = ObjectKind::kPhysicalMemory;
  spec.handle = HandleOf(handle);
  spec.context = device.object;
  spec.bytes = info->allocationSize;
  Resource* memory = tracker.NewResource(call, site, spec);
  memory->part = state;
  RecentOf<ObjectKind::kPhysicalMemory>(spec.handle) = memory;
}

}  // namespace

bool AllocateMemory::Finish(Tracker& tracker, const Place& place, VkDevice,
                            const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                            VkDeviceMemory* handle) {
  const SiteId site = WarmSite(place.return_address, place.frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return false;
  Device& device = static_cast<Device&>(*place.scope);
  if (Object* last = LastOf<ObjectKind::kPhysicalMemory>(HandleOf(*handle)); last != nullptr)
      [[likely]] {
    Resource* memory =
        tracker.Renew(place.info, site, last, device.object, info->allocationSize, 0,
                      [](const Resource& resource) { return MemoryOf(resource).BoundAtMost(); });
    if (memory != nullptr) [[likely]] {
      MemoryState& state = MemoryOf(*memory);
      state.ResetBinding();
      Describe(device, *info, &state);
      return true;
    }
  }
  KeepAnother(tracker, place.info, site, device, info, *handle);
  return true;
}

void AllocateMemory::After(VkCall& call, VkResult code, VkDevice, const VkMemoryAllocateInfo* info,
                           const VkAllocationCallbacks*, VkDeviceMemory* handle) {
  call.Requested(info->allocationSize);
  if (code == VK_SUCCESS) {
    KeepAnother(call.tracker(), call.info(), call.site(), call.device(), info, *handle);
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kPhysicalMemory, code,
                                      info->allocationSize);
  }
}

bool FreeMemory::Short(Tracker& tracker, const Place& place, VkDevice, VkDeviceMemory memory,
                       const VkAllocationCallbacks*) {
  return DestroyShortly<ObjectKind::kPhysicalMemory>(
      tracker, place, HandleOf(memory), [&](Resource& resource) {
        const MemoryState& state = MemoryOf(resource);
        return state.mapped != nullptr || state.used.MayBePending(tracker.host());
      });
}

void FreeMemory::Before(VkCall& call, VkDevice, VkDeviceMemory memory,
                        const VkAllocationCallbacks*) {
  Object* object =
      UseRecentForDestroy<ObjectKind::kPhysicalMemory>(call, HandleOf(memory), "memory");
  if (object == nullptr) return;
  MemoryState& state = MemoryOf(static_cast<Resource&>(*object));
  OnUnmap(call, static_cast<Resource&>(*object));  // which is implied
  CheckNotPending(call, *object, state.used, state.lock, rules::PendingUse::Act::kDestroy,
                  "VUID-vkFreeMemory-memory-00677");
  Destroy(call, object);
}

void BindBufferMemory::Before(VkCall& call, VkDevice, VkBuffer buffer, VkDeviceMemory memory,
                              VkDeviceSize offset) {
  use = CheckBuffer(call, buffer, memory, offset);
}

void BindBufferMemory::After(VkCall&, VkResult code, VkDevice, VkBuffer, VkDeviceMemory,
                             VkDeviceSize) {
  if (code == VK_SUCCESS) Bind(use);
}

void BindImageMemory::Before(VkCall& call, VkDevice, VkImage image, VkDeviceMemory memory,
                             VkDeviceSize offset) {
  use = CheckImage(call, image, memory, offset, false);
}

namespace {

[[gnu::noinline]] void AskForNeeds(Device& device, VkImage image, ImageState* state) {
  VkMemoryRequirements needs = {};
  GPUSAN_VK_NEXT(&device, vkGetImageMemoryRequirements)(device.handle, image, &needs);
  state->memory_bytes = needs.size;
  state->memory_types = needs.memoryTypeBits;
  state->memory_alignment =
      static_cast<uint8_t>(std::countr_zero(std::max<uint64_t>(needs.alignment, 1)));
}

}  // namespace

bool BindImageMemory::Begin(Tracker&, const Place& place, VkDevice, VkImage handle,
                            VkDeviceMemory memory_handle, VkDeviceSize offset) {
  Device& device = static_cast<Device&>(*place.scope);
  auto* image = static_cast<Resource*>(PeekRecent<ObjectKind::kImage>(HandleOf(handle)));
  auto* memory =
      static_cast<Resource*>(PeekRecent<ObjectKind::kPhysicalMemory>(HandleOf(memory_handle)));
  if (image == nullptr || memory == nullptr || image->context != device.object ||
      memory->context != device.object) [[unlikely]]
    return false;
  ImageState& state = ImageOf(*image);
  if (state.bound || (state.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0) [[unlikely]]
    return false;
  if (state.memory_types == 0) [[unlikely]]
    AskForNeeds(device, handle, &state);
  const uint32_t type = MemoryOf(*memory).type;
  // What does not fit is judged by what the driver says then.
  if ((offset & ((uint64_t{1} << state.memory_alignment) - 1)) != 0 || offset > memory->bytes ||
      state.memory_bytes > memory->bytes - offset || type >= 32 ||
      (state.memory_types >> type & 1) == 0) [[unlikely]]
    return false;
  use.resource = image;
  use.memory = memory;
  use.offset = offset;
  use.bytes = state.memory_bytes;
  return true;
}

bool BindImageMemory::Finish(Tracker&, const Place&, VkDevice, VkImage, VkDeviceMemory,
                             VkDeviceSize) {
  BindKnown(use);
  return true;
}

void BindImageMemory::After(VkCall&, VkResult code, VkDevice, VkImage, VkDeviceMemory,
                            VkDeviceSize) {
  if (code == VK_SUCCESS) Bind(use);
}

void BindBufferMemory2::Before(VkCall& call, VkDevice, uint32_t count,
                               const VkBindBufferMemoryInfo* infos) {
  for (uint32_t i = 0; i < count; ++i)
    uses.push_back(CheckBuffer(call, infos[i].buffer, infos[i].memory, infos[i].memoryOffset));
}

void BindBufferMemory2::After(VkCall&, VkResult code, VkDevice, uint32_t,
                              const VkBindBufferMemoryInfo*) {
  if (code != VK_SUCCESS) return;
  for (const BindingUse& use : uses) Bind(use);
}

void BindImageMemory2::Before(VkCall& call, VkDevice, uint32_t count,
                              const VkBindImageMemoryInfo* infos) {
  for (uint32_t i = 0; i < count; ++i) {
    const bool foreign =
        FindInChain<VkBindImageMemorySwapchainInfoKHR>(
            infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR) != nullptr ||
        FindInChain<VkBindImagePlaneMemoryInfo>(
            infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO) != nullptr;
    uses.push_back(
        CheckImage(call, infos[i].image, infos[i].memory, infos[i].memoryOffset, foreign));
  }
}

void BindImageMemory2::After(VkCall&, VkResult code, VkDevice, uint32_t,
                             const VkBindImageMemoryInfo*) {
  if (code != VK_SUCCESS) return;
  for (const BindingUse& use : uses) Bind(use);
}

void MapMemory::Before(VkCall& call, VkDevice, VkDeviceMemory handle, VkDeviceSize offset,
                       VkDeviceSize size, VkMemoryMapFlags, void**) {
  memory = UseMemory(call, handle, "memory");
  if (memory == nullptr) return;
  MemoryState& state = MemoryOf(*memory);
  rules::MemoryUse fault;
  fault.memory = memory;
  fault.offset = offset;
  fault.bytes = size;
  auto report = [&](rules::MemoryUse::Fault kind, const char* vuid) {
    fault.fault = kind;
    fault.vuid = vuid;
    rules::OnMemoryUse(fault, call);
  };
  if (!state.host_visible) report(Fault::kNotVisible, "VUID-vkMapMemory-memory-00682");
  std::unique_lock lock(state.lock);
  const bool mapped = state.mapped != nullptr && !call.device().unseen_maps;
  fault.site = state.map_site;
  lock.unlock();
  if (mapped) report(Fault::kMappedTwice, "VUID-vkMapMemory-memory-00678");
  if (offset >= memory->bytes) {
    report(Fault::kRange, "VUID-vkMapMemory-offset-00679");
  } else if (size != VK_WHOLE_SIZE && size > memory->bytes - offset) {
    report(Fault::kRange, "VUID-vkMapMemory-size-00681");
  }
}

void MapMemory::After(VkCall& call, VkResult code, VkDevice, VkDeviceMemory, VkDeviceSize offset,
                      VkDeviceSize size, VkMemoryMapFlags, void** data) {
  if (code != VK_SUCCESS || memory == nullptr || call.device().unseen_maps) return;
  MemoryState& state = MemoryOf(*memory);
  const SiteId site = call.site();
  {
    std::lock_guard lock(state.lock);
    state.mapped = *data;
    state.ever_mapped = true;
    state.mapped_range = {offset, size == VK_WHOLE_SIZE ? memory->bytes - offset : size};
    state.map_site = site;
  }
  OnMap(call, *memory);
}

void UnmapMemory::Before(VkCall& call, VkDevice, VkDeviceMemory handle) {
  Resource* memory = UseMemory(call, handle, "memory");
  if (memory == nullptr) return;
  MemoryState& state = MemoryOf(*memory);
  OnUnmap(call, *memory);
  {
    std::lock_guard lock(state.lock);
    if (state.mapped != nullptr) {
      state.mapped = nullptr;
      return;
    }
  }
  if (call.device().unseen_maps) return;
  rules::MemoryUse fault;
  fault.fault = Fault::kNotMapped;
  fault.memory = memory;
  fault.vuid = "VUID-vkUnmapMemory-memory-00689";
  rules::OnMemoryUse(fault, call);
}

void FlushMappedMemoryRanges::Before(VkCall& call, VkDevice, uint32_t count,
                                     const VkMappedMemoryRange* ranges) {
  ForEachRange(call, count, ranges, false, [&](Resource& memory, uint64_t begin, uint64_t end) {
    OnFlush(call, memory, begin, end);
  });
}

void InvalidateMappedMemoryRanges::Before(VkCall& call, VkDevice, uint32_t count,
                                          const VkMappedMemoryRange* ranges) {
  ForEachRange(call, count, ranges, false, [](Resource&, uint64_t, uint64_t) {});
}

void InvalidateMappedMemoryRanges::After(VkCall& call, VkResult code, VkDevice, uint32_t count,
                                         const VkMappedMemoryRange* ranges) {
  if (code != VK_SUCCESS) return;
  ForEachRange(call, count, ranges, true, [&](Resource& memory, uint64_t begin, uint64_t end) {
    OnInvalidate(call, memory, begin, end);
  });
}

void CheckBound(VkCall& call, Resource& resource, const char* argument) {
  ScopedState& state = ScopedOf(resource);
  if (state.foreign) return;
  rules::MemoryUse fault;
  if (!state.bound) {
    fault.fault = Fault::kUnbound;
  } else {
    const Resource* memory = state.memory.get();
    if (memory != nullptr && memory->live()) [[likely]]
      return;
    fault.fault = Fault::kFreed;
    fault.memory = memory;
  }
  fault.resource = &resource;
  fault.argument = argument;
  rules::OnMemoryUse(fault, call);
}

}  // namespace gpusan::vulkan
