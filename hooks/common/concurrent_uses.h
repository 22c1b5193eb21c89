// Calls of two threads that use one object at the same time, although its API allows one thread at
// a time (Vulkan: external synchronization).
//
// Each thread keeps the objects that its current calls use. An object keeps the thread that used it
// last. A call on another thread looks whether that thread is still inside of its call. Only calls
// that overlap in time are found, so a program that orders its calls has no finding. Two threads
// that begin at the same moment may both miss the other one.
//
// No operation takes a lock or uses a locked instruction, except for the first use of a thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/call_info.h"
#include "tracker/model/ids.h"

namespace gpusan {

class LastUser;

// A use of an object by a call of another thread.
struct OtherUse {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  uintptr_t part = 0;  // as given to UsesOfCall::Begin
  int32_t thread = 0;  // as gettid()
};

// The uses of the calls that one thread is inside of. Only its thread changes it; other threads may
// read it. Never unmapped; another thread may get it when its thread has ended.
struct ThreadUses {
  static constexpr uint32_t kMost = 6;  // further uses are not kept
  struct Use {
    std::atomic<const LastUser*> object{nullptr};
    std::atomic<const CallInfo*> call{nullptr};
    std::atomic<uintptr_t> part{0};
    std::atomic<SiteId> site{kUnknownSite};
  };
  std::atomic<uint32_t> count{0};
  std::atomic<int32_t> thread{0};
  Use uses[kMost];
  ThreadUses* next_free = nullptr;

  // Whether a call of the thread uses the object at this moment; describes it in `*other`.
  [[gnu::noinline, gnu::cold]] bool Has(const LastUser& object, OtherUse* other) const;
};

namespace concurrent_uses_internal {
extern __attribute__((tls_model("initial-exec"))) constinit thread_local ThreadUses* of_thread;
// Returns nullptr if the thread is ending or if there is no memory.
[[gnu::noinline, gnu::cold]] ThreadUses* Make();
}  // namespace concurrent_uses_internal

// The thread that used an object last. A member of the shadow state of an object that one thread at
// a time may use. Thread-safe.
class LastUser {
 public:
  // For a new object.
  void Reset() { thread_.store(nullptr, std::memory_order_relaxed); }
  bool IsThisThread() const {
    return thread_.load(std::memory_order_relaxed) == concurrent_uses_internal::of_thread;
  }
  // Whether another thread is inside of a call that uses the object.
  bool InUse(OtherUse* other) const {
    const ThreadUses* last = thread_.load(std::memory_order_acquire);
    if (last == nullptr || last == concurrent_uses_internal::of_thread) [[likely]]
      return false;
    return last->Has(*this, other);
  }

 private:
  friend class UsesOfCall;
  std::atomic<ThreadUses*> thread_{nullptr};
};

// Whether at most one thread of the process has begun a use. Thread-safe.
bool OneThreadUsed();

// The uses of one call, from their begin to the destruction on the same thread.
class UsesOfCall {
 public:
  UsesOfCall() = default;
  ~UsesOfCall() {
    for (; count_ != 0; --count_) End();
  }
  UsesOfCall(const UsesOfCall&) = delete;
  UsesOfCall& operator=(const UsesOfCall&) = delete;

  // Begins a use. Returns true, and describes the other use, if another thread is inside of a call
  // that uses the object. `part`: what is used of the object, for that thread's finding.
  [[gnu::always_inline]] bool Begin(LastUser& object, const CallInfo& call, SiteId site,
                                    uintptr_t part, OtherUse* other) {
    ThreadUses* mine = concurrent_uses_internal::of_thread;
    if (mine == nullptr) [[unlikely]] {
      mine = concurrent_uses_internal::Make();
      if (mine == nullptr) return false;
    }
    bool overlaps = false;
    if (object.thread_.load(std::memory_order_relaxed) != mine) [[unlikely]] {
      overlaps = object.InUse(other);
      object.thread_.store(mine, std::memory_order_relaxed);
    }
    const uint32_t index = mine->count.load(std::memory_order_relaxed);
    if (index >= ThreadUses::kMost) [[unlikely]]
      return overlaps;
    ThreadUses::Use& use = mine->uses[index];
    use.call.store(&call, std::memory_order_relaxed);
    use.part.store(part, std::memory_order_relaxed);
    use.site.store(site, std::memory_order_relaxed);
    use.object.store(&object, std::memory_order_release);
    mine->count.store(index + 1, std::memory_order_relaxed);
    thread_ = mine;
    ++count_;
    return overlaps;
  }

 private:
  void End() {
    const uint32_t index = thread_->count.load(std::memory_order_relaxed) - 1;
    if (index >= ThreadUses::kMost) [[unlikely]]  // reset in a child of fork
      return;
    thread_->uses[index].object.store(nullptr, std::memory_order_release);
    thread_->count.store(index, std::memory_order_relaxed);
  }

  ThreadUses* thread_ = nullptr;
  uint32_t count_ = 0;
};

}  // namespace gpusan
