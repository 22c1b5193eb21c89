// Check out-of-memory: an allocation failed; lists the largest holders of memory.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct OutOfMemory {
  static void OnFailure(const Failure& failure, Call& call) {
    if (!failure.out_of_memory) return;
    const HeldMemory& held = *failure.held;
    FindingBuilder finding = call.Add(RuleId::kOutOfMemory);
    finding.What(WhatOf(failure, call))
        .Why(WhyOf(failure))
        .Fix(FixOf(failure))
        .Fact("requested_bytes", failure.requested_bytes)
        .Fact("live_bytes", uint64_t{held.live_bytes})
        .Fact("pending_release_bytes", uint64_t{held.pending_release_bytes})
        .Fact("largest_allocation_bytes", uint64_t{held.largest_bytes});
    for (const Fact& fact : failure.details) {
      if (const auto* bytes = std::get_if<uint64_t>(&fact.value)) finding.Fact(fact.key, *bytes);
    }
    for (const Resource* resource : held.largest) {
      if (!failure.over_limit) finding.About(*resource);
    }
    if (failure.over_limit) return;
    int shown = 0;
    for (const MemoryHolder& holder : held.holders) {
      if (++shown > 5) break;
      finding.Party(
          "holder",
          absl::StrCat(
              BytesText(holder.bytes), " in ", CountText(holder.count, "object"),
              holder.call != nullptr ? absl::StrCat(" created by ", holder.call->name) : ""),
          holder.site);
    }
  }

 private:
  // Such a request fails even if all memory of the device is free.
  static bool IsTooLarge(const Failure& failure) {
    return failure.device_bytes != 0 && failure.requested_bytes > failure.device_bytes;
  }

  static std::string WhatOf(const Failure& failure, const Call& call) {
    std::string what(call.info().name);
    if (failure.requested_bytes != 0)
      absl::StrAppend(&what, " of ", BytesText(failure.requested_bytes));
    absl::StrAppend(&what, " failed with ", call.words().CodeName(failure.code), " (", failure.code,
                    ")");
    if (IsTooLarge(failure))
      absl::StrAppend(&what, "; the request is larger than the device's memory of ",
                      BytesText(failure.device_bytes));
    if (!failure.facts.empty()) absl::StrAppend(&what, "; ", failure.facts);
    return what;
  }

  static std::string WhyOf(const Failure& failure) {
    const HeldMemory& held = *failure.held;
    if (failure.over_limit)
      return absl::StrCat(failure.clauses, "; no amount of free memory changes that");
    if (IsTooLarge(failure))
      return "no single allocation can be larger than the memory of the device";
    std::string why =
        absl::StrCat(failure.clauses, failure.clauses.empty() ? "" : "; ", "the program holds ");
    if (held.live_count != 0) {
      absl::StrAppend(&why, BytesText(held.live_bytes), " in ",
                      CountText(held.live_count, "object"));
    } else {
      absl::StrAppend(&why, "no memory");
    }
    if (held.pending_release_bytes != 0)
      absl::StrAppend(&why, ", and pending commands still use ",
                      BytesText(held.pending_release_bytes), " that it has released");
    if (held.largest_bytes != 0)
      absl::StrAppend(&why, "; the largest allocation that succeeded was ",
                      BytesText(held.largest_bytes));
    return why;
  }

  static const char* FixOf(const Failure& failure) {
    const HeldMemory& held = *failure.held;
    if (failure.of_launch)
      return "use a smaller work-group or less local memory; if that is not the cause, look for an "
             "earlier kernel that writes out of bounds (gpusan run --guard)";
    if (IsTooLarge(failure))
      return "correct the computation of the size (overflow, or a negative number taken as a "
             "size), or split the data";
    if (failure.over_limit ||
        (failure.requested_bytes > held.largest_bytes && held.live_bytes == 0))
      return "request no more than the device allows for one allocation, or split the data";
    return "release memory of the largest holders, wait for pending commands, or split the data";
  }
};

}  // namespace
}  // namespace gpusan::rules
