// The accesses, by the summary, of the newest different launches of a kernel, and of all kernels of
// one function. Programs repeat their launches: sizes and integers stay the same, and only the
// memory changes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tracker/base/newest.h"
#include "tracker/base/spin_lock.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/calls/operation.h"
#include "tracker/calls/texel_overruns.h"

namespace gpusan {

// The accesses of a launch without a finding, relative to the resources of its arguments. A launch
// of the same sizes and values has the same accesses if its resources have the same sizes, and its
// images the same formats.
struct LaunchPattern {
  // An argument that is memory.
  struct Memory {
    uint32_t argument = 0;  // index
    uint64_t bytes = 0;     // size of the resource
    uint64_t offset = 0;    // of the pointer in the resource [bytes]
    std::optional<ImageInfo> image;
    bool read = false;
    ByteRange touched;  // all bytes of the resource that the launch may access
  };
  struct Use {
    uint32_t memory = 0;  // index into `memories`
    AccessKind kind;
    ByteRange bytes;  // of the resource
  };

  // Returns what a launch of the kernel with its current arguments accesses by `use`.
  Resource& ResourceOf(const Use& use, const Kernel& kernel) const {
    return *kernel.arguments[memories[use.memory].argument].resource.get();
  }

  std::vector<Memory> memories;  // by ascending argument
  std::vector<Use> uses;
  std::vector<WeakRef<Object>> samplers;  // as those of the kernel
};

struct KeptLaunch : std::enable_shared_from_this<KeptLaunch> {
  // The inputs on which the other members depend.
  LaunchShape shape;
  absl::InlinedVector<uint64_t, 8> values;

  std::vector<LaunchUses> uses;    // of each parameter
  std::vector<LaunchUses> locals;  // of each array in local memory
  std::vector<TexelRange> texels;

  // Counts a launch whose accesses were evaluated, up to two.
  void Count() {
    if (times_.load(std::memory_order_relaxed) < 2) times_.fetch_add(1, std::memory_order_relaxed);
  }
  bool repeated() const { return times_.load(std::memory_order_relaxed) >= 2; }

  // Returns the pattern; nullptr: not known. It lives as long as this object.
  const LaunchPattern* pattern() const { return pattern_.load(std::memory_order_acquire); }
  // Sets the pattern if there is none. Thread-safe.
  void SetPattern(LaunchPattern pattern);

  KeptLaunch() = default;
  KeptLaunch(const KeptLaunch&) = delete;
  KeptLaunch& operator=(const KeptLaunch&) = delete;
  ~KeptLaunch() { delete pattern_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint32_t> times_ = 0;
  std::atomic<const LaunchPattern*> pattern_ = nullptr;
};

inline constexpr size_t kMostKeptLaunches = 8;  // levels of a pyramid, passes of a sort

// The launches of one function of a program, which its kernels share. Thread-safe.
class FunctionLaunches {
 public:
  explicit FunctionLaunches(std::shared_ptr<const KernelSummary> summary);
  FunctionLaunches(const FunctionLaunches&) = delete;
  FunctionLaunches& operator=(const FunctionLaunches&) = delete;

  // Returns what a launch accesses. Evaluates it if the launch is not kept.
  std::shared_ptr<KeptLaunch> UsesOf(const LaunchShape& shape,
                                     const std::vector<KernelArgument>& arguments);
  // Returns the launch; nullptr: it is not kept.
  std::shared_ptr<KeptLaunch> Find(const LaunchShape& shape,
                                   const std::vector<KernelArgument>& arguments);
  // Returns whether the launch has these arguments, as far as its accesses depend on them. Takes no
  // lock.
  bool HasValues(const KeptLaunch& launch, const std::vector<KernelArgument>& arguments) const;

 private:
  std::shared_ptr<KeptLaunch> FindLocked(const LaunchShape& shape,
                                         const std::vector<KernelArgument>& arguments);
  // Calls `visit(uint64_t)` for the values on which the accesses of a launch depend, until it
  // returns false: values that formulas contain (for pointers, whether they are NULL), sizes of
  // local memory, and whether other values may be offsets.
  template <typename Visit>
  void VisitValues(const std::vector<KernelArgument>& arguments, Visit visit) const;
  // Sets `evaluated_`.
  void Evaluate(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);

  std::shared_ptr<const KernelSummary> summary_;
  std::vector<bool> named_;  // by argument: a formula names its value
  // The evaluated summaries: of the parameters, of the arrays in local memory, and of
  // `coordinates_`. The latter two are in `owned_`.
  std::vector<const ParameterSummary*> summaries_;
  std::vector<ParameterSummary> owned_;
  size_t parameters_ = 0, arrays_ = 0;
  std::vector<TexelRange> coordinates_;  // without their ranges

  SpinLock lock_;                         // guards the members below
  std::vector<LaunchUses> evaluated_;     // by `summaries_`; kept for its storage
  std::optional<LaunchProgram> program_;  // of `summaries_`, once it pays
  Newest<std::vector<std::shared_ptr<KeptLaunch>>, kMostKeptLaunches> launches_;
};

// The newest different launches of one kernel. The lock of the kernel guards it. Programs that
// create a kernel for each launch find the launch in those of the function.
class KeptLaunches {
 public:
  explicit KeptLaunches(std::shared_ptr<FunctionLaunches> function)
      : function_(std::move(function)) {}
  KeptLaunches(const KeptLaunches&) = delete;
  KeptLaunches& operator=(const KeptLaunches&) = delete;

  // Returns what a launch accesses. Evaluates it if neither the kernel nor its function keeps it.
  KeptLaunch& UsesOf(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);
  // Returns the launch if its pattern is known; nullptr: it is not known, or the kernel does not
  // keep the launch. Searches the launches of the function only while the kernel has none. Valid
  // until the next call; shared_from_this() holds it longer.
  const KeptLaunch* FindRepeated(const LaunchShape& shape,
                                 const std::vector<KernelArgument>& arguments);

  const std::shared_ptr<FunctionLaunches>& function() const { return function_; }

 private:
  // Returns the launch; nullptr: the kernel does not keep it.
  KeptLaunch* Find(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);

  std::shared_ptr<FunctionLaunches> function_;
  Newest<absl::InlinedVector<std::shared_ptr<KeptLaunch>, 1>, kMostKeptLaunches> launches_;
};

// Returns the values that symbols from kArgument on have in a launch: the integers among the
// arguments, and the derived numbers of the summary.
absl::InlinedVector<LaunchInteger, 16> IntegersOf(absl::Span<const KernelArgument> arguments,
                                                  const KernelSummary& summary,
                                                  const LaunchShape& shape);

// Returns what a launch with the current arguments accesses; valid until the lock of the kernel is
// released. Requires a summary and the lock of the kernel.
KeptLaunch& UsesOfLaunch(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
