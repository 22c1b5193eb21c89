// Device memory: allocation and binding.
#include "hooks/vulkan/memory/memory.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <string_view>

#include "hooks/vulkan/memory/aliases.h"
#include "hooks/vulkan/memory/argument_vuids.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::MemoryUse::Fault;

// The test for 0 saves a division.
bool IsAligned(uint64_t offset, uint64_t alignment) {
  return offset == 0 || alignment == 0 || offset % alignment == 0;
}

// Whether the memory is dedicated to another buffer or image.
[[gnu::always_inline]] inline bool IsForAnother(const Device& device, const Resource& resource,
                                                const Resource& memory) {
  const uintptr_t dedicated = MemoryOf(memory).dedicated;
  return dedicated != 0 && dedicated != resource.handle &&
         !(device.aliases_dedicated_images && resource.kind == ObjectKind::kImage);
}

// Whether the resource was not created for memory that is exported or imported as this memory.
[[gnu::always_inline]] inline bool IsNotForType(const ScopedState& resource,
                                                const MemoryState& memory) {
  if ((memory.exports | memory.import) == 0) [[likely]]
    return false;
  return (memory.exports != 0 && (memory.exports & resource.external) == 0) ||
         (memory.import & ~resource.external) != 0;
}

std::string HandleTypeName(VkExternalMemoryHandleTypeFlags type) {
  switch (type) {
    case VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT:
      return "VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT";
    case VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT:
      return "VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT";
    case VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT:
      return "VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT";
    case VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT:
      return "VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT";
    default:
      return absl::StrCat("type ", type);
  }
}

// The valid usage of a member of VkBind...MemoryInfo, or of the parameter of the older call.
std::string BindVuid(const VkCall& call, bool image, std::string_view number) {
  return absl::StrCat(IsSecond(call) ? "Vk" : "vk", "Bind", image ? "Image" : "Buffer",
                      IsSecond(call) ? "MemoryInfo-" : "Memory-", std::string(number));
}

