// What the newest different launches of a kernel access by its summary. Programs repeat their
// launches: sizes and integers stay the same, and only the memory changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
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
  std::vector<Memory> memories;  // by ascending argument
  std::vector<Use> uses;
  std::vector<WeakRef<Object>> samplers;  // as those of the kernel
};

struct KeptLaunch {
  // What the following depends on.
  LaunchShape shape;
  std::vector<uint64_t> values;

  std::vector<LaunchUses> uses;    // of each parameter
  std::vector<LaunchUses> locals;  // of each array in local memory
  std::vector<TexelRange> texels;
  uint32_t times = 0;                            // how often it came
  std::shared_ptr<const LaunchPattern> pattern;  // nullptr: not known
};

// The lock of the kernel guards it.
class KeptLaunches {
 public:
  // The summary must outlive it.
  explicit KeptLaunches(const KernelSummary& summary);
  KeptLaunches(const KeptLaunches&) = delete;
  KeptLaunches& operator=(const KeptLaunches&) = delete;

  // Returns what a launch accesses. Evaluates it if the launch is not kept.
  KeptLaunch& UsesOf(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);
  // Returns the launch; nullptr: it is not kept.
  KeptLaunch* Find(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);

 private:
  static constexpr size_t kKept = 8;  // levels of a pyramid, passes of a sort

  KeptLaunch& Add(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);
  bool HasValues(const KeptLaunch& launch, const std::vector<KernelArgument>& arguments) const;
  // What the accesses of a launch depend on: values that formulas name (of pointers: whether they
  // are NULL), sizes of local memory, and whether other values may be offsets. Calls
  // `visit(uint64_t)` until it returns false.
  template <typename Visit>
  void VisitValues(const std::vector<KernelArgument>& arguments, Visit visit) const;

  std::vector<bool> named_;  // by argument: a formula names its value
  // Sets `evaluated_`.
  void Evaluate(const LaunchShape& shape, const std::vector<KernelArgument>& arguments);

  // What is evaluated: the parameters, the arrays in local memory, and `coordinates_`. The latter
  // two are in `owned_`.
  std::vector<const ParameterSummary*> summaries_;
  std::vector<ParameterSummary> owned_;
  size_t parameters_ = 0, arrays_ = 0;
  std::vector<TexelRange> coordinates_;   // without their ranges
  std::vector<LaunchUses> evaluated_;     // by `summaries_`; kept for its storage
  std::optional<LaunchProgram> program_;  // of `summaries_`, once it pays

  std::vector<std::unique_ptr<KeptLaunch>> launches_;
  size_t newest_ = 0;  // index of the launch that was found or added last
  size_t next_ = 0;    // index of the launch to replace
};

// Returns the values of the integers among the arguments.
absl::InlinedVector<LaunchInteger, 16> IntegersOf(absl::Span<const KernelArgument> arguments);

// Returns what a launch with the current arguments accesses. Requires a summary and the lock of the
// kernel.
KeptLaunch& UsesOfLaunch(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
