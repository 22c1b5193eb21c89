// Access to object fields that a sampler thread reads while the owning thread reuses the object.
//
// Such a field is an ordinary member. The thread that changes the object reads the field directly
// and writes it with StoreSampled. Other threads read it with LoadSampled and compare the object's
// generation before and after. Both functions are relaxed atomic accesses, which on x86-64 and
// AArch64 are the same instructions as ordinary accesses.
#pragma once

#include <atomic>
#include <type_traits>

namespace gpusan {

template <typename T>
inline void StoreSampled(T& field, std::type_identity_t<T> value) {
  std::atomic_ref<T>(field).store(value, std::memory_order_relaxed);
}

template <typename T>
inline T LoadSampled(const T& field) {
  return std::atomic_ref<T>(const_cast<T&>(field)).load(std::memory_order_relaxed);
}

// Call this between the change of an object's state or generation and the stores to its fields. A
// thread that reads one of the new fields then sees the change too. No instruction on x86-64.
inline void BeforeSampledStores() { std::atomic_thread_fence(std::memory_order_release); }

}  // namespace gpusan
