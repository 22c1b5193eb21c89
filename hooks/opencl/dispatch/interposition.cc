// The wrappers of core entry points, one for each attach path, and the tables that lead to them.
#include "hooks/opencl/dispatch/interposition.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "hooks/common/base/next_symbol.h"
#include "hooks/opencl/commands/external_memory.h"
#include "hooks/opencl/commands/launches.h"
#include "hooks/opencl/commands/mappings.h"
#include "hooks/opencl/commands/markers.h"
#include "hooks/opencl/commands/svm.h"
#include "hooks/opencl/commands/transfers.h"
#include "hooks/opencl/dispatch/extension_lookup.h"
#include "hooks/opencl/dispatch/wrapper.h"
#include "hooks/opencl/kernels/kernels.h"
#include "hooks/opencl/objects/devices.h"
#include "hooks/opencl/objects/events.h"
#include "hooks/opencl/objects/memory.h"
#include "hooks/opencl/objects/objects.h"
#include "hooks/opencl/objects/queries.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::opencl {
namespace {

cl_icd_dispatch g_layer_table;
SpinLock g_symbols_lock;

template <typename Function, auto Member, typename Handler>
struct Wrapper;

// The CallInfo of each entry point. They are constants, so that a wrapper contains the address of
// its own.
#define GPUSAN_CL_HANDLED(name) constexpr CallInfo kInfo_##name = {#name, Api::kOpenCL};
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS

// The result of an exported wrapper when no library with the real function is loaded.
template <typename Result>
Result Unavailable() {
  if constexpr (std::is_same_v<Result, cl_int>) {
    return CL_INVALID_PLATFORM;
  } else if constexpr (!std::is_void_v<Result>) {
    return Result{};
  }
}

template <typename Result, typename... Arguments, auto Member, typename Handler>
struct Wrapper<Result(CL_API_CALL*)(Arguments...), Member, Handler> {
  using Function = Result(CL_API_CALL*)(Arguments...);

  template <AttachPath path, const CallInfo* info>
  static Result CL_API_CALL Enter(Arguments... arguments) {
    Function next = real_functions[path].*Member;
    if (next == nullptr) [[unlikely]] {
      // The caller may be a static initialiser that runs before the constructors of this library.
      if (CurrentHooks().next_symbol == nullptr && gpusan_prepare_opencl != nullptr)
        gpusan_prepare_opencl();
      if (CurrentHooks().next_symbol != nullptr) {
        next = reinterpret_cast<Function>(
            CurrentHooks().next_symbol(info->name, __builtin_return_address(0)));
      }
      if (next == nullptr) return Unavailable<Result>();
      cl_icd_dispatch& table = real_functions[path];
      SetRealFunction(path,
                      static_cast<size_t>(reinterpret_cast<const char*>(&(table.*Member)) -
                                          reinterpret_cast<const char*>(&table)),
                      reinterpret_cast<void*>(next));
      next = table.*Member;
    }
    return RunHandler<Handler>(path, *info, __builtin_return_address(0), __builtin_frame_address(0),
                               next, arguments...);
  }
};

#define GPUSAN_WRAPPER(name, path)                                                       \
  (&Wrapper<cl_api_##name, &cl_icd_dispatch::name, handlers::name>::template Enter<path, \
                                                                                   &kInfo_##name>)

template <AttachPath path>
void* FindWrapper(const char* name, size_t* slot) {
#define GPUSAN_CL_HANDLED(entry)                                 \
  if (std::strcmp(name, #entry) == 0) {                          \
    *slot = offsetof(cl_icd_dispatch, entry);                    \
    return reinterpret_cast<void*>(GPUSAN_WRAPPER(entry, path)); \
  }
#define GPUSAN_CL_PASS(entry, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
  return nullptr;
}

}  // namespace

const cl_icd_dispatch* AttachAsLayer(cl_uint entries, const cl_icd_dispatch* target,
                                     cl_uint* entries_ret) {
  // An older loader passes a smaller table: the entries past its end stay nullptr and are never
  // called.
  const size_t known = sizeof(cl_icd_dispatch) / sizeof(void*);
  const size_t shared = std::min<size_t>(entries, known);
  for (size_t i = 0; i < shared; ++i) {
    SetRealFunction(kLayerPath, i * sizeof(void*), reinterpret_cast<void* const*>(target)[i]);
  }
  std::memcpy(static_cast<void*>(&g_layer_table), target, shared * sizeof(void*));
#define GPUSAN_CL_HANDLED(name)                   \
  if (real_functions[kLayerPath].name != nullptr) \
    g_layer_table.name = GPUSAN_WRAPPER(name, kLayerPath);
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
  *entries_ret = static_cast<cl_uint>(shared);
  return &g_layer_table;
}

void* WrapperForSymbol(const char* name, void* real) {
  size_t slot = 0;
  if (FindWrapper<kSymbolPath>(name, &slot) == nullptr) return nullptr;
  std::lock_guard lock(g_symbols_lock);
  for (const AttachPath path : {kSymbolPath, kSymbolPath2}) {
    const void* const next = DriverFunctionAt(path, slot);
    if (next != nullptr && next != real) continue;
    SetRealFunction(path, slot, real);
    return path == kSymbolPath ? FindWrapper<kSymbolPath>(name, &slot)
                               : FindWrapper<kSymbolPath2>(name, &slot);
  }
  return nullptr;
}

void ForgetUnloadedFunctions() {
  // The loader gives its functions for the layer again when it is loaded again.
  for (const AttachPath path : {kExportPath, kSymbolPath, kSymbolPath2}) {
    for (size_t offset = 0; offset < sizeof(cl_icd_dispatch); offset += sizeof(void*)) {
      void** slot = &RealFunctionAt(path, offset);
      void* function = __atomic_load_n(slot, __ATOMIC_RELAXED);
      if (function == nullptr || IsLoadedFunction(DriverFunctionAt(path, offset))) continue;
      __atomic_compare_exchange_n(slot, &function, static_cast<void*>(nullptr), /*weak=*/false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
  }
}

// The functions behind the exported symbols (layer/attach/attach_opencl.cc).
extern "C" {
#define GPUSAN_CL_HANDLED(name)                                    \
  __attribute__((visibility("hidden"))) void* gpusan_slot_##name = \
      reinterpret_cast<void*>(GPUSAN_WRAPPER(name, kExportPath));
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
}

}  // namespace gpusan::opencl
