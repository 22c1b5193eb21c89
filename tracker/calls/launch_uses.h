// The bytes that a launch accesses through the parameters of its kernel, by the kernel's summary.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// The sizes of a launch. Dimensions that the launch does not have keep their initial values.
struct LaunchShape {
  uint64_t global_size[3] = {1, 1, 1};  // [work items]
  uint64_t global_offset[3] = {0, 0, 0};
  uint64_t local_size[3] = {1, 1, 1};  // 0: not known

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

// The identifier of the first group of a launch: 0, as in OpenCL and CUDA; or the global offset
// divided by the size of a group, as in a Vulkan dispatch with a base.
enum class FirstGroup : uint8_t { kZero, kByOffset };

// What is known of the reads, or of the writes, of a launch through one parameter.
struct LaunchUse {
  bool possible = false;  // there may be such accesses
  bool sure = false;      // at least one work item has one
  bool ranged = false;    // all of them are inside of [first, last)
  bool exact = false;     // each byte of [first, last) is accessed
  bool unwaited = false;  // Sureness::kUnwaited, if `sure`
  int64_t first = 0;      // from the pointer [bytes]
  int64_t last = 0;
  // The longest range in which each byte is accessed; empty if no such range is known.
  int64_t core_first = 0;
  int64_t core_last = 0;
  // The first and the last byte of [end_first, end_last) are accessed; empty if they are unknown.
  int64_t end_first = 0;
  int64_t end_last = 0;

  bool has_core() const { return core_first < core_last; }
  bool has_ends() const { return end_first < end_last; }
};
struct LaunchUses {
  LaunchUse reads, writes;
  LaunchUse atomics;  // atomic or volatile accesses, which are in neither
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
                absl::Span<LaunchUses> uses, FirstGroup first_group = FirstGroup::kZero) const;

 private:
  // The work items that execute an access.
  struct Domain {
    bool guarded = false;        // SummaryAccess::guarded
    std::vector<uint32_t> fits;  // indices into fits_
    std::vector<SummaryPart> parts;
    std::vector<SummaryGuard> guards;
  };
  struct Step {
    uint32_t domain = 0;         // index into domains_
    std::vector<uint32_t> fits;  // of the offset: indices into fits_
    SummaryAccess access;        // without parts, guards and fits
  };

  std::vector<uint32_t> AddFits(const std::vector<SummaryFit>& fits);

  std::vector<SummaryFit> fits_;
  std::vector<Domain> domains_;
  std::vector<Step> steps_;
  std::vector<std::vector<uint32_t>> parameters_;  // indices into steps_
};

}  // namespace gpusan
