// The doors for OpenCL: a layer of the ICD loader, exported symbols, and names looked up by dlsym.
#include <CL/cl_layer.h>
#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "hooks/host/guard.h"
#include "hooks/host/next_symbol.h"
#include "hooks/opencl/door.h"
#include "layer/dlsym.h"
#include "layer/runtime.h"
#include "layer/shadow.h"

namespace gpusan {
namespace {

Tracker* EnterThrough(opencl::Door door) {
  static constexpr const char* kNames[] = {"opencl-layer", "opencl-preload", "opencl-dlsym",
                                           "opencl-dlsym"};
  Runtime::Get().Activate(door, kNames[door]);
  return &Shadow();
}

// A definition of `name` in the file that holds `address`, or in what that file depends on.
void* SymbolNear(const char* name, const void* address) {
  ReentryGuard guard;
  Dl_info file;
  if (address == nullptr || dladdr(address, &file) == 0 || file.dli_fname == nullptr)
    return nullptr;
  void* handle = dlopen(file.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  void* found = RealDlsym()(handle, name);
  dlclose(handle);
  return found;
}

// What the caller would have been bound to without gpusan. A plug-in that was opened with
// RTLD_LOCAL brings its OpenCL library in a scope of its own, which RTLD_NEXT does not search: its
// own handle does.
void* NextFor(const char* name, const void* return_address) {
  ReentryGuard guard;
  void* next = NextSymbol(name);
  return next != nullptr ? next : SymbolNear(name, return_address);
}

}  // namespace

extern "C" __attribute__((constructor, visibility("hidden"))) void gpusan_prepare_opencl_door() {
  static std::atomic<bool> prepared{false};
  if (prepared.load(std::memory_order_acquire)) return;
  ReentryGuard guard;
  opencl::Hooks hooks;
  hooks.tracker = &EnterThrough;
  hooks.next_symbol = &NextFor;
  hooks.symbol_beside = &SymbolNear;
  const Options& options = Runtime::Get().options();
  hooks.kernel_arg_info = options.kernel_arg_info;
  if (options.opencl_door == "layer") hooks.doors = 1u << opencl::kLayerDoor;
  if (options.opencl_door == "preload") hooks.doors = ~(1u << opencl::kLayerDoor);
  if (options.opencl_door == "off") hooks.doors = 0;
  opencl::SetHooks(hooks);
  substitute_symbol.store(&opencl::WrapperForSymbol, std::memory_order_release);
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
  *layer_ret = gpusan::opencl::EnterAsLayer(num_entries, target, num_entries_ret);
  return CL_SUCCESS;
}

}  // extern "C"

// The exported functions: each is a jump to its wrapper, so that the wrapper sees the program's own
// return address.
#if defined(__x86_64__)
#define GPUSAN_JUMP(name) "jmp *gpusan_slot_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define GPUSAN_JUMP(name) \
  "adrp x16, gpusan_slot_" #name "\nldr x16, [x16, :lo12:gpusan_slot_" #name "]\nbr x16\n"
#else
#error "the exported OpenCL symbols need a jump for this architecture"
#endif
#define GPUSAN_CL_HANDLED(name)                                     \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name \
      ":\n" GPUSAN_JUMP(name) ".size " #name ", .-" #name "\n");
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
