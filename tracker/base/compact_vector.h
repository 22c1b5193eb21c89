// A vector with the size of one pointer, for state that most objects do not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace gpusan {

// Holds trivially copyable values and moves them as bytes. Not thread-safe. Ends the process when
// memory is exhausted, as operator new does. clear() keeps a small buffer for the next owner of the
// memory.
template <typename T>
class CompactVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> &&
                alignof(T) <= alignof(std::max_align_t));

 public:
  CompactVector() = default;
  CompactVector(const CompactVector&) = delete;
  CompactVector& operator=(const CompactVector&) = delete;
  ~CompactVector() { std::free(buffer_); }

  bool empty() const { return size() == 0; }
  size_t size() const { return buffer_ == nullptr ? 0 : buffer_->size; }
  T* begin() { return buffer_ == nullptr ? nullptr : items(); }
  T* end() { return begin() + size(); }
  const T* begin() const { return buffer_ == nullptr ? nullptr : items(); }
  const T* end() const { return begin() + size(); }
  T& operator[](size_t i) { return items()[i]; }
  const T& operator[](size_t i) const { return items()[i]; }

  // Appends T{fields...}, constructed in the buffer, and returns it. The fields must not refer to
  // elements of this vector.
  template <typename... Fields>
  T& emplace_back(const Fields&... fields) {
    if (buffer_ == nullptr || buffer_->size == buffer_->capacity) [[unlikely]]
      Grow();
    return *new (items() + buffer_->size++) T{fields...};
  }
  // Appends `value`, which may be an element of this vector.
  void push_back(const T& value) {
    const T copy = value;
    emplace_back(copy);
  }
  void erase(size_t at) {
    const size_t behind = --buffer_->size - at;
    if (behind != 0)
      std::memmove(static_cast<void*>(items() + at), items() + at + 1, behind * sizeof(T));
  }
  void clear() {
    if (buffer_ == nullptr) return;
    buffer_->size = 0;
    if (buffer_->capacity <= kKept) return;
    std::free(buffer_);
    buffer_ = nullptr;
  }

 private:
  static constexpr uint32_t kKept = 4;
  struct alignas(alignof(T) > 8 ? alignof(T) : 8) Buffer {
    uint32_t size, capacity;
  };

  T* items() { return reinterpret_cast<T*>(buffer_ + 1); }
  const T* items() const { return reinterpret_cast<const T*>(buffer_ + 1); }
  [[gnu::noinline]] void Grow() {
    const uint32_t size = static_cast<uint32_t>(this->size());
    const uint32_t capacity = buffer_ == nullptr ? 1 : buffer_->capacity * 2;
    void* grown = std::realloc(buffer_, sizeof(Buffer) + capacity * sizeof(T));
    if (grown == nullptr) __builtin_trap();
    buffer_ = static_cast<Buffer*>(grown);
    *buffer_ = {size, capacity};
  }

  Buffer* buffer_ = nullptr;
};

}  // namespace gpusan
