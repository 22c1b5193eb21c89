// Interposed dlsym, dlvsym and dlclose. The stubs in dlsym_stub.S first call the functions of this
// file. If these return nullptr, the stubs jump to the real function, so that it sees the program's
// own return address: RTLD_NEXT and RTLD_DEFAULT depend on it.
#include "layer/attach/dlsym.h"

#include <dlfcn.h>

#include <atomic>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/guard.h"
#include "hooks/common/sites/site.h"
#include "layer/attach/python_pools.h"
#include "layer/process/process_functions.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"

namespace gpusan {

namespace {

constinit std::atomic<SubstituteSymbol> g_substitutes[kApiCount] = {};  // by Api

// Whether `name` begins with `prefix`. Calls no function: the runtime of a sanitizer looks symbols
// up before its wrapper of strncmp works.
bool StartsWith(const char* name, const char* prefix) {
  for (; *prefix != '\0'; ++prefix, ++name) {
    if (*name != *prefix) return false;
  }
  return true;
}

// Returns the API whose functions begin like the name; kNone for other names.
Api ApiOf(const char* name) {
  if (name == nullptr) return Api::kNone;
#define GPUSAN_API(symbol, lower, human, prefix, handles, waits, attach, device, ...) \
  if (StartsWith(name, prefix)) return Api::k##symbol;
#include "tracker/apis.def"
#undef GPUSAN_API
#ifdef GPUSAN_CUDA
  // layer/attach/attach_libraries.cc
  if (StartsWith(name, "nccl") || StartsWith(name, "MPI_")) return Api::kCuda;
#endif
  return Api::kNone;
}

// Returns true if the function is in this library, which means that it is already a wrapper.
bool IsOurs(void* function) {
  dl_find_object of_function, of_us;
  return _dl_find_object(function, &of_function) == 0 &&
         _dl_find_object(reinterpret_cast<void*>(&IsOurs), &of_us) == 0 &&
         of_function.dlfo_map_start == of_us.dlfo_map_start;
}

// Substitute returns a function, nullptr (the stub calls the real dlsym), or kNotFound (the stub
// returns NULL).
const char* const kNotFound = reinterpret_cast<const char*>(1);

// Sets the error of dlerror to that of an undefined symbol.
void FailLookUp(const char* name) {
  if (void* c_library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD); c_library != nullptr) {
    RealDlsym()(c_library, name);
    dlclose(c_library);
  }
}

constinit std::atomic<uint64_t> g_unloaded_files{0};

// Drops the cached data of files that were unloaded since the last call. Look-ups call it as well
// as dlclose, because not every dlclose is intercepted (RTLD_DEEPBIND, other namespaces).
void ForgetUnloadedFiles() {
  const ReentryGuard guard;
  const uint64_t now = UnloadedFiles();
  if (g_unloaded_files.load(std::memory_order_acquire) == now) return;
  ForgetUnloadedModules();
  ForEachApi([](const ApiPart& part) {
    if (part.after_unload != nullptr) part.after_unload();
  });
  // Store the count last: until then, other threads drop the data as well instead of skipping it.
  g_unloaded_files.store(now, std::memory_order_release);
}

template <typename LookUp>
void* Substitute(void* handle, const char* name, LookUp look_up) {
  const Api api = ApiOf(name);
  if (api == Api::kNone || ReentryGuard::Active()) return nullptr;
  const SubstituteSymbol substitute =
      g_substitutes[static_cast<int>(api)].load(std::memory_order_acquire);
  // RTLD_NEXT means the definition after the caller's file: return the real one.
  if (substitute == nullptr || handle == RTLD_NEXT) return nullptr;
  void* real = look_up();
  if (handle == RTLD_DEFAULT) {
    // The real dlsym finds the exported wrappers even if no library of the API is loaded. The
    // look-up must fail then, as it would without gpusan: the program may continue without the API.
    if (real == nullptr || !IsOurs(real) || NextSymbol(name) != nullptr) return nullptr;
    FailLookUp(name);
    return const_cast<char*>(kNotFound);
  }
  if (real == nullptr || IsOurs(real)) return real;
  // The wrappers call libraries of this namespace, so functions of other namespaces have none.
  if (!IsInThisNamespace(real)) return real;
  ForgetUnloadedFiles();
  // The first call of the API looks for interpreters again.
  static constinit std::atomic<bool> expected{false};
  if (!expected.exchange(true, std::memory_order_relaxed)) Runtime::ExpectGpu();
  void* wrapper = substitute(name, real);
  return wrapper != nullptr ? wrapper : real;
}

}  // namespace

void SubstituteSymbols(Api api, SubstituteSymbol substitute) {
  g_substitutes[static_cast<int>(api)].store(substitute, std::memory_order_release);
}

}  // namespace gpusan

// Hidden symbols for dlsym_stub.S. Each function sets the address of the real function, and returns
// the result for the program, or nullptr if the stub has to jump to the real function.
extern "C" {

__attribute__((visibility("hidden"))) void* gpusan_real_dlsym = nullptr;
__attribute__((visibility("hidden"))) void* gpusan_real_dlvsym = nullptr;

__attribute__((visibility("hidden"))) void* gpusan_substitute_dlsym(void* handle,
                                                                    const char* name) {
  const gpusan::DlsymFunction real = gpusan::RealDlsym();
  __atomic_store_n(&gpusan_real_dlsym, reinterpret_cast<void*>(real), __ATOMIC_RELAXED);
#ifdef GPUSAN_CUDA
  // CPython is about to load an extension module.
  if (name != nullptr && gpusan::StartsWith(name, "PyInit_")) gpusan::WatchPythonPools();
#endif
  return gpusan::Substitute(handle, name, [&] { return real(handle, name); });
}

__attribute__((visibility("hidden"))) void* gpusan_substitute_dlvsym(void* handle, const char* name,
                                                                     const char* version) {
  const gpusan::DlvsymFunction real = gpusan::RealDlvsym();
  __atomic_store_n(&gpusan_real_dlvsym, reinterpret_cast<void*>(real), __ATOMIC_RELAXED);
  return gpusan::Substitute(handle, name, [&] { return real(handle, name, version); });
}

__attribute__((visibility("default"))) int dlclose(void* handle) {
  const int result = gpusan::RealProcess().dlclose(handle);
  gpusan::ForgetUnloadedFiles();
  return result;
}

}  // extern "C"
