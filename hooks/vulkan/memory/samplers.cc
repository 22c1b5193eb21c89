// Samplers: their definition.
#include "hooks/vulkan/memory/samplers.h"

#include <bit>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/definition_hash.h"

namespace gpusan::vulkan {
namespace {

// Without the members that other members switch off, so that equal samplers have equal hashes.
uint64_t IdentityOf(const VkSamplerCreateInfo& info) {
  DefinitionHash identity;
  const auto add = [&identity](uint64_t value) { identity.Add(value); };
  const auto add_float = [&](float value) {
    add(std::bit_cast<uint32_t>(value + 0.0f));  // -0.0 is 0.0
  };
  VkSamplerReductionMode reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
  for (const auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    // Other structures change the definition in ways that gpusan does not know.
    if (at->sType != VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO) return 0;
    reduction = reinterpret_cast<const VkSamplerReductionModeCreateInfo*>(at)->reductionMode;
  }
  add(static_cast<uint64_t>(reduction));
  add(info.flags);
  add(static_cast<uint64_t>(info.magFilter) << 32 | static_cast<uint32_t>(info.minFilter));
  add(static_cast<uint64_t>(info.mipmapMode));
  bool border = false;
  for (const VkSamplerAddressMode mode :
       {info.addressModeU, info.addressModeV, info.addressModeW}) {
    add(static_cast<uint64_t>(mode));
    border |= mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  }
  add_float(info.mipLodBias);
  add(info.anisotropyEnable != VK_FALSE);
  if (info.anisotropyEnable != VK_FALSE) add_float(info.maxAnisotropy);
  add(info.compareEnable != VK_FALSE);
  if (info.compareEnable != VK_FALSE) add(static_cast<uint64_t>(info.compareOp));
  add_float(info.minLod);
  add_float(info.maxLod);
  if (border) add(static_cast<uint64_t>(info.borderColor));
  add(info.unnormalizedCoordinates != VK_FALSE);
  return identity.value();
}

}  // namespace

constinit std::atomic<bool> unnormalized_samplers{false};

uint64_t IdentityOfSampler(VkCall& call, VkSampler sampler) {
  const auto* object = static_cast<const PlainObject*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kSampler, HandleOf(sampler)));
  const auto* state = DescriptionOf<SamplerState>(object);
  return state != nullptr ? state->identity : 0;
}

void CreateSampler::After(VkCall& call, VkResult code, VkDevice, const VkSamplerCreateInfo* info,
                          const VkAllocationCallbacks*, VkSampler* handle) {
  if (code != VK_SUCCESS) {
    call.tracker().objects().NoteFailedCreation(call, ObjectKind::kSampler, code, 0);
    return;
  }
  const bool unnormalized = info->unnormalizedCoordinates != VK_FALSE;
  if (unnormalized) unnormalized_samplers.store(true, std::memory_order_relaxed);
  KeepShared<SamplerState>(call, ObjectKind::kSampler, HandleOf(*handle), [&](SamplerState* state) {
    state->identity = IdentityOf(*info);
    state->unnormalized = unnormalized;
  });
}

}  // namespace gpusan::vulkan
