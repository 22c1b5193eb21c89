// The bytes that a compute pipeline accesses in the buffers of its descriptors, by the number of
// its workgroups.
#pragma once

#include <vulkan/vulkan_core.h>

#include <functional>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hooks/common/spirv/spirv_accesses.h"
#include "tracker/base/spin_lock.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/model/region.h"

namespace gpusan::vulkan {

// The workgroups of a dispatch; 0: not known.
struct Groups {
  uint32_t x = 0, y = 0, z = 0;

  friend bool operator==(const Groups&, const Groups&) = default;
};

// Thread-safe.
class DispatchRanges {
 public:
  // Reads an entry point of a module with the constants of a pipeline. nullptr: nothing is known.
  static std::shared_ptr<const DispatchRanges> Read(absl::Span<const uint32_t> code,
                                                    const char* entry,
                                                    const VkSpecializationInfo* constants);

  // The bytes that the descriptor of a binding covers; 0: not known.
  using BytesOfBinding = std::function<uint64_t(uint32_t set, uint32_t binding)>;
  using Uses = std::shared_ptr<const std::vector<LaunchUses>>;
  // The uses of all buffers by a dispatch. The result of the last call is kept. Precondition: the
  // groups are known.
  Uses UsesOf(const Groups& groups, const BytesOfBinding& bytes) const;
  // The uses of one binding among those of UsesOf; nullptr: not known.
  const LaunchUses* Find(const Uses& uses, uint32_t set, uint32_t binding) const;

 private:
  struct Binding {
    uint32_t set, binding;
  };
  std::vector<Binding> bindings_;  // in the order of the program's parameters
  LaunchProgram program_;
  uint32_t local_size_[3] = {};
  std::vector<SpirvLength> lengths_;

  using Numbers = absl::InlinedVector<LaunchInteger, 4>;
  mutable SpinLock lock_;  // guards what follows
  mutable Groups last_groups_;
  mutable Numbers last_numbers_;
  mutable Uses last_uses_;
};

// What is known of a shader's reads, or writes, in the range of a descriptor.
enum class KnownBytes : uint8_t {
  kNothing,
  kNone,     // there are none
  kMaybe,    // there may be none, and no bytes outside of the region
  kInside,   // the first byte of the region, and no bytes outside of it
  kExactly,  // each byte of the region, and no other bytes
};
// Narrows the region, the bytes that the descriptor covers. Nothing is known if an access may be
// outside of it: if that is defined, it may access other bytes of the region instead.
KnownBytes Narrow(const LaunchUses& uses, bool write, Region* region);

}  // namespace gpusan::vulkan