// Adds the findings of a resource whose creation does not name the type of its memory.
void ReportType(VkCall& call, const BindingUse& use, bool image) {
  const VkExternalMemoryHandleTypeFlags external = ScopedOf(*use.resource).external;
  const MemoryState& memory = MemoryOf(*use.memory);
  const auto report = [&](const char* way, VkExternalMemoryHandleTypeFlags type,
                          std::string_view number) {
    ReportSync(call, *use.resource, rules::SyncStateUse::Fault::kLacksHandleType,
               absl::StrCat(way, HandleTypeName(type)), BindVuid(call, image, number));
  };
  if (memory.exports != 0 && (memory.exports & external) == 0) {
    report("may be exported as ", memory.exports & ~(memory.exports - 1),
           image ? "memory-02728" : "memory-02726");
  }
  if ((memory.import & ~external) != 0)
    report("was imported from ", memory.import, image ? "memory-02989" : "memory-02985");
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
    const std::string vuid =
        absl::StrCat("VUID-", BindVuid(call, image, image ? "image-07460" : "buffer-07459"));
    report(Fault::kBoundTwice, 0, vuid.c_str());
    return;
  }
  if (ScopedOf(*use.resource).sparse) {
    return ReportSync(call, *use.resource, rules::SyncStateUse::Fault::kBindsSparse, "",
                      image ? "vkBindImageMemory-image-01045" : "vkBindBufferMemory-buffer-01030");
  }
  if (IsForAnother(call.device(), *use.resource, *use.memory)) {
    const bool same_kind =
        call.tracker().objects().Find(Api::kVulkan, use.resource->kind,
                                      MemoryOf(*use.memory).dedicated) != nullptr;
    ReportSync(
        call, *use.resource, rules::SyncStateUse::Fault::kMemoryOfAnother, "",
        image
            ? (same_kind ? "vkBindImageMemory-memory-02628" : "vkBindImageMemory-memory-10926")
            : (same_kind ? "vkBindBufferMemory-memory-01508" : "vkBindBufferMemory-memory-10925"));
  }
  if (IsNotForType(ScopedOf(*use.resource), MemoryOf(*use.memory))) ReportType(call, use, image);
  // By the version of the command, of buffers and images.
  constexpr const char* kMisaligned[2][2] = {
      {"VUID-vkBindBufferMemory-None-10739", "VUID-vkBindImageMemory-None-10735"},
      {"VUID-VkBindBufferMemoryInfo-None-10739", "VUID-VkBindImageMemoryInfo-pNext-01616"}};
  constexpr const char* kTooSmall[2][2] = {
      {"VUID-vkBindBufferMemory-None-10741", "VUID-vkBindImageMemory-None-10737"},
      {"VUID-VkBindBufferMemoryInfo-None-10741", "VUID-VkBindImageMemoryInfo-pNext-01617"}};
  constexpr const char* kBehind[2][2] = {
      {"VUID-vkBindBufferMemory-memoryOffset-01031", "VUID-vkBindImageMemory-memoryOffset-01046"},
      {"VUID-VkBindBufferMemoryInfo-memoryOffset-01031",
       "VUID-VkBindImageMemoryInfo-memoryOffset-01046"}};
  const bool second = IsSecond(call);
  if (!IsAligned(use.offset, needs.alignment))
    report(Fault::kMisaligned, needs.alignment, kMisaligned[second][image]);
  if (use.offset >= use.memory->bytes || needs.size > use.memory->bytes - use.offset) {
    report(Fault::kTooSmall, use.memory->bytes,
           (use.offset >= use.memory->bytes ? kBehind : kTooSmall)[second][image]);
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
  if (ScopedOf(*resource).bound || !IsAligned(offset, needs.alignment) || !fits || !of_type ||
      ScopedOf(*resource).sparse || IsForAnother(call.device(), *resource, *use.memory) ||
      IsNotForType(ScopedOf(*resource), MemoryOf(*use.memory))) [[unlikely]]
    ReportBinding(call, use, needs);
  return use;
}

void NoteBound(Resource& resource, ScopedState& state) {
  state.bound = true;
  if (resource.kind == ObjectKind::kBuffer) resource.native_flags |= kHasMemory;
}

// Records a binding to memory that was imported from memory of the same device. An access to one is
// an access to the other.
[[gnu::noinline, gnu::cold]] void NoteJoined(Resource& resource, const MemoryState& imported) {
  Resource* memory = imported.exporter.get();
  if (memory == nullptr || !memory->live()) return;
  MemoryState& exporter = MemoryOf(*memory);
  std::lock_guard lock(exporter.lock);
  NoteBinding(resource, exporter);
}

// Stores a binding to known memory that is not imported. The program synchronizes it with all uses
// of the resource (Vulkan 1.3 §3.6).
[[gnu::always_inline]] inline void BindKnown(const BindingUse& use) {
  ScopedState& state = ScopedOf(*use.resource);
  NoteBound(*use.resource, state);
  MemoryState& memory = MemoryOf(*use.memory);
  state.memory = WeakRef<Resource>(use.memory);
  state.memory_offset = use.offset;
  state.memory_bytes = use.bytes;
  state.host_visible = memory.host_visible;
  state.exported = memory.exports != 0 || memory.import != 0;
  if (memory.exporter.object != nullptr) [[unlikely]]
    NoteJoined(*use.resource, memory);
  std::lock_guard memory_lock(memory.lock);
  if (memory.foreign && !state.foreign) [[unlikely]]
    MakeForeign(*use.resource);
  if (!state.foreign || memory.exports != 0) NoteBinding(*use.resource, memory);
  if (memory.bound.none() && !memory.foreign && use.offset == 0 && use.bytes == use.memory->bytes) {
    memory.bound.MarkAll();
    return;
  }
  const Region range = Region::Linear(use.offset, use.bytes);
  // Bytes that others or another binding may have written count as written.
  if (memory.foreign || !memory.bound.Untouched(range)) {
    if (use.resource->image != nullptr) {
      ImageOf(*use.resource).content.Free();
    } else {
      use.resource->init.MarkAll();
    }
    memory.shared = memory.shared || memory.crowded;
  }
  memory.bound.Mark(range, use.memory->bytes);
}

