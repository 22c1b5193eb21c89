// Attach paths: the ways by which calls of the program reach gpusan, and the state of each.
//
// An attach path has its own table of real functions: the loader's layer table, the functions
// behind the exported symbols, and those of each library whose functions the program looked up by
// dlsym. The wrappers of all attach paths call the same handlers. A call that passes two attach
// paths is handled on the outer one only (ReentryGuard).
#pragma once

#include "hooks/opencl/words/dispatch_table.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracker/base/call_counter.h"

namespace gpusan {
class Tracker;
}

namespace gpusan::opencl {

// kSymbolPath2 serves a second library when the program looks up the same name in two.
enum AttachPath { kLayerPath, kExportPath, kSymbolPath, kSymbolPath2, kAttachPathCount };

// The functions and settings that layer/ supplies before the first call.
struct Hooks {
  // Returns the tracker of the process and creates it at the first call. nullptr switches the hooks
  // off.
  Tracker* (*tracker)(AttachPath path) = nullptr;
  // Returns the real function behind an exported wrapper, as the dynamic linker resolves it for the
  // caller at `return_address`.
  void* (*next_symbol)(const char* name, const void* return_address) = nullptr;
  // Returns the symbol `name` of the library that contains `function`. Needed for libraries that
  // were opened with RTLD_LOCAL.
  void* (*symbol_beside)(const char* name, const void* function) = nullptr;
  bool kernel_arg_info = true;
  // Calls with a handle that names no usable object are answered with the API's error code and do
  // not reach the driver.
  bool shield = false;
  // Size of the guard zones of buffers and shared memory [bytes]; 0: none.
  uint64_t guard_bytes = 0;
  // Each launch waits, and the guard zones of its arguments are checked.
  bool guard_every_launch = false;
  // Returns the function that replaces the driver's function at `offset` [bytes] of the table of
  // `path`, and the reverse (hooks/opencl/guards/guards.h). nullptr without guard zones.
  void* (*guarded_function)(AttachPath path, size_t offset, void* real) = nullptr;
  void* (*function_behind_guard)(AttachPath path, size_t offset, void* function) = nullptr;
  // Bit 1 << AttachPath: calls on the other attach paths pass through. The layer and the exported
  // symbols can be active in the same process.
  uint32_t attach_paths = ~0u;
};
// Not thread-safe: call it before the first intercepted call.
void SetHooks(const Hooks& hooks);
const Hooks& CurrentHooks();

// Runs `function` before each call, inside of a ReentryGuard and without locks. The calls then
// leave the fast way to the tracker. Not thread-safe: call it before the first intercepted call.
void RunBeforeCalls(void (*function)(Tracker& tracker));

// Makes the next call on each attach path call Hooks::tracker again. For the child of a fork.
// Async-signal-safe.
void ForgetTrackers();

// Calls admitted so far on all attach paths.
uint64_t CallsSeen();

// Supplied by layer/ where it is linked in: calls SetHooks. A wrapper calls it when the program
// calls before the constructors of the library have run.
extern "C" __attribute__((weak, visibility("hidden"))) void gpusan_prepare_opencl();

// The real functions of each attach path; nullptr: not resolved yet, or the driver has none.
inline constinit cl_icd_dispatch real_functions[kAttachPathCount] = {};

// The entry at `offset` [bytes] of the table of `path`.
inline void*& RealFunctionAt(AttachPath path, size_t offset) {
  return *reinterpret_cast<void**>(reinterpret_cast<char*>(&real_functions[path]) + offset);
}

// Stores the driver's function at `offset`, or its replacement.
inline void SetRealFunction(AttachPath path, size_t offset, void* real) {
  const Hooks& hooks = CurrentHooks();
  RealFunctionAt(path, offset) =
      hooks.guarded_function != nullptr ? hooks.guarded_function(path, offset, real) : real;
}

// Returns the driver's function at `offset`; nullptr: not resolved yet.
inline void* DriverFunctionAt(AttachPath path, size_t offset) {
  void* const function = RealFunctionAt(path, offset);
  const Hooks& hooks = CurrentHooks();
  return hooks.function_behind_guard != nullptr
             ? hooks.function_behind_guard(path, offset, function)
             : function;
}

namespace attach_internal {
// What Hooks::tracker returned; nullptr before the first call on the path, and always nullptr on a
// path whose calls pass through.
inline constinit std::atomic<Tracker*> trackers[kAttachPathCount] = {};
inline constinit CallCounter calls;
Tracker* RequestTracker(AttachPath path);
}  // namespace attach_internal

// Counts a call of the program on `path` and returns its tracker; nullptr: the call passes through
// and is not counted. Thread-safe.
[[gnu::always_inline]] inline Tracker* Admit(AttachPath path) {
  Tracker* tracker = attach_internal::trackers[path].load(std::memory_order_acquire);
  if (tracker == nullptr) [[unlikely]] {
    tracker = attach_internal::RequestTracker(path);
    if (tracker == nullptr) return nullptr;
  }
  attach_internal::calls.Count();
  return tracker;
}

}  // namespace gpusan::opencl
