// The kinds of images that a device supports up to its limits, as far as the program has created
// them.
#pragma once

#include <vulkan/vulkan_core.h>

#include <atomic>
#include <cstdint>

#include "hooks/vulkan/call/definition_hash.h"

namespace gpusan::vulkan {

// A cache of kinds: the format, type, tiling, usage, flags and samples of images. Thread-safe,
// without a lock.
class KnownImages {
 public:
  // A hash of the kind; kinds with equal hashes count as one.
  static uint64_t KindOf(const VkImageCreateInfo& info) {
    const auto word = [](auto value) { return static_cast<uint64_t>(value); };
    return DefinitionHash({word(info.format) << 32 | info.usage,
                           word(info.flags) << 32 | word(info.samples) << 16 |
                               word(info.tiling) << 8 | word(info.imageType)})
        .value();
  }
  bool Has(uint64_t kind) const { return SlotOf(kind).load(std::memory_order_relaxed) == kind; }
  void Add(uint64_t kind) { SlotOf(kind).store(kind, std::memory_order_relaxed); }

 private:
  using Slot = std::atomic<uint64_t>;
  const Slot& SlotOf(uint64_t kind) const { return slots_[kind >> 58]; }
  Slot& SlotOf(uint64_t kind) { return slots_[kind >> 58]; }

  Slot slots_[64] = {};
};

}  // namespace gpusan::vulkan
