// Buffers and their views.
#include "hooks/vulkan/memory/buffers.h"

#include <algorithm>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/memory/argument_vuids.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/descriptor_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

void ReportBufferUsage(VkCall& call, const Resource& buffer, const char* name,
                       const char* argument) {
  rules::DescriptorUse use;
  use.resource = &buffer;
  use.text = name;
  use.argument = argument;
  use.vuid = UsageVuid(call.info().name, argument);
  rules::OnDescriptorUse(use, call);
}

void ReportBufferBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes,
                       const char* vuid) {
  ReportSync(call, buffer, rules::SyncStateUse::Fault::kCommandBytes,
             offset >= buffer.bytes ? absl::StrCat("byte ", offset)
                                    : absl::StrCat(bytes, " B from byte ", offset),
             vuid);
}
void ReportAlignment(VkCall& call, const Resource& buffer, const char* name, uint64_t value,
                     uint64_t alignment, const char* vuid) {
  ReportSync(
      call, buffer, rules::SyncStateUse::Fault::kCommandAlignment,
      absl::StrCat("the ", name, " ", value, ", which is not a multiple of ", alignment, ","),
      vuid);
}

void CreateBuffer::After(VkCall& call, VkResult code, VkDevice, const VkBufferCreateInfo* info,
                         const VkAllocationCallbacks*, VkBuffer* handle) {
  Tracker& tracker = call.tracker();
  if (code != VK_SUCCESS) {
    call.Requested(info->size);
    tracker.objects().NoteFailedCreation(call, ObjectKind::kBuffer, code, info->size);
    return;
  }
  call.site();  // inlined fast path
  BufferState* state = BufferState::New();
  state->usage = info->usage;
  // The low bits of both types of flags are equal; the upper ones count as all usages that gpusan
  // does not know.
  if (const auto* wide = FindInChain<later::VkBufferUsageFlags2CreateInfo>(
          info->pNext, later::kBufferUsageFlags2CreateInfo);
      wide != nullptr) {
    state->usage = static_cast<VkBufferUsageFlags>(wide->usage) |
                   (wide->usage >> 32 != 0 ? VkBufferUsageFlags{1} << 31 : 0);
  }
  if (const auto* external = FindInChain<VkExternalMemoryBufferCreateInfo>(
          info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO))
    state->external = external->handleTypes;
  state->concurrent = info->sharingMode == VK_SHARING_MODE_CONCURRENT;
  state->sparse = (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0;
  state->foreign = state->sparse;
  ResourceSpec spec;
  spec.kind = ObjectKind::kBuffer;
  spec.handle = HandleOf(*handle);
  spec.context = call.device().object;
  spec.bytes = info->size;
  spec.native_flags = state->usage | (state->sparse ? kHasMemory : 0);
  spec.flags = kBoundMemory;
  // Usages by which commands other than copies and shaders may write, which gpusan does not see.
  constexpr VkBufferUsageFlags kSeen =
      VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
      VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
      VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  spec.initialized = state->foreign || (state->usage & ~kSeen) != 0;
  Resource* resource = tracker.objects().NewResource(call, spec);
  resource->part = state;
  SetRecent<ObjectKind::kBuffer>(spec.handle, resource);
}

bool DestroyBuffer::TryFast(FastCall& call, VkDevice, VkBuffer buffer,
                            const VkAllocationCallbacks*) {
  return TryDestroyScopedFast<ObjectKind::kBuffer>(call, HandleOf(buffer));
}

void DestroyBuffer::Before(VkCall& call, VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) {
  DestroyScoped<ObjectKind::kBuffer>(call, HandleOf(buffer), "buffer",
                                     "VUID-vkDestroyBuffer-buffer-00922");
}

namespace {

// The alignment of the offset of a view of the format, for one of the usages of its buffer [bytes].
// Returns the smallest one that the device may allow, whether or not a feature is enabled.
uint64_t TexelAlignment(const Device& device, const FormatBlock& block, uint32_t channels,
                        bool uniform) {
  const uint64_t general = device.limits.minTexelBufferOffsetAlignment;
  const auto query = GPUSAN_VK_NEXT(device.instance, vkGetPhysicalDeviceProperties2);
  if (device.instance->api_version < VK_API_VERSION_1_1 || query == nullptr) return general;
  VkPhysicalDeviceTexelBufferAlignmentProperties texels = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            &texels};
  query(device.physical, &properties);
  uint64_t bytes = uniform ? texels.uniformTexelBufferOffsetAlignmentBytes
                           : texels.storageTexelBufferOffsetAlignmentBytes;
  if (bytes == 0) return general;  // a device that lacks the structure
  const bool single = (uniform ? texels.uniformTexelBufferOffsetSingleTexelAlignment
                               : texels.storageTexelBufferOffsetSingleTexelAlignment) != VK_FALSE;
  const uint64_t texel = channels == 3 ? block.bytes / 3 : block.bytes;
  if (single) bytes = std::min(bytes, texel);
  return std::min(general, bytes);
}

// Adds a finding if the offset or the range of the view does not fit its format and the device.
void CheckTexels(VkCall& call, const Resource& buffer, const VkBufferViewCreateInfo& info) {
  const FormatFacts facts = FactsOf(info.format);
  const uint32_t texel = facts.block.bytes;
  // Blocks of several texels are the unit of compressed formats.
  if (texel == 0 || facts.block.width != 1 || facts.block.height != 1) return;
  if (info.range == 0 || (info.range != VK_WHOLE_SIZE && info.range % texel != 0)) [[unlikely]] {
    ReportSync(call, buffer, rules::SyncStateUse::Fault::kViewTexels,
               info.range == 0 ? absl::StrCat("the range 0")
                               : absl::StrCat("the range ", info.range,
                                              ", which is not a multiple of ", texel, ","),
               info.range == 0 ? "range-00928" : "range-00929");
  }
  const Device& device = call.device();
  const uint64_t most = device.limits.maxTexelBufferElements;
  const uint64_t left = buffer.bytes - std::min(buffer.bytes, info.offset);
  const bool whole = info.range == VK_WHOLE_SIZE;
  if ((whole ? left : info.range) / texel > most) [[unlikely]] {
    ReportLimit(
        call, absl::StrCat("a view of ", (whole ? left : info.range) / texel, " texels"),
        "maxTexelBufferElements", most,
        whole ? "VkBufferViewCreateInfo-range-04059" : "VkBufferViewCreateInfo-range-00930");
  }
  const uint64_t alignment = device.limits.minTexelBufferOffsetAlignment;
  if (alignment == 0 || info.offset % alignment == 0) [[likely]]
    return;
  struct Usage {
    VkBufferUsageFlags flag;
    bool uniform;
    const char* vuid;
  };
  for (const Usage& usage :
       {Usage{VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, true, "buffer-02750"},
        Usage{VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, false, "buffer-02751"}}) {
    if ((BufferOf(buffer).usage & usage.flag) == 0) continue;
    const uint64_t needed = TexelAlignment(device, facts.block, facts.channels, usage.uniform);
    if (needed == 0 || info.offset % needed == 0) continue;
    return ReportSync(
        call, buffer, rules::SyncStateUse::Fault::kViewTexels,
        absl::StrCat("the offset ", info.offset, ", which is not a multiple of ", needed, ","),
        usage.vuid);
  }
}

// Adds a finding if the view shows bytes past the end of the buffer.
void CheckViewBytes(VkCall& call, const Resource& buffer, const VkBufferViewCreateInfo& info) {
  const bool begin = info.offset >= buffer.bytes;
  if (!begin && (info.range == VK_WHOLE_SIZE || info.range <= buffer.bytes - info.offset)) return;
  ReportSync(call, buffer, rules::SyncStateUse::Fault::kViewBytes,
             begin ? absl::StrCat("byte ", info.offset)
                   : absl::StrCat(info.range, " B from byte ", info.offset),
             begin ? "00925" : "00931");
}

}  // namespace

