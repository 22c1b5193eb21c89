// Interposed dlsym, dlvsym and dlclose. The stubs in dlsym_stub.S ask here first and otherwise jump
// to the real function with the program's own return address, which is what RTLD_NEXT and
// RTLD_DEFAULT go by.
#include "layer/dlsym.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "hooks/common/guard.h"
#include "hooks/common/next_symbol.h"
#include "hooks/common/site.h"
#include "hooks/host/host_interposition.h"
#include "layer/process_functions.h"
#include "layer/shadow.h"

namespace gpusan {

namespace {

constinit std::atomic<SubstituteSymbol> g_substitutes[3] = {};

// Of the API that the name belongs to; -1: of none.
int ApiOf(const char* name) {
  if (name == nullptr) return -1;
  if (name[0] == 'c' && name[1] == 'l') return 0;
  if (name[0] == 'c' && name[1] == 'u') return 1;
  if (name[0] == 'v' && name[1] == 'k') return 2;
  return -1;
}

// Already a wrapper: the program looks up a function that an exported wrapper gave it.
bool IsOurs(void* function) {
  dl_find_object of_function, of_us;
  return _dl_find_object(function, &of_function) == 0 &&
         _dl_find_object(reinterpret_cast<void*>(&IsOurs), &of_us) == 0 &&
         of_function.dlfo_map_start == of_us.dlfo_map_start;
}

// Answers of Substitute beside a function: nullptr, to ask the real dlsym; kNotFound, to give NULL.
const char* const kNotFound = reinterpret_cast<const char*>(1);

// Makes dlerror say what it says of a name that nobody has.
void FailLookUp(const char* name) {
  if (void* c_library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD); c_library != nullptr) {
    RealDlsym()(c_library, name);
    dlclose(c_library);
  }
}

constinit std::atomic<uint64_t> g_unloaded_files{0};

// Drops what is cached of files that were unloaded since the last call. Beside dlclose it is called
// at look-ups: not every dlclose comes here (RTLD_DEEPBIND, other namespaces).
void ForgetUnloadedFiles() {
  const ReentryGuard guard;
  const uint64_t now = UnloadedFiles();
  if (g_unloaded_files.load(std::memory_order_acquire) == now) return;
  ForgetUnloadedModules();
  ForEachApi([](const ApiPart& part) {
    if (part.after_unload != nullptr) part.after_unload();
  });
  // Only now: another thread that unloads a file meanwhile does the same once more.
  g_unloaded_files.store(now, std::memory_order_release);
}

template <typename LookUp>
void* Substitute(void* handle, const char* name, LookUp look_up) {
  const int api = ApiOf(name);
  if (api < 0 || ReentryGuard::Active()) return nullptr;
  const SubstituteSymbol substitute = g_substitutes[api].load(std::memory_order_acquire);
  // Who asks for RTLD_NEXT wants what comes after itself.
  if (substitute == nullptr || handle == RTLD_NEXT) return nullptr;
  void* real = look_up();
  if (handle == RTLD_DEFAULT) {
    // The exported wrappers are found, also where the program would have found nothing and gone on
    // without that API.
    if (real == nullptr || !IsOurs(real) || NextSymbol(name) != nullptr) return nullptr;
    FailLookUp(name);
    return const_cast<char*>(kNotFound);
  }
  if (real == nullptr || IsOurs(real)) return real;
  // The libraries of another namespace are not those that a handler would ask.
  if (!IsInThisNamespace(real)) return real;
  ForgetUnloadedFiles();
  ExpectGpuUse();
  void* wrapper = substitute(name, real);
  return wrapper != nullptr ? wrapper : real;
}

}  // namespace

void SubstituteSymbols(char second_letter, SubstituteSymbol substitute) {
  const int api = second_letter == 'l' ? 0 : second_letter == 'u' ? 1 : 2;
  g_substitutes[api].store(substitute, std::memory_order_release);
}

}  // namespace gpusan

// Shared with dlsym_stub.S, hidden. Each answers what to return, or nullptr after setting where to
// jump.
extern "C" {

__attribute__((visibility("hidden"))) void* gpusan_real_dlsym = nullptr;
__attribute__((visibility("hidden"))) void* gpusan_real_dlvsym = nullptr;

__attribute__((visibility("hidden"))) void* gpusan_substitute_dlsym(void* handle,
                                                                    const char* name) {
  const gpusan::DlsymFunction real = gpusan::RealDlsym();
  __atomic_store_n(&gpusan_real_dlsym, reinterpret_cast<void*>(real), __ATOMIC_RELAXED);
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
