// Fields of objects that samples read from another thread while the object's own thread reuses it.
//
// Such a field is a plain member: the thread that changes the object reads it as it likes and
// stores with StoreSampled; other threads read with LoadSampled and compare the object's generation
// before and after. Both are relaxed atomic accesses: on x86-64 and AArch64 the instructions of a
// plain access.
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

// Between the change of an object's state or generation and the stores to its fields: who sees one
// of the new fields sees the change too. No instruction on x86-64.
inline void BeforeSampledStores() { std::atomic_thread_fence(std::memory_order_release); }

}  // namespace gpusan
