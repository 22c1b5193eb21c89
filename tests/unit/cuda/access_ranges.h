// What the summary of a kernel says: kinds of access, and the bytes that one launch can access.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hooks/cuda/analysis/kernel_access.h"

namespace gpusan::cuda {

struct LaunchSize {
  std::array<uint32_t, 3> grid{1, 1, 1};   // blocks
  std::array<uint32_t, 3> block{1, 1, 1};  // threads
};

struct AccessRange {
  uint32_t code_offset = 0;  // bytes
  uint8_t kind = 0;          // one AccessKind
  // False if the addresses cannot be computed. The access is then anywhere behind its pointers.
  bool bounded = false;
  // True if every thread executes the access: the first and the last byte of the range are
  // accessed. False if the range is what the access could touch; guarded accesses usually touch
  // less.
  bool always = false;
  uint64_t first = 0, end = 0;  // addresses; `end` is behind the last byte
};

// The range of each access of `access.accesses`, in their order. `parameters` is the parameter
// block of the launch.
std::vector<AccessRange> RangesFor(const KernelAccess& access, const LaunchSize& size,
                                   std::span<const unsigned char> parameters);

// The kinds of access that are possible through the pointer at `offset` of the parameter block.
uint8_t KindsAt(const KernelAccess& access, uint16_t offset);

}  // namespace gpusan::cuda
