// What orders within a queue whose commands only barriers order (Vulkan): scopes, and the hazards
// between accesses that they leave.
//
// Stages and kinds of access are bits of 64-bit masks whose meaning is the caller's. The caller
// spells out what its API implies: all-commands, all reads, and the logically earlier (later)
// stages that an execution scope includes.
#pragma once

#include <cstdint>

namespace gpusan {

// A memory dependency; an execution dependency only where the access masks are 0.
struct ScopeBarrier {
  uint64_t source_order =
      0;  // stages of the first execution scope, with the logically earlier ones
  uint64_t source_stages = 0;  // of the first access scope
  uint64_t source_access = 0;
  uint64_t target_order = 0;  // stages of the second execution scope, with the logically later ones
  uint64_t target_stages = 0;
  uint64_t target_access = 0;
};

enum class Hazard : uint8_t { kNone, kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite };

// "RAW"; "" for none.
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
