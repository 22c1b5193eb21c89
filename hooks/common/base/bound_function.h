// One entry of a cache of functions by caller, which is read without a lock.
#pragma once

#include <atomic>
#include <cstdint>

namespace gpusan {

// Thread-safe, if one thread at a time calls Set and Clear.
class BoundFunction {
 public:
  // Stores the function of `key`, which is not 0, and returns true, or returns false if the entry
  // has another key.
  bool Read(uintptr_t key, void** function) const {
    if (key_.load(std::memory_order_acquire) != key) return false;
    *function = function_.load(std::memory_order_acquire);
    return key_.load(std::memory_order_relaxed) == key;  // false: Set has replaced the entry
  }
  void Set(uintptr_t key, void* function) {
    Clear();
    std::atomic_thread_fence(std::memory_order_release);
    function_.store(function, std::memory_order_relaxed);
    key_.store(key, std::memory_order_release);
  }
  void Clear() { key_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<uintptr_t> key_{0};
  std::atomic<void*> function_{nullptr};
};

}  // namespace gpusan
