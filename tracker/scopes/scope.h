// Synchronization scopes for queues whose commands only barriers order (Vulkan), and the hazards
// between accesses that no scope orders.
//
// Stages and accesses are bits of 64-bit masks. The caller defines their meaning. The caller also
// expands implicit bits of its API: all-commands, all reads, and the logically earlier (later)
// stages that an execution scope includes.
#pragma once

#include <cstdint>

namespace gpusan {

// A memory dependency. With access masks of 0 it is only an execution dependency.
struct ScopeBarrier {
  // Stages of the first execution scope, including the logically earlier stages.
  uint64_t source_order = 0;
  uint64_t source_stages = 0;  // first access scope
  uint64_t source_access = 0;
  // Stages of the second execution scope, including the logically later stages.
  uint64_t target_order = 0;
  uint64_t target_stages = 0;  // second access scope
  uint64_t target_access = 0;
};

enum class Hazard : uint8_t { kNone, kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite };

// Returns "RAW", "WAR" or "WAW"; "" for kNone.
constexpr const char* HazardName(Hazard hazard) {
  switch (hazard) {
    case Hazard::kReadAfterWrite:
      return "RAW";
    case Hazard::kWriteAfterRead:
      return "WAR";
    case Hazard::kWriteAfterWrite:
      return "WAW";
    case Hazard::kNone:
      break;
  }
  return "";
}

}  // namespace gpusan
