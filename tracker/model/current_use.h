// The call that currently uses an object, for objects that only one thread at a time may use.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/call_info.h"

namespace gpusan {

// A call finds the newest other call that overlaps it in time. The end of any call hides the
// others. Two calls that begin at the same time may miss each other. No operation takes a lock or
// uses a locked instruction. Thread-safe.
class CurrentUse {
 public:
  struct Use {
    const CallInfo* call = nullptr;  // nullptr: none
    unsigned kind = 0;
    int32_t thread = 0;  // as gettid()
  };
  static constexpr unsigned kKinds = 4;

  // For a new object.
  void Reset() { call_.store(0, std::memory_order_relaxed); }
  bool InUse() const { return call_.load(std::memory_order_relaxed) != 0; }
  // `kind` is less than kKinds.
  void Begin(const CallInfo& call, unsigned kind, int32_t thread) {
    static_assert(alignof(CallInfo) >= kKinds);
    thread_.store(thread, std::memory_order_relaxed);
    call_.store(reinterpret_cast<uintptr_t>(&call) | kind, std::memory_order_release);
  }
  void End() { call_.store(0, std::memory_order_release); }
  Use Get() const {
    const uintptr_t call = call_.load(std::memory_order_acquire);
    const int32_t thread = thread_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (call == 0 || call_.load(std::memory_order_relaxed) != call) return {};
    return {reinterpret_cast<const CallInfo*>(call & ~uintptr_t{kKinds - 1}),
            static_cast<unsigned>(call & (kKinds - 1)), thread};
  }

 private:
  std::atomic<uintptr_t> call_{0};  // the address of its CallInfo, and the kind
  std::atomic<int32_t> thread_{0};
};

}  // namespace gpusan
