// Kernels and the values of their parameters.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tracker/model/clock.h"
#include "tracker/model/current_use.h"
#include "tracker/model/kernel_summary.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"

namespace gpusan {

enum class Direction : uint8_t { kUnknown, kRead, kWrite, kReadWrite, kNone };
enum class ArgumentKind : uint8_t { kUnknown, kValue, kMemory, kLocal, kSampler, kQueue };

// A copy of the first bytes of an argument of more than 8 bytes. Has room only if a formula of the
// kernel's summary uses such an argument. Not thread-safe; only Reserve allocates.
class LargeValue {
 public:
  LargeValue() = default;
  LargeValue(const LargeValue& other) { *this = other; }
  LargeValue(LargeValue&&) noexcept = default;
  LargeValue& operator=(const LargeValue& other) {
    kept_ = other.kept_ != nullptr ? std::make_unique<Kept>(*other.kept_) : nullptr;
    return *this;
  }
  LargeValue& operator=(LargeValue&&) noexcept = default;

  // Makes room for the first `bytes` bytes of the value.
  void Reserve(uint32_t bytes) {
    if (kept_ == nullptr) kept_ = std::make_unique<Kept>();
    if (kept_->room < bytes && bytes <= kMaxFieldEnd) kept_->room = bytes;
  }
  // Copies the value. nullptr: the value is not known.
  void Set(const void* value, uint64_t bytes) {
    if (kept_ == nullptr) [[likely]]
      return;
    kept_->known = value != nullptr && bytes >= kept_->room;
    if (kept_->known) std::memcpy(kept_->bytes, value, kept_->room);
  }
  // The bytes; empty: they are not known.
  absl::Span<const uint8_t> bytes() const {
    return kept_ != nullptr && kept_->known ? absl::MakeConstSpan(kept_->bytes, kept_->room)
                                            : absl::Span<const uint8_t>();
  }

 private:
  struct Kept {
    uint32_t room = 0;  // [bytes]
    bool known = false;
    uint8_t bytes[kMaxFieldEnd] = {};
  };
  std::unique_ptr<Kept> kept_;
};

// One parameter of a kernel and its current value.
struct KernelArgument {
  // From the program's parameter information; kUnknown without it.
  ArgumentKind kind = ArgumentKind::kUnknown;
  Direction direction = Direction::kUnknown;
  bool integral = false;  // a scalar integer of at most 8 bytes
  bool image = false;     // an image or pipe, for which NULL is no value
  bool image_array = false;
  uint8_t image_dimensions = 0;  // as ImageInfo::dimensions; 0: not known
  uint16_t element_bytes = 0;    // of the value, or of what a pointer points to; 0: unknown
  bool set = false;
  bool svm = false;
  uint8_t value_bytes = 0;     // size of `value`; 0: the value is not known
  WeakRef<Resource> resource;  // set if the last value is a memory object or SVM pointer
  uint64_t offset = 0;         // SVM pointers: [bytes] from the start of the resource
  uint64_t value = 0;          // integral scalars; local memory: its size [bytes]
  LargeValue large;            // of more bytes than `value` has

  // True if the value may contain an offset: a non-zero integer, or a structure passed by value.
  bool MayBeOffset() const {
    return set && (kind == ArgumentKind::kValue || kind == ArgumentKind::kUnknown) &&
           (value != 0 || !integral);
  }
  // The value is the pointer NULL.
  bool IsNull() const {
    return set && kind == ArgumentKind::kMemory && value_bytes == sizeof(value) && value == 0 &&
           resource.object == nullptr;
  }
};

class KeptLaunches;  // tracker/calls/kept_launches.h

// The positions of a kernel's newest launches in the order, by which findings name the kernel of a
// command. Thread-safe.
class RecentLaunches {
 public:
  void Note(Epoch epoch) { epochs_[epoch.tick() % kKept].store(epoch, std::memory_order_relaxed); }
  bool Contains(Epoch epoch) const {
    return epochs_[epoch.tick() % kKept].load(std::memory_order_relaxed) == epoch;
  }
  void Clear() {
    for (std::atomic<Epoch>& epoch : epochs_) epoch.store(Epoch(), std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t kKept = 4;
  std::atomic<Epoch> epochs_[kKept] = {};
};

struct Kernel : Object {
  Kernel* next_free = nullptr;
  std::string name;
  WeakRef<Object> program;
  std::vector<KernelArgument> arguments;
  std::vector<std::string> argument_names;
  std::vector<WeakRef<Resource>> indirect;  // SVM named by execution information
  std::vector<WeakRef<Object>> samplers;    // by argument; empty until the first one is set
  // Local memory that arguments request [bytes], and the amount that `local_device` is known to
  // have.
  uint64_t local_bytes = 0;
  uint64_t local_checked = 0;
  uintptr_t local_device = 0;
  // The program was built for some devices only; one that needs no further check.
  bool partly_built = false;
  uintptr_t built_device = 0;
  bool has_argument_info = false;
  uint32_t images = 0;  // parameters that are images or pipes (KernelArgument::image)
  // The accesses of its code; nullptr: unknown. Constant after creation.
  std::shared_ptr<const KernelSummary> summary;
  CurrentUse user;          // only of APIs whose hooks note it
  RecentLaunches launches;  // only of APIs whose hooks note them
  // The accesses of the newest launches, by the summary; nullptr: none was evaluated. Guarded by
  // `lock`.
  std::shared_ptr<KeptLaunches> kept;
};

}  // namespace gpusan