void Bind(const BindingUse& use) {
  if (use.resource == nullptr) return;
  if (!use.foreign && use.memory != nullptr) return BindKnown(use);
  ScopedState& state = ScopedOf(*use.resource);
  NoteBound(*use.resource, state);
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
  // A disjoint image has memory requirements for each plane.
  foreign = foreign || (ImageOf(*image).flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  return CheckBinding(call, image, memory, offset,
                      foreign ? VkMemoryRequirements{} : RequirementsOf(call, handle), foreign);
}

[[gnu::always_inline]] inline void Describe(const Device& device, const VkMemoryAllocateInfo& info,
                                            MemoryState* state) {
  const VkMemoryPropertyFlags properties = device.memory_properties(info.memoryTypeIndex);
  state->type = info.memoryTypeIndex;
  state->host_visible = (properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  state->coherent = (properties & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
  state->dedicated = 0;
  state->addressable = false;
  state->exports = state->import = 0;
  for (const auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    switch (at->sType) {
      case VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR:
        state->foreign = true;
        state->import |= reinterpret_cast<const VkImportMemoryFdInfoKHR*>(at)->handleType;
        break;
      case VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT:
        state->foreign = true;
        state->import |= reinterpret_cast<const VkImportMemoryHostPointerInfoEXT*>(at)->handleType;
        break;
      case VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO:
        // Until vkGetMemoryFdKHR returns a descriptor nobody else can access the memory.
        state->exports |= reinterpret_cast<const VkExportMemoryAllocateInfo*>(at)->handleTypes;
        state->foreign = state->foreign || (state->exports & ~kDescriptors) != 0;
        break;
      case VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO:
        state->addressable = (reinterpret_cast<const VkMemoryAllocateFlagsInfo*>(at)->flags &
                              VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT) != 0;
        break;
      case VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO: {
        const auto* to = reinterpret_cast<const VkMemoryDedicatedAllocateInfo*>(at);
        state->dedicated =
            to->buffer != VK_NULL_HANDLE ? HandleOf(to->buffer) : HandleOf(to->image);
        break;
      }
      default:
        break;
    }
  }
}

// The host block that becomes the memory; nullptr: none. Pages that another device has mapped are
// no block of the program.
const void* HostBlockOf(const VkMemoryAllocateInfo& info) {
  const VkImportMemoryHostPointerInfoEXT* import = HostImportOf(info);
  return import != nullptr &&
                 import->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
             ? import->pHostPointer
             : nullptr;
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
  if (const void* block = HostBlockOf(*info); block != nullptr) [[unlikely]] {
    spec.flags = kUsesHostMemory;
    spec.address = HandleOf(block);
  }
  Resource* memory = tracker.objects().NewResource(call, site, spec);
  memory->part = state;
  SetRecent<ObjectKind::kPhysicalMemory>(spec.handle, memory);
}

}  // namespace

bool AllocateMemory::TryFastAfter(FastCall& call, VkDevice, const VkMemoryAllocateInfo* info,
                                  const VkAllocationCallbacks*, VkDeviceMemory* handle) {
  const SiteId site = WarmSite(call.return_address, call.frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return false;
  Tracker& tracker = *call.tracker;
  Device& device = static_cast<Device&>(*call.scope);
  if (Object* last = LastOf<ObjectKind::kPhysicalMemory>(HandleOf(*handle)); last != nullptr)
      [[likely]] {
    Resource* memory = tracker.objects().Renew(
        call.info, site, last, device.object, info->allocationSize, 0,
        [](const Resource& resource) { return MemoryOf(resource).BoundAtMost(); });
    if (memory != nullptr) [[likely]] {
      MemoryState& state = MemoryOf(*memory);
      state.ResetBinding();
      Describe(device, *info, &state);
      return true;
    }
  }
  KeepAnother(tracker, call.info, site, device, info, *handle);
  return true;
}

void AllocateMemory::After(VkCall& call, VkResult code, VkDevice, const VkMemoryAllocateInfo* info,
                           const VkAllocationCallbacks*, VkDeviceMemory* handle) {
  call.Requested(info->allocationSize);
  if (code == VK_SUCCESS) {
    CheckAllocated(call, *info);
    KeepAnother(call.tracker(), call.info(), call.site(), call.device(), info, *handle);
    if (exporter.object != nullptr) [[unlikely]] {
      if (Resource* memory = UseMemory(call, *handle, "pMemory"); memory != nullptr)
        MemoryOf(*memory).exporter = exporter;
    }
  } else {
    call.tracker().objects().NoteFailedCreation(call, ObjectKind::kPhysicalMemory, code,
                                                info->allocationSize);
  }
}

void GetMemoryFd::Before(VkCall& call, VkDevice, const VkMemoryGetFdInfoKHR* info, int*) {
  Resource* memory = UseMemory(call, info->memory, "memory");
  if (memory != nullptr && (MemoryOf(*memory).exports & info->handleType) == 0) [[unlikely]] {
    ReportSync(call, *memory, rules::SyncStateUse::Fault::kMemoryNotExportable,
               HandleTypeName(info->handleType));
  }
}

void GetMemoryFd::After(VkCall& call, VkResult code, VkDevice, const VkMemoryGetFdInfoKHR* info,
                        int* descriptor) {
  if (code != VK_SUCCESS) return;
  Objects& objects = call.tracker().objects();
  auto* memory = static_cast<Resource*>(
      objects.Find(Api::kVulkan, ObjectKind::kPhysicalMemory, HandleOf(info->memory)));
  if (memory == nullptr || !memory->live()) return;
  {
    MemoryState& state = MemoryOf(*memory);
    std::lock_guard lock(state.lock);
    if (!state.foreign) MakeForeign(state);
  }
  NoteExported(*memory, *descriptor);
  if (info->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
    objects.shared_payloads().Export(*descriptor, *memory);
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

[[gnu::noinline]] void QueryRequirements(Device& device, VkImage image, ImageState* state) {
  VkMemoryRequirements needs = {};
  GPUSAN_VK_NEXT(&device, vkGetImageMemoryRequirements)(device.handle, image, &needs);
  state->memory_bytes = needs.size;
  state->memory_types = needs.memoryTypeBits;
  state->memory_alignment =
      static_cast<uint8_t>(std::countr_zero(std::max<uint64_t>(needs.alignment, 1)));
}

}  // namespace

bool BindImageMemory::TryFast(FastCall& call, VkDevice, VkImage handle,
                              VkDeviceMemory memory_handle, VkDeviceSize offset) {
  Device& device = static_cast<Device&>(*call.scope);
  auto* image = static_cast<Resource*>(PeekRecent<ObjectKind::kImage>(HandleOf(handle)));
  auto* memory =
      static_cast<Resource*>(PeekRecent<ObjectKind::kPhysicalMemory>(HandleOf(memory_handle)));
  if (image == nullptr || memory == nullptr || image->context != device.object ||
      memory->context != device.object) [[unlikely]]
    return false;
  ImageState& state = ImageOf(*image);
  if (state.bound || state.sparse || (state.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0) [[unlikely]]
    return false;
  if (state.memory_types == 0) [[unlikely]]
    QueryRequirements(device, handle, &state);
  const uint32_t type = MemoryOf(*memory).type;
  // If it does not fit, the slow path queries the requirements and checks them.
  if ((offset & ((uint64_t{1} << state.memory_alignment) - 1)) != 0 || offset > memory->bytes ||
      state.memory_bytes > memory->bytes - offset || type >= 32 ||
      (state.memory_types >> type & 1) == 0 || IsForAnother(device, *image, *memory) ||
      IsNotForType(state, MemoryOf(*memory))) [[unlikely]]
    return false;
  use.resource = image;
  use.memory = memory;
  use.offset = offset;
  use.bytes = state.memory_bytes;
  return true;
}

bool BindImageMemory::TryFastAfter(FastCall&, VkDevice, VkImage, VkDeviceMemory, VkDeviceSize) {
  BindKnown(use);
  return true;
}

void BindImageMemory::After(VkCall&, VkResult code, VkDevice, VkImage, VkDeviceMemory,
                            VkDeviceSize) {
  if (code == VK_SUCCESS) Bind(use);
}

namespace {

// Adds a finding if an earlier element of the same call binds the resource of the last element.
void CheckBoundOnceByCall(VkCall& call, const absl::InlinedVector<BindingUse, 4>& uses,
                          const char* vuid) {
  const Resource* last = uses.back().resource;
  if (last == nullptr || ScopedOf(*last).bound) return;
  if (std::none_of(uses.begin(), uses.end() - 1,
                   [&](const BindingUse& use) { return use.resource == last; })) [[likely]]
    return;
  rules::MemoryUse fault;
  fault.fault = Fault::kBoundTwice;
  fault.resource = last;
  fault.memory = uses.back().memory;
  fault.vuid = vuid;
  rules::OnMemoryUse(fault, call);
}

}  // namespace

void BindBufferMemory2::Before(VkCall& call, VkDevice, uint32_t count,
                               const VkBindBufferMemoryInfo* infos) {
  for (uint32_t i = 0; i < count; ++i) {
    uses.push_back(CheckBuffer(call, infos[i].buffer, infos[i].memory, infos[i].memoryOffset));
    CheckBoundOnceByCall(call, uses, "VUID-VkBindBufferMemoryInfo-buffer-07459");
  }
}

void BindBufferMemory2::After(VkCall&, VkResult code, VkDevice, uint32_t,
                              const VkBindBufferMemoryInfo*) {
  if (code != VK_SUCCESS) return;
  for (const BindingUse& use : uses) Bind(use);
}

void BindImageMemory2::Before(VkCall& call, VkDevice, uint32_t count,
                              const VkBindImageMemoryInfo* infos) {
  for (uint32_t i = 0; i < count; ++i) {
    const bool of_swapchain =
        FindInChain<VkBindImageMemorySwapchainInfoKHR>(
            infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR) != nullptr;
    if (of_swapchain) [[unlikely]]
      call.device().binds_swapchain_images.store(true, std::memory_order_relaxed);
    const bool foreign =
        of_swapchain ||
        FindInChain<VkBindImagePlaneMemoryInfo>(
            infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO) != nullptr;
    uses.push_back(
        CheckImage(call, infos[i].image, infos[i].memory, infos[i].memoryOffset, foreign));
    // Each plane of a disjoint image has its own element.
    if (!uses.back().foreign)
      CheckBoundOnceByCall(call, uses, "VUID-vkBindImageMemory2-pBindInfos-04006");
  }
}

void BindImageMemory2::After(VkCall&, VkResult code, VkDevice, uint32_t,
                             const VkBindImageMemoryInfo*) {
  if (code != VK_SUCCESS) return;
  for (const BindingUse& use : uses) Bind(use);
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
  const std::string vuid = UnboundVuid(call.info().name, argument);
  fault.vuid = vuid.c_str();
  rules::OnMemoryUse(fault, call);
}

}  // namespace gpusan::vulkan
