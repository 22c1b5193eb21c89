// The real function behind an exported function, by caller.
#include "layer/attach/caller_bindings.h"

#include <dlfcn.h>

#include <mutex>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/sites/modules.h"
#include "layer/process/symbols.h"

namespace gpusan {
namespace {

bool IsOwn(const void* function) {
  Dl_info here, there;
  static const char mark = 0;
  return dladdr(&mark, &here) != 0 && dladdr(function, &there) != 0 &&
         here.dli_fbase == there.dli_fbase;
}

}  // namespace

void* CallerBindings::Find(const char* name, const void* return_address, bool next_first) {
  const uintptr_t caller = reinterpret_cast<uintptr_t>(return_address);
  const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
  BoundFunction& of_caller = of_callers_[(caller >> 2) % kCallers];
  void* known = nullptr;
  if (epoch_.load(std::memory_order_acquire) == epoch && of_caller.Read(caller, &known))
    return known;
  // Search the caller's own libraries first: the global scope may contain another copy.
  void* found = next_first ? NextSymbol(name) : nullptr;
  if (found == nullptr) found = SymbolNear(name, return_address);
  if (found == nullptr || IsOwn(found)) found = NextSymbol(name);
  std::lock_guard lock(lock_);
  if (found == nullptr) found = looked_up_;
  if (found == nullptr) return nullptr;
  if (epoch_.load(std::memory_order_relaxed) != epoch) {
    for (BoundFunction& one : of_callers_) one.Clear();
    epoch_.store(epoch, std::memory_order_release);
  }
  of_caller.Set(caller, found);
  return found;
}

bool CallerBindings::SetLookedUp(const char* name, void* real) {
  void* const next = NextSymbol(name);
  if (next != nullptr && next != real) return false;
  std::lock_guard lock(lock_);
  if (looked_up_ != nullptr && looked_up_ != real) return false;
  looked_up_ = real;
  return true;
}

}  // namespace gpusan
