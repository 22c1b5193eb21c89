// The doors to the CUDA driver: exported cu* symbols, names looked up by dlsym, and what
// cuGetProcAddress answers lead to one wrapper a function; CUPTI's callbacks lead to the same
// handlers (cupti_callbacks.h).
//
// All wrappers share one table of real functions: a process has one driver.
#pragma once

#include <cstdint>

#include "cuda_slots.h"

namespace gpusan {
class Tracker;
}

namespace gpusan::cuda {

enum class Door : uint8_t { kPreload, kCupti };
inline constexpr int kDoorCount = 2;

// What layer/ supplies before the first call comes in.
struct Hooks {
  // The process's tracker; made at the first call. nullptr switches the hooks off.
  Tracker* (*tracker)(Door door) = nullptr;
  // The real function that an exported wrapper stands for, as the caller at `return_address` would
  // have got it.
  void* (*next_symbol)(const char* name, const void* return_address) = nullptr;
  // What `name` is in the library that `function` belongs to.
  void* (*symbol_beside)(const char* name, const void* function) = nullptr;
  // As StartOwnThread (own_thread.h); may be nullptr.
  int (*start_thread)(const char* name, void (*run)(void*), void* argument) = nullptr;
  bool preload = true;  // false: the wrappers pass everything on
  // Races that rest on what the driver does today and its documents do not promise are judged too.
  bool strict = false;
};
void SetHooks(const Hooks& hooks);
const Hooks& CurrentHooks();
// Hooks::tracker is asked again at the next call, and nothing is known of contexts and streams any
// more: after a fork, in the child. Async-signal-safe.
void ForgetTracker();

// Supplied by layer/ where there is one: calls SetHooks. Called when a call comes in before that.
extern "C" __attribute__((weak, visibility("hidden"))) void gpusan_prepare_cuda_door();

// The dlsym door: the wrapper for `real`, which the driver gives for `name`; nullptr when the name
// has no row: then the real function is right.
void* WrapperForSymbol(const char* name, void* real);
// The wrapper of what cuGetProcAddress answered for `symbol`, which may be any version of it:
// decided by the address. `real` itself when it is not watched.
void* WrapperForAddress(void* real);

// The driver's function; nullptr when it has none of that name. Resolved from the driver's library
// once that is known.
void* RealFunction(Slot slot);
// The driver's library became known by one of its functions.
void AdoptDriver(const void* function);

// Drops the functions of a driver that was unloaded: the next call looks up those of the driver
// that is loaded then. Takes no lock; does not touch the functions of a driver that is loaded.
void ForgetUnloadedFunctions();

const char* NameOf(Slot slot);

// Calls of the program seen so far, those of all doors; through the preload doors alone.
uint64_t CallsSeen();
uint64_t PreloadCallsSeen();

}  // namespace gpusan::cuda
