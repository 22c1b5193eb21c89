// Functions that belong to no loaded file: those of an interpreter, by name, file and first line.
//
// Thread-safe; reading takes no lock. Memory comes from the kernel and is never released.
#pragma once

#include <cstdint>

#include "hooks/common/sites/site.h"

namespace gpusan {

// Limits of a SourceFrame, which is kept in one word.
inline constexpr int kMaxSourceLine = (1 << 24) - 1;
inline constexpr int kMaxSourceColumn = (1 << 15) - 1;
inline constexpr uint32_t kMaxFunctions = 1u << 20;

// The word of a frame: its highest bit is 1, then function, line and column.
inline uint64_t WordOf(const SourceFrame& frame) {
  return uint64_t{1} << 63 | uint64_t{frame.function} << 39 | uint64_t{frame.line} << 15 |
         frame.column;
}
inline SourceFrame SourceFrameFrom(uint64_t word) {
  return {static_cast<uint32_t>(word >> 39 & 0xffffff),
          static_cast<uint32_t>(word >> 15 & 0xffffff), static_cast<uint32_t>(word & 0x7fff)};
}

// Copies the function into the table, unless an equal one is there. Ignores `id`. Returns its id; 0
// if the table is full.
uint32_t InternFunction(const SiteFunction& function);

void ResetFunctionsAfterFork();

}  // namespace gpusan
