// The attach paths for OpenCL: a layer of the ICD loader, exported symbols, and names looked up by
// dlsym.
#include <CL/cl_layer.h>

#include <atomic>
#include <cstring>

#include "hooks/common/guard.h"
#include "hooks/opencl/call/call.h"
#include "hooks/opencl/dispatch/interposition.h"
#include "hooks/opencl/guards/guards.h"
#include "hooks/opencl/objects/delays.h"
#include "hooks/opencl/objects/events.h"
#include "hooks/opencl/objects/map_guards.h"
#include "hooks/opencl/words/vocabulary.h"
#include "layer/attach/dlsym.h"
#include "layer/attach/export_jump.h"
#include "layer/process/symbols.h"
#include "layer/runtime/kernel_summaries.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"

namespace gpusan {
namespace {

Tracker* EnterThrough(opencl::AttachPath path) {
  static constexpr const char* kNames[] = {"opencl-layer", "opencl-preload", "opencl-dlsym",
                                           "opencl-dlsym"};
  Runtime::Get().Activate(Api::kOpenCL, path, kNames[path]);
  return &Shadow();
}

bool MayRunLater(const Tracker& tracker) {
  return tracker.ordering().MayHaveUnsetEvents() || opencl::AnyOutsideDelay();
}

void AtEnd(Tracker& tracker) {
  opencl::SettleMapGuards(tracker);
  opencl::ReportMissingTimes(tracker);
}

constexpr ApiPart kPart = {Api::kOpenCL,   &opencl::CallsSeen,
                           &opencl::Words, &opencl::ForgetTrackers,
                           nullptr,        &AtEnd,
                           nullptr,        &opencl::ForgetUnloadedFunctions,
                           nullptr,        &opencl::UnguardedCount,
                           nullptr,        &MayRunLater};

}  // namespace

extern "C" __attribute__((constructor, visibility("hidden"))) void gpusan_prepare_opencl() {
  static std::atomic<bool> prepared{false};
  if (prepared.load(std::memory_order_acquire)) return;
  ReentryGuard guard;
  opencl::Hooks hooks;
  hooks.tracker = &EnterThrough;
  hooks.next_symbol = &NextSymbolFor;
  hooks.symbol_beside = &SymbolNear;
  const Options& options = Runtime::Get().options();
  hooks.kernel_arg_info = options.kernel_arg_info;
  hooks.shield = options.shield;
  hooks.guard_bytes = static_cast<uint64_t>(options.guard);
  hooks.guard_every_launch = options.guard_every_launch;
  if (hooks.guard_bytes != 0) {
    hooks.guarded_function = &opencl::GuardedFunction;
    hooks.function_behind_guard = &opencl::FunctionBehindGuard;
  }
  if (options.opencl_attach == "layer") hooks.attach_paths = 1u << opencl::kLayerPath;
  if (options.opencl_attach == "preload") hooks.attach_paths = ~(1u << opencl::kLayerPath);
  if (options.opencl_attach == "off") hooks.attach_paths = 0;
  if (options.protect_maps) opencl::GuardMaps();
  InstallKernelSummaries();
  opencl::SetHooks(hooks);
  AddApi(kPart);
  SubstituteSymbols(Api::kOpenCL, &opencl::WrapperForSymbol);
  prepared.store(true, std::memory_order_release);
}

}  // namespace gpusan

extern "C" {

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name,
                                                                         size_t size, void* value,
                                                                         size_t* size_ret) {
  static constexpr cl_layer_api_version kVersion = CL_LAYER_API_VERSION_100;
  static constexpr char kName[] = "gpusan";
  const void* answer = nullptr;
  size_t bytes = 0;
  switch (param_name) {
    case CL_LAYER_API_VERSION:
      answer = &kVersion;
      bytes = sizeof(kVersion);
      break;
    case CL_LAYER_NAME:
      answer = kName;
      bytes = sizeof(kName);
      break;
    default:
      return CL_INVALID_VALUE;
  }
  if (value != nullptr && size < bytes) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, answer, bytes);
  if (size_ret != nullptr) *size_ret = bytes;
  return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL
clInitLayer(cl_uint num_entries, const cl_icd_dispatch* target, cl_uint* num_entries_ret,
            const cl_icd_dispatch** layer_ret) {
  if (target == nullptr || layer_ret == nullptr || num_entries_ret == nullptr)
    return CL_INVALID_VALUE;
  gpusan::ReentryGuard guard;
  *layer_ret = gpusan::opencl::AttachAsLayer(num_entries, target, num_entries_ret);
  return CL_SUCCESS;
}

}  // extern "C"

// Each exported function jumps to its wrapper, so that the wrapper sees the program's own return
// address.
#define GPUSAN_CL_HANDLED(name) GPUSAN_EXPORT_JUMP(name, gpusan_slot_##name)
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
