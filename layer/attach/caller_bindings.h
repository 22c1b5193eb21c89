// The real function behind an exported function of a library of which a process may load several
// copies: each caller gets the function to which it is bound.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hooks/common/base/bound_function.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

// A cache of the real functions of one name, by return address of the caller. Thread-safe.
class CallerBindings {
 public:
  // Returns the function to which the caller at `return_address` would be bound without gpusan; if
  // there is none, the one of SetLookedUp, or nullptr. Does not change errno.
  void* Real(const char* name, const void* return_address) {
    return Find(name, return_address, false);
  }
  // As Real, but prefers the next definition in the search order: tools that are preloaded behind
  // this library replace functions of MPI.
  void* RealBehind(const char* name, const void* return_address) {
    return Find(name, return_address, true);
  }
  // The program looked the function up by dlsym and will call it through the wrapper. Returns false
  // if callers may reach another function of that name: the wrapper cannot replace both.
  bool SetLookedUp(const char* name, void* real);

 private:
  void* Find(const char* name, const void* return_address, bool next_first);

  static constexpr size_t kCallers = 64;
  SpinLock lock_;  // of all changes
  // module_epoch at the look-ups. After a change, the addresses may belong to other files.
  std::atomic<uint32_t> epoch_{0};
  BoundFunction of_callers_[kCallers];
  void* looked_up_ = nullptr;
};

}  // namespace gpusan
