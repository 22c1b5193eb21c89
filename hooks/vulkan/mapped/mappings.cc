// Mappings of device memory.
#include "hooks/vulkan/mapped/mappings.h"

#include <algorithm>
#include <mutex>
#include <string_view>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/mapped/host_access.h"
#include "hooks/vulkan/objects/objects.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::MemoryUse::Fault;

// Calls visit(memory, begin, end) for each valid range of a flush or an invalidation. `reported`:
// invalid ranges are already reported.
template <typename Visitor>
void ForEachRange(VkCall& call, uint32_t count, const VkMappedMemoryRange* ranges, bool reported,
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
      if (!reported) rules::OnMemoryUse(fault, call);
    };
    if (!is_mapped) {
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

void UseMemoryAlone(VkCall& call, UsesOfCall& uses, VkDeviceMemory handle) {
  Object* memory =
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPhysicalMemory, HandleOf(handle));
  if (memory == nullptr || !memory->live()) return;
  const auto& resource = static_cast<const Resource&>(*memory);
  if (resource.part != nullptr) UseAlone(call, uses, MemoryOf(resource).user, *memory);
}

namespace {

// The valid usage of vkMapMemory or vkUnmapMemory, or that of the function with a 2 at its end.
const char* VuidOf(const VkCall& call, const char* first, const char* second) {
  const bool is_second = IsSecond(call);
  return is_second ? second : first;
}

}  // namespace

void MapMemory::Before(VkCall& call, VkDevice, VkDeviceMemory handle, VkDeviceSize offset,
                       VkDeviceSize size, VkMemoryMapFlags, void**) {
  memory = UseMemory(call, handle, "memory");
  if (memory == nullptr) return;
  MemoryState& state = MemoryOf(*memory);
  rules::MemoryUse fault;
  fault.memory = memory;
  fault.offset = offset;
  fault.bytes = size;
  auto report = [&](rules::MemoryUse::Fault kind, const char* first, const char* second) {
    fault.fault = kind;
    fault.vuid = VuidOf(call, first, second);
    rules::OnMemoryUse(fault, call);
  };
  if (!state.host_visible) {
    report(Fault::kNotVisible, "VUID-vkMapMemory-memory-00682",
           "VUID-VkMemoryMapInfo-memory-07962");
  }
  std::unique_lock lock(state.lock);
  const bool mapped = state.mapped != nullptr;
  fault.site = state.map_site;
  lock.unlock();
  if (mapped) {
    report(Fault::kMappedTwice, "VUID-vkMapMemory-memory-00678",
           "VUID-VkMemoryMapInfo-memory-07958");
  }
  if (offset >= memory->bytes) {
    report(Fault::kRange, "VUID-vkMapMemory-offset-00679", "VUID-VkMemoryMapInfo-offset-07959");
  } else if (size == 0) {
    report(Fault::kRange, "VUID-vkMapMemory-size-00680", "VUID-VkMemoryMapInfo-size-07960");
  } else if (size != VK_WHOLE_SIZE && size > memory->bytes - offset) {
    report(Fault::kRange, "VUID-vkMapMemory-size-00681", "VUID-VkMemoryMapInfo-size-07961");
  }
}

void MapMemory::After(VkCall& call, VkResult code, VkDevice, VkDeviceMemory, VkDeviceSize offset,
                      VkDeviceSize size, VkMemoryMapFlags, void** data) {
  if (code != VK_SUCCESS || memory == nullptr) return;
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
  rules::MemoryUse fault;
  fault.fault = Fault::kNotMapped;
  fault.memory = memory;
  fault.vuid =
      VuidOf(call, "VUID-vkUnmapMemory-memory-00689", "VUID-VkMemoryUnmapInfo-memory-07964");
  rules::OnMemoryUse(fault, call);
}

void MapMemory2::Before(VkCall& call, VkDevice device, const void* argument, void** data) {
  const auto* info = later::Read<later::VkMemoryMapInfo>(call, argument, "pMemoryMapInfo");
  if (info != nullptr)
    map.Before(call, device, info->memory, info->offset, info->size, info->flags, data);
}

void MapMemory2::After(VkCall& call, VkResult code, VkDevice device, const void* argument,
                       void** data) {
  const auto* info = static_cast<const later::VkMemoryMapInfo*>(argument);
  if (info != nullptr && data != nullptr)
    map.After(call, code, device, info->memory, info->offset, info->size, info->flags, data);
}

void UnmapMemory2::Before(VkCall& call, VkDevice device, const void* argument) {
  const auto* info = later::Read<later::VkMemoryUnmapInfo>(call, argument, "pMemoryUnmapInfo");
  if (info != nullptr) UnmapMemory().Before(call, device, info->memory);
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

bool FreeMemory::TryFast(FastCall& call, VkDevice, VkDeviceMemory memory,
                         const VkAllocationCallbacks*) {
  return TryDestroyFast<ObjectKind::kPhysicalMemory>(
      call, HandleOf(memory), [&](Resource& resource) {
        const MemoryState& state = MemoryOf(resource);
        return state.mapped != nullptr ||
               state.used.MayBePending(call.tracker->ordering().host()) || HasParked(*call.scope);
      });
}

void FreeMemory::Before(VkCall& call, VkDevice, VkDeviceMemory memory,
                        const VkAllocationCallbacks*) {
  Object* object =
      UseRecentForDestroy<ObjectKind::kPhysicalMemory>(call, HandleOf(memory), "memory");
  if (object == nullptr) return;
  MemoryState& state = MemoryOf(static_cast<Resource&>(*object));
  OnUnmap(call, static_cast<Resource&>(*object));  // vkFreeMemory implies it
  CheckNotPending(call, *object, state.used, state.lock, rules::PendingUse::Act::kDestroy,
                  "VUID-vkFreeMemory-memory-00677");
  Destroy(call, object);
}

}  // namespace gpusan::vulkan
