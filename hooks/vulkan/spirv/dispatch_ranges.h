// The bytes that a compute pipeline accesses in the buffers of its descriptors, and in those whose
// addresses are push constants, by the number of its workgroups and its push constants. The bytes
// that a vertex or fragment shader accesses in the latter.
#pragma once

#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

// The push constants of compute shaders, as far as they are known.
struct PushConstants {
  static constexpr uint32_t kMost = 128;  // later ones are not kept [bytes]
  alignas(8) unsigned char bytes[kMost] = {};
  uint32_t known = 0;  // a bit for each 4 bytes

  // `offset` and `size`: in bytes.
  void Write(uint32_t offset, uint32_t size, const void* values) {
    if (offset >= kMost || offset % 4 != 0 || size % 4 != 0) return;
    size = std::min(size, kMost - offset);
    std::memcpy(bytes + offset, values, size);
    known |= static_cast<uint32_t>((uint64_t{1} << size / 4) - 1) << offset / 4;
  }
  // Returns false if the value is not known. `size`: at most 8 [bytes].
  bool Read(uint64_t offset, uint64_t size, void* value) const {
    const uint64_t last = offset + size - 1;
    if (last >= kMost || (known >> offset / 4 & 1) == 0 || (known >> last / 4 & 1) == 0)
      return false;
    std::memcpy(value, bytes + offset, size);
    return true;
  }
};

// The values of the first push constants that the formulas of a shader name.
struct PushedNumbers {
  static constexpr size_t kMost = 6;
  uint64_t values[kMost] = {};
  uint8_t bytes[kMost] = {};  // of each value; 0: not known

  friend bool operator==(const PushedNumbers&, const PushedNumbers&) = default;
};

// The inputs on which the accessed bytes of a dispatch depend.
struct DispatchInputs {
  Groups groups;
  Groups base;  // the identifier of the first workgroup
  PushedNumbers pushed;

  friend bool operator==(const DispatchInputs&, const DispatchInputs&) = default;
};
// For findings: the workgroups, and the first one if it is not the first of all.
std::string GroupsText(const DispatchInputs& inputs);

// The values of a pipeline for specialization constants. nullptr has none. nullopt: they cannot be
// read.
std::optional<std::vector<SpirvSpecialization>> SpecializationOf(
    const VkSpecializationInfo* constants);

// Thread-safe.
class DispatchRanges {
 public:
  // Reads an entry point of a module with the constants of a pipeline. nullptr: nothing is known.
  static std::shared_ptr<const DispatchRanges> Read(absl::Span<const uint32_t> code,
                                                    const char* entry,
                                                    const VkSpecializationInfo* constants);
  // The same for a shader of draws, of which only the buffers at addresses are known. nullptr: also
  // if there are none.
  static std::shared_ptr<const DispatchRanges> ReadDraws(absl::Span<const uint32_t> code,
                                                         const char* entry,
                                                         const VkSpecializationInfo* constants,
                                                         SpirvStage stage);

  // The bytes that the descriptor of a binding covers; 0: not known.
  using BytesOfBinding = std::function<uint64_t(uint32_t set, uint32_t binding)>;
  using Uses = std::shared_ptr<const std::vector<LaunchUses>>;
  // Whether formulas name push constants.
  bool reads_pushes() const { return !pushed_.empty(); }
  PushedNumbers Pushed(const PushConstants& constants) const;
  // The uses of all buffers by a dispatch; or by a draw, of those that name neither its vertices
  // nor its instances. Some results are kept. Precondition: the groups are known; of a draw, one.
  Uses UsesOf(const DispatchInputs& inputs, const BytesOfBinding& bytes) const;
  // The uses of all buffers by a draw. `shape`: its vertices and instances.
  std::vector<LaunchUses> UsesOfDraw(const LaunchShape& shape, const PushedNumbers& pushed) const;
  // The uses of one binding among those of UsesOf; nullptr: not known.
  const LaunchUses* Find(const Uses& uses, uint32_t set, uint32_t binding) const;
  // An address of a buffer that the shader accesses.
  struct Address {
    uint64_t offset = 0;  // in the push constants [bytes]
    // Of a vertex shader: whether its accesses depend on the number of the vertex or instance.
    bool names_vertex = false, names_instance = false;
  };
  // The addresses that the shader uses. An offset may occur twice.
  absl::Span<const Address> addresses() const { return addresses_; }
  // The uses of the buffer at addresses()[index], from its address on.
  const LaunchUses& UsesOfAddress(const std::vector<LaunchUses>& uses, size_t index) const {
    return uses[bindings_.size() + index];
  }

 private:
  struct Binding {
    uint32_t set, binding;
  };
  // In the order of the program's parameters.
  std::vector<Binding> bindings_;
  std::vector<Address> addresses_;
  LaunchProgram program_;
  uint32_t local_size_[3] = {};
  std::vector<SpirvNumber> numbers_;
  absl::InlinedVector<uint32_t, PushedNumbers::kMost> pushed_;  // indices into numbers_

  static std::shared_ptr<const DispatchRanges> Read(absl::Span<const uint32_t> code,
                                                    const char* entry,
                                                    const VkSpecializationInfo* constants,
                                                    SpirvStage stage);

  using Numbers = absl::InlinedVector<LaunchInteger, 4>;
  struct Kept {
    Groups groups, base;
    Numbers numbers;
    Uses uses;
  };
  static constexpr size_t kKept = 8;
  mutable SpinLock lock_;           // guards kept_
  mutable std::vector<Kept> kept_;  // a hash table with kKept entries; the key is the values
};

// Bytes of a buffer: [first, last), or, with gaps, at least the first and the last one of them.
struct SureBytes {
  int64_t first = 0, last = 0;
  bool gaps = false;
};
// Finds accesses that surely happen, and surely end after the first `bytes` bytes.
std::optional<SureBytes> FindPastTheEnd(const LaunchUse& use, uint64_t bytes);

// How well the reads, or the writes, of a shader in the range of a descriptor are known.
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
