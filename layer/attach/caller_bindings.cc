// The real function behind an exported function, by caller.
#include "layer/attach/caller_bindings.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
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
  const size_t at = (caller >> 2) % kCallers;
  {
    std::lock_guard lock(lock_);
    if (epoch_ == epoch && callers_[at] == caller) return functions_[at];
  }
  // Search the caller's own libraries first: the global scope may contain another copy.
  void* found = next_first ? NextSymbol(name) : nullptr;
  if (found == nullptr) found = SymbolNear(name, return_address);
  if (found == nullptr || IsOwn(found)) found = NextSymbol(name);
  std::lock_guard lock(lock_);
  if (found == nullptr) found = looked_up_;
  if (found == nullptr) return nullptr;
  if (epoch_ != epoch) std::fill(std::begin(callers_), std::end(callers_), 0);
  epoch_ = epoch;
  callers_[at] = caller;
  functions_[at] = found;
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
