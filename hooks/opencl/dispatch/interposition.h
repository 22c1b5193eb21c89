// The wrappers of OpenCL entry points and the doors that lead to them.
//
// A door is one way in with the real functions behind it: the loader's layer table, the exported
// symbols, and each library whose functions a program looked up by dlsym. The wrappers of all doors
// call the same handlers; a call that passes two doors is counted at the outer one (ReentryGuard).
#pragma once

#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <atomic>
#include <cstdint>

namespace gpusan {
class Tracker;
}

namespace gpusan::opencl {

enum Door { kLayerDoor, kExportDoor, kSymbolDoor, kSymbolDoor2, kDoorCount };

// What layer/ supplies before the first call comes in.
struct Hooks {
  // The process's tracker; made at the first call. nullptr switches the hooks off.
  Tracker* (*tracker)(Door door) = nullptr;
  // The real function that an exported wrapper stands for, as the caller at `return_address` would
  // have got it.
  void* (*next_symbol)(const char* name, const void* return_address) = nullptr;
  // What `name` is in the library that `function` belongs to; for libraries that were opened with
  // RTLD_LOCAL.
  void* (*symbol_beside)(const char* name, const void* function) = nullptr;
  bool kernel_arg_info = true;
  // Bit per Door: calls through the others are not watched. The layer and the rest can both be
  // there.
  uint32_t doors = ~0u;
};
void SetHooks(const Hooks& hooks);
// Hooks::tracker is asked again at the next call of each door: after a fork, in the child.
// Async-signal-safe.
void ForgetTrackers();

// Supplied by layer/ where there is one: calls SetHooks. Called when a call comes in before that.
extern "C" __attribute__((weak, visibility("hidden"))) void gpusan_prepare_opencl_door();

// The layer door: keeps the loader's functions and returns the table with gpusan's. `entries` as
// the loader gave it.
const cl_icd_dispatch* EnterAsLayer(cl_uint entries, const cl_icd_dispatch* target,
                                    cl_uint* entries_ret);

// The dlsym door: the wrapper for `real`, which some library gives for `name`; nullptr when the
// name has no row (or more libraries than doors are in use): then the real function is right.
void* WrapperForSymbol(const char* name, void* real);

// Drops the real functions of libraries that were unloaded; the wrappers look them up again. Takes
// no lock; does not touch the functions of libraries that are loaded.
void ForgetUnloadedFunctions();

// Calls seen so far, those of all doors.
uint64_t CallsSeen();

}  // namespace gpusan::opencl
