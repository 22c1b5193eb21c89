// Finds the real function of an exported wrapper.
#include "layer/process/symbols.h"

#include <dlfcn.h>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/guard.h"

namespace gpusan {

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

void* NextSymbolFor(const char* name, const void* return_address) {
  ReentryGuard guard;
  void* next = NextSymbol(name);
  return next != nullptr ? next : SymbolNear(name, return_address);
}

}  // namespace gpusan
