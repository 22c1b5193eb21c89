// The accesses of a kernel through its parameters, in the form that launches evaluate.
//
// The summary of the machine code (analysis/kernel_access.h) has offsets in the parameter block.
// This one has parameters and the pointers inside of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/summaries/launch_sums.h"
#include "tracker/calls/refine_launch.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan::cuda {

// The version of what is derived from code: of the analyses and of KernelUses::Text. It increases
// with every change, because summaries are kept on disk.
inline constexpr int kKernelUsesVersion = 23;

// Some bytes of a parameter.
struct ParameterWord {
  uint32_t parameter = 0;
  uint32_t offset = 0;  // in the parameter [bytes]
  uint32_t bytes = 0;   // 4 or 8

  bool operator==(const ParameterWord&) const = default;
};

// A plain value; constant after creation.
class KernelUses {
 public:
  struct Pointer {
    ParameterWord word;
    // Not kNone: the word is a texture or surface object, and number `handle` of integers().
    ViewKind view = ViewKind::kNone;
    uint32_t handle = 0;
    ParameterSummary summary;
    // The accesses in `summary` whose new value depends on the old one (launch_updates.h).
    ParameterSummary updates;
    // The accesses whose bytes a launch determines, but in front of which the threads may wait for
    // others. They prove no race, because others can order them, but they leave their allocation
    // for sure.
    ParameterSummary waited;
    // Every read, or write, through the pointer fails unless the pointer is a multiple of this
    // [bytes]. Follows from `summary`.
    uint8_t read_alignment = 1;
    uint8_t write_alignment = 1;
  };

  // `offsets`: of the parameters in the parameter block, ascending; `sizes`: theirs [bytes].
  // `registers`: the API whose launches set the registers. With kOpenCl, symbol kArgument + i is
  // parameter i, and integers() is empty.
  KernelUses(const KernelAccess& access, const std::vector<uint32_t>& offsets,
             const std::vector<uint32_t>& sizes,
             LaunchRegisters registers = LaunchRegisters::kCuda);

  // The pointers through which the kernel accesses memory, and the texture and surface objects, by
  // parameter and offset.
  const std::vector<Pointer>& pointers() const { return pointers_; }
  // The integers on which the accesses depend: symbol kArgument + i of the summaries is number i.
  const std::vector<ParameterWord>& integers() const { return integers_; }
  // Whether the kernel may write through addresses that do not come from a parameter.
  bool writes_elsewhere() const { return writes_elsewhere_; }
  // Whether a launch may write memory that is not in the list of its arguments.
  bool writes_unseen() const { return writes_unseen_; }

  // The variables of the module that every thread of a launch reads or writes.
  const std::vector<VariableUse>& variables() const { return variables_; }

  // Whether no thread of the launch waits for other kernels or for the host.
  bool RunsAlone(const gpusan::LaunchShape& shape, absl::Span<const LaunchInteger> integers) const {
    if (alone_.accesses.empty()) return false;
    const SummaryAccess& read = alone_.accesses[0];
    return read.guards.empty() ? read.guarded : UsesOf(alone_, shape, integers).reads.sure;
  }
  // Whether a thread may write something for which other kernels or the host wait, or wait itself.
  bool may_wait() const { return may_wait_; }
  // Whether a thread may wait until other kernels or the host have written something.
  bool waits_in_loop() const { return waits_in_loop_; }
  // Whether the host or other devices may follow the kernel while it runs.
  bool beyond_device() const { return beyond_device_; }
  // Whether the code has instructions that copy by tensor maps.
  bool copies_tensors() const { return copies_tensors_; }
  // Whether there are reads or writes through a pointer, and the code alone determines no bytes of
  // them.
  bool has_open_accesses() const { return has_open_accesses_; }
  // Whether the code alone does not bound the bytes of some read or write through a pointer.
  bool has_unbounded_accesses() const { return has_unbounded_accesses_; }

  // Returns all of it as text. Equal uses have equal texts.
  std::string Text() const;
  // Reads a result of Text. The text may come from a damaged or hostile file. `sizes`: of the
  // parameters [bytes]. nullopt: the text is malformed, or does not fit to the
  // parameters.
  static std::optional<KernelUses> FromText(std::string_view text,
                                            const std::vector<uint32_t>& sizes);

  // Whether there are `updates` of a pointer.
  bool has_updates() const { return has_updates_; }

  // Returns what Evaluate has set for `waited` of a pointer; nullptr if there is no such access.
  const LaunchUses* WaitedOf(size_t pointer, absl::Span<const LaunchUses> uses) const {
    if (!has_waited_) [[likely]]
      return nullptr;
    return &uses[pointers_.size() * (has_updates_ ? 2 : 1) + pointer];
  }

  // The number of elements that Evaluate sets.
  size_t evaluated() const {
    return pointers_.size() * (1u + (has_updates_ ? 1u : 0u) + (has_waited_ ? 1u : 0u));
  }
  // Evaluates the accesses of a launch through each of pointers(), into one element of `uses` for
  // each. With has_updates(), as many elements for `updates` follow, and then those for `waited`
  // if there are any. `integers`: the values of integers(), widened from their sizes.
  void Evaluate(const gpusan::LaunchShape& shape, absl::Span<const LaunchInteger> integers,
                absl::Span<LaunchUses> uses) const {
    program_.Evaluate(shape, integers, uses);
  }

 private:
  KernelUses() = default;
  void MakeProgram();
  // Sets Pointer::handle. Returns false if the word of the object is not among the integers.
  bool FindHandle(Pointer* pointer) const;

  std::vector<Pointer> pointers_;
  std::vector<ParameterWord> integers_;
  LaunchProgram program_;  // of pointers_
  std::vector<VariableUse> variables_;
  // A read that each launch makes whose threads wait for nothing.
  ParameterSummary alone_;
  bool writes_elsewhere_ = false;
  bool writes_unseen_ = false;
  bool may_wait_ = false;
  bool waits_in_loop_ = false;
  bool beyond_device_ = false;
  bool copies_tensors_ = false;
  bool has_updates_ = false;
  bool has_waited_ = false;
  bool has_open_accesses_ = false;
  bool has_unbounded_accesses_ = false;
};

}  // namespace gpusan::cuda
