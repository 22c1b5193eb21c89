// The accesses of launches, found by the execution of the kernel's first thread. Used if the
// summary of the kernel has no byte ranges.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "hooks/cuda/kernels/functions.h"
#include "hooks/cuda/kernels/launch_arguments.h"
#include "hooks/cuda/machine_code/first_thread.h"
#include "tracker/base/spin_lock.h"
#include "tracker/objects/address_map.h"

namespace gpusan::cuda {

// Whether there are accesses of which no bytes are known.
bool HasOpenBytes(absl::Span<const LaunchUses> uses);

// Belongs to a Function. Programs repeat their launches: the results of some of the last ones are
// kept with the words of the parameter block on which they depend. Thread-safe.
class LaunchExecution {
 public:
  // The parameter block of a launch.
  class Block {
   public:
    // `known`: the range of allocations.
    Block(absl::Span<const uint64_t> words, const AddressMap::Span& known)
        : words_(words), known_(known) {}
    absl::Span<const unsigned char> bytes() const {
      return {reinterpret_cast<const unsigned char*>(words_.data()), words_.size() * 8};
    }
    uint32_t WordAt(uint32_t offset) const;
    // Whether there is a pointer. Integers can be where other launches have pointers.
    bool IsPointerAt(uint32_t offset) const;

   private:
    absl::Span<const uint64_t> words_;
    const AddressMap::Span known_;
  };

  // `pointers`: the offsets of KernelUses::pointers in the parameter block.
  LaunchExecution(std::unique_ptr<const ThreadCode> code, const std::vector<uint32_t>& pointers);

  // Returns `uses` with the accesses that the first thread of the launch surely makes. Returns
  // `uses` itself if there is nothing to add. If threads of the launch may wait for others
  // (KernelUses::RunsAlone), `before_waits` must be true: the accesses are those in front of all
  // that can order them.
  SharedUses Add(const LaunchShape& shape, const Block& block, bool before_waits,
                 const SharedUses& uses);
  // True once too many launches differed: from then on, Add executes none.
  bool exhausted() const { return exhausted_.load(std::memory_order_relaxed); }

 private:
  // A word of the parameter block that the thread may depend on: its bits in `mask` are `value`,
  // and `pointer` states whether a pointer begins there.
  struct Dependence {
    uint32_t offset = 0;  // [bytes]
    uint32_t value = 0, mask = 0;
    bool pointer = false;
  };
  struct Result {
    LaunchShape shape;
    bool before_waits = false;
    std::vector<Dependence> dependences;
    std::vector<ThreadAccess> accesses;  // with numbers of KernelUses::pointers
    SharedUses before, after;            // of the last call of Add with this result
  };
  Dependence DependenceOn(const Block& block, uint32_t word) const;
  static bool Fits(const Result& result, const LaunchShape& shape, const Block& block);
  static SharedUses With(const SharedUses& uses, const Result& result);
  // The result that fits; nullptr: none. Requires the lock, as Keep does.
  Result* Find(const LaunchShape& shape, const Block& block, bool before_waits);
  // Replaces the oldest result if there are too many.
  Result* Keep(Result result);
  Result Execute(const LaunchShape& shape, const Block& block, bool before_waits) const;

  static constexpr size_t kKept = 8;         // results
  static constexpr uint32_t kMaxRuns = 256;  // without as many launches that were known

  const std::unique_ptr<const ThreadCode> code_;
  std::vector<uint32_t> pointers_;  // ascending offsets
  std::vector<uint32_t> numbers_;   // of pointers_ in KernelUses::pointers
  SpinLock lock_;                   // guards what follows
  std::vector<Result> results_;
  size_t oldest_ = 0;
  uint32_t runs_ = 0;
  std::atomic<bool> exhausted_{false};
};

}  // namespace gpusan::cuda
