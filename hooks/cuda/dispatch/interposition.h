// Interposition of the CUDA driver. Exported cu* symbols, names resolved by dlsym, and the answers
// of cuGetProcAddress lead to one wrapper for each driver function. CUPTI's callbacks lead to the
// same handlers (cupti_callbacks.h).
//
// Thread-safe unless said otherwise.
#pragma once

#include <cstdint>

#include "hooks/cuda/call/driver.h"

namespace gpusan::cuda {

// Called by layer/ before the first call of the program. Not thread-safe.
void SetHooks(const Hooks& hooks);
// Resets the hooks in the child of fork(): runs all ForkReset functions, and the next call gets a
// tracker from Hooks::tracker. Async-signal-safe; the child must have one thread.
void ForgetTracker();

// Defined by layer/, where that is linked: calls SetHooks. Wrappers call it when a call of the
// program comes before SetHooks.
extern "C" __attribute__((weak, visibility("hidden"))) void gpusan_prepare_cuda();

// For dlsym: returns the wrapper for `real`, which the driver exports as `name`. nullptr when no
// row (entry_points/) names the function or when `real` is not the driver's: then the caller uses
// `real`.
void* WrapperForSymbol(const char* name, void* real);
// For cuGetProcAddress, which may answer with any version of a function: returns the wrapper of the
// driver function at that address, or `real` itself when that is not intercepted.
void* WrapperForAddress(void* real);

// Fills the table of real functions from the library that contains `function`, at the first call.
void AdoptDriver(const void* function);

// Drops the functions of a driver that was unloaded: the next call looks up those of the driver
// that is loaded then. Takes no lock; does not touch the functions of a driver that is loaded.
void ForgetUnloadedFunctions();

// The exported name; static.
const char* NameOf(Slot slot);

// Calls of the program so far: through all attach paths; through preload alone.
uint64_t CallsSeen();
uint64_t PreloadCallsSeen();

}  // namespace gpusan::cuda
