// What a launch accesses through its arguments, by the summary of its kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tracker/calls/operation.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// The sizes of a launch. Dimensions that the launch does not have keep their initial values.
struct LaunchShape {
  uint64_t global_size[3] = {1, 1, 1};  // [work items]
  uint64_t global_offset[3] = {0, 0, 0};
  uint64_t local_size[3] = {1, 1, 1};  // 0: not known

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

// What is known of the reads, or of the writes, of a launch through one parameter.
struct LaunchUse {
  bool possible = false;  // there may be such accesses
  bool sure = false;      // at least one work item has one
  bool ranged = false;    // all of them are inside of [first, last)
  bool exact = false;     // each byte of [first, last) is accessed
  int64_t first = 0;      // from the pointer [bytes]
  int64_t last = 0;
  // The longest range of which each byte is accessed; empty: none is known.
  int64_t core_first = 0;
  int64_t core_last = 0;
  // The first and the last byte of [end_first, end_last) are accessed; empty: none is known.
  int64_t end_first = 0;
  int64_t end_last = 0;

  bool has_core() const { return core_first < core_last; }
  bool has_ends() const { return end_first < end_last; }
};
struct LaunchUses {
  LaunchUse reads, writes;
  bool atomics = false;  // there may be atomic or volatile accesses, which are in neither
};

// The value of an integer that formulas name by kArgument + i.
struct LaunchInteger {
  uint64_t value = 0;
  uint8_t bytes = 0;  // 0: not known

  friend bool operator==(const LaunchInteger&, const LaunchInteger&) = default;
};

// Evaluates the accesses through a parameter whose summary is `known`.
LaunchUses UsesOf(const ParameterSummary& parameter, const LaunchShape& shape,
                  absl::Span<const LaunchInteger> integers);
// As above. `arguments`: the values of the kernel's parameters.
LaunchUses UsesOf(const ParameterSummary& parameter, const LaunchShape& shape,
                  absl::Span<const KernelArgument> arguments);

// The accesses through several parameters, prepared for launches: what accesses have in common is
// evaluated once a launch, and without an allocation for kernels of usual size. Constant after
// creation.
class LaunchProgram {
 public:
  LaunchProgram() = default;
  // The summaries must be `known`. The program does not refer to them.
  explicit LaunchProgram(const std::vector<const ParameterSummary*>& parameters);

  // Sets `uses`, one element a parameter, to what UsesOf returns for each.
  void Evaluate(const LaunchShape& shape, absl::Span<const LaunchInteger> integers,
                absl::Span<LaunchUses> uses) const;

 private:
  // The work items that execute an access.
  struct Domain {
    bool guarded = false;        // SummaryAccess::guarded
    std::vector<uint32_t> fits;  // indices into fits_
    std::vector<SummaryGuard> guards;
  };
  struct Step {
    uint32_t domain = 0;   // index into domains_
    SummaryAccess access;  // without guards and fits
  };

  std::vector<SummaryFit> fits_;
  std::vector<Domain> domains_;
  std::vector<Step> steps_;
  std::vector<std::vector<uint32_t>> parameters_;  // indices into steps_
};

// Narrows one argument to its uses: the direction, the bytes, and whether the access is certain.
// Returns true if `more` is a further argument, for a parameter that is read and written in
// different ranges. If only a part of the bytes is surely accessed, the argument becomes that part.
bool RefineArgument(const LaunchUses& uses, LaunchArgument* argument, LaunchArgument* more);

// What the summary says of the access through an argument.
inline void ApplySummary(const LaunchArgument& argument, AccessKind* kind) {
  if (argument.possible) kind->sureness = Sureness::kPossible;
  if (argument.certain) {
    kind->sureness = Sureness::kDerived;
    kind->may_offset = false;
  }
}

// Accesses through an argument that reach out of its resource.
struct LaunchOverrun {
  uint32_t argument = 0;  // index
  const Resource* resource = nullptr;
  uint64_t offset = 0;          // of the pointer in the resource [bytes]
  int64_t first = 0, last = 0;  // from the pointer: each byte of [first, last) is accessed
  bool gaps = false;            // only the first and the last byte of [first, last) are
  bool write = false;
};
// Returns true if accesses that surely happen reach out of the resource of the argument.
bool FindOverrun(const LaunchUses& uses, const LaunchArgument& argument, LaunchOverrun* overrun);

// Narrows `arguments`, which follow from the declaration of the kernel, to what its summary says:
// the direction, the bytes, and whether the access is certain. May add arguments, for parameters
// that are read and written in different ranges. Corrects launch->writable_arguments. Adds to
// `overruns` what reaches out of the resources. Without a summary, nothing changes. Takes the lock
// of the kernel.
void RefineLaunch(Kernel& kernel, const LaunchShape& shape,
                  absl::InlinedVector<LaunchArgument, 8>* arguments, Launch* launch,
                  std::vector<LaunchOverrun>* overruns);

}  // namespace gpusan
