// Hashes of definitions that gpusan compares for compatibility: of layouts, samplers, render
// passes.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gpusan::vulkan {

// Equal definitions have equal hashes if the same values are added in the same order. For parts
// whose order does not count, add up the hashes of the parts.
class DefinitionHash {
 public:
  DefinitionHash() = default;
  explicit DefinitionHash(std::initializer_list<uint64_t> values) {
    for (const uint64_t value : values) Add(value);
  }
  void Add(uint64_t value) {
    value_ = (value_ ^ value) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  // Never 0.
  uint64_t value() const { return value_ | 1; }

 private:
  uint64_t value_ = 1;
};

}  // namespace gpusan::vulkan
