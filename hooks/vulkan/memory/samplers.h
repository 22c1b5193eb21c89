// Samplers: their definition, which counts in the compatibility of descriptor set layouts.
#pragma once

#include <vulkan/vulkan_core.h>

#include <atomic>
#include <cstdint>

#include "hooks/vulkan/memory/creation_checks.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct SamplerState final : Pooled<SamplerState, HeldState> {
  // Hash of its definition: samplers with different hashes are not identically defined. 0: unknown.
  uint64_t identity = 0;
  bool unnormalized = false;  // unnormalizedCoordinates
  bool Equals(const SamplerState& other) const {
    return identity != 0 && identity == other.identity;
  }
  void Reset() {
    identity = 0;
    unnormalized = false;
    used.Clear();
  }
};

// Whether the process has created a sampler with unnormalized coordinates.
extern constinit std::atomic<bool> unnormalized_samplers;

// SamplerState::identity of a live sampler; 0 also for another handle.
uint64_t IdentityOfSampler(VkCall& call, VkSampler sampler);

struct CreateSampler {
  void Before(VkCall& call, VkDevice, const VkSamplerCreateInfo* info, const VkAllocationCallbacks*,
              VkSampler*) {
    CheckSamplerInfo(call, *info);
  }
  AfterOf<PFN_vkCreateSampler> After;
};
using DestroySampler = DestroyHeld<ObjectKind::kSampler, VkSampler>;

}  // namespace gpusan::vulkan
