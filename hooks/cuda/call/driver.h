// The driver's real functions, and what layer/ supplies to the CUDA hooks.
#pragma once

#include <atomic>
#include <cstdint>

#include "cuda_slots.h"

namespace gpusan {
class Tracker;
}

namespace gpusan::cuda {

// How a call of the program reaches gpusan: through an interposed symbol, or through a CUPTI
// callback.
enum class AttachPath : uint8_t { kPreload, kCupti };
inline constexpr int kAttachPathCount = 2;

// The functions and settings that layer/ supplies before the first call, by SetHooks
// (interposition.h).
struct Hooks {
  // Returns the tracker of the process, which is created at the first call. nullptr switches the
  // hooks off.
  Tracker* (*tracker)(AttachPath path) = nullptr;
  // Returns the real function behind an exported wrapper, as the caller at `return_address` would
  // have resolved it.
  void* (*next_symbol)(const char* name, const void* return_address) = nullptr;
  // Returns the symbol `name` of the library that contains `function`.
  void* (*symbol_beside)(const char* name, const void* function) = nullptr;
  // As StartOwnThread (own_thread.h); may be nullptr.
  int (*start_thread)(const char* name, void (*run)(void*), void* argument) = nullptr;
  bool preload = true;  // false: the wrappers pass every call on
  // Also reports races that today's driver prevents without documenting it.
  bool strict = false;
  // Size of the guard zones of allocations [bytes]; 0: none.
  uint64_t guard_bytes = 0;
  // Each launch waits, and the guard zones of its arguments are checked.
  bool guard_every_launch = false;
  // The option protect_maps (streams/pinned_guards.h).
  bool protect_pinned = false;
};

namespace driver_internal {
// Written by dispatch/ only.
extern Hooks hooks;
extern std::atomic<void*> real[kSlotCount];
}  // namespace driver_internal

inline const Hooks& CurrentHooks() { return driver_internal::hooks; }

// The driver's function; nullptr when the driver has none of that name. Resolved from the driver's
// library once that is known. A process has one driver, so all wrappers share one table.
inline void* RealFunction(Slot slot) {
  return driver_internal::real[slot].load(std::memory_order_relaxed);
}

// The driver's function behind an exported name: GPUSAN_CU_REAL(cuCtxGetCurrent)(&context).
// nullptr where the driver is older than the function.
#define GPUSAN_CU_REAL(name) \
  (reinterpret_cast<decltype(&::name)>(::gpusan::cuda::RealFunction(::gpusan::cuda::kSlot_##name)))

}  // namespace gpusan::cuda