void CreateBufferView::Before(VkCall& call, VkDevice, const VkBufferViewCreateInfo* info,
                              const VkAllocationCallbacks*, VkBufferView*) {
  if (Resource* buffer = UseBuffer(call, info->buffer, "pCreateInfo->buffer"); buffer != nullptr) {
    CheckBound(call, *buffer, "pCreateInfo->buffer");
    CheckBufferUsage(
        call, *buffer,
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT,
        "VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT", "pCreateInfo->buffer");
    CheckViewBytes(call, *buffer, *info);
    CheckTexels(call, *buffer, *info);
  }
}

void CreateBufferView::After(VkCall& call, VkResult code, VkDevice,
                             const VkBufferViewCreateInfo* info, const VkAllocationCallbacks*,
                             VkBufferView* view) {
  if (code != VK_SUCCESS) return;
  auto* buffer = static_cast<Resource*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kBuffer, HandleOf(info->buffer)));
  if (buffer == nullptr) return;
  KeepShared<BufferViewState>(
      call, ObjectKind::kBufferView, HandleOf(*view), [&](BufferViewState* state) {
        state->buffer = WeakRef<Resource>(buffer);
        const uint64_t left = buffer->bytes - std::min(buffer->bytes, info->offset);
        state->region =
            Region::Linear(info->offset, info->range == VK_WHOLE_SIZE ? left : info->range);
      });
}

void GetBufferDeviceAddress::Before(VkCall& call, VkDevice, const VkBufferDeviceAddressInfo* info) {
  // Shaders may write it by its address, which gpusan does not see.
  Resource* buffer = UseBuffer(call, info->buffer, "pInfo->buffer");
  if (buffer == nullptr) return;
  CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                   "VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT", "pInfo->buffer");
  using Fault = rules::SyncStateUse::Fault;
  const Features& features = call.device().features;
  if (!features.buffer_addresses) [[unlikely]]
    ReportSync(call, *buffer, Fault::kAddressWithoutFeature);
  {
    std::lock_guard lock(buffer->lock);
    buffer->init.MarkAll();
  }
  Resource* memory = ScopedOf(*buffer).memory.get();
  if (memory == nullptr || !memory->live()) return;
  const bool addressed = (BufferOf(*buffer).usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  if (addressed && features.flagged_addresses && !MemoryOf(*memory).addressable &&
      !MemoryOf(*memory).foreign && !ScopedOf(*buffer).foreign) [[unlikely]]
    ReportSync(call, *memory, Fault::kAddressWithoutFlag);
  std::lock_guard lock(MemoryOf(*memory).lock);
  MemoryOf(*memory).addressed = true;
}

void GetBufferDeviceAddress::After(VkCall& call, VkDeviceAddress address, VkDevice,
                                   const VkBufferDeviceAddressInfo* info) {
  auto* buffer = static_cast<Resource*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kBuffer, HandleOf(info->buffer)));
  if (buffer != nullptr && buffer->live()) call.device().addresses.Add(address, *buffer);
}

}  // namespace gpusan::vulkan
