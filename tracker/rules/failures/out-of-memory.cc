// Check out-of-memory: an allocation failed; lists the largest holders of memory.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct OutOfMemory {
  static void OnFailure(const Failure& failure, Call& call) {
    if (!failure.out_of_memory) return;
    const HeldMemory& held = *failure.held;
    const Vocabulary& words = call.words();
    const uint64_t live = held.live_bytes, pending = held.pending_release_bytes;
    const uint64_t largest = held.largest_bytes;
    // Such a request fails even if all memory of the device is free.
    const bool too_large =
        failure.device_bytes != 0 && failure.requested_bytes > failure.device_bytes;
    FindingBuilder finding = call.Add(RuleId::kOutOfMemory);
    finding
        .What(absl::StrCat(call.info().name,
                           failure.requested_bytes != 0
                               ? absl::StrCat(" of ", BytesText(failure.requested_bytes))
                               : "",
                           " failed with ", words.CodeName(failure.code), " (", failure.code, ")",
                           too_large ? absl::StrCat("; the request is larger than the device's "
                                                    "memory of ",
                                                    BytesText(failure.device_bytes))
                                     : "",
                           failure.facts.empty() ? "" : absl::StrCat("; ", failure.facts)))
        .Why(failure.over_limit
                 ? absl::StrCat(failure.clauses, "; no amount of free memory changes that")
             : too_large
                 ? "no single allocation can be larger than the memory of the device"
                 : absl::StrCat(
                       failure.clauses, failure.clauses.empty() ? "" : "; ", "the program holds ",
                       held.live_count != 0 ? absl::StrCat(BytesText(live), " in ",
                                                           CountText(held.live_count, "object"))
                                            : "no memory",
                       pending != 0 ? absl::StrCat(", and pending commands still use ",
                                                   BytesText(pending), " that it has released")
                                    : "",
                       largest != 0 ? absl::StrCat("; the largest allocation that succeeded was ",
                                                   BytesText(largest))
                                    : ""))
        .Fix(too_large
                 ? "correct the computation of the size (overflow, or a negative number taken "
                   "as a size), or split the data"
             : failure.over_limit || (failure.requested_bytes > largest && live == 0)
                 ? "request no more than the device allows for one allocation, or split the data"
                 : "release memory that the largest holders below no longer need, wait for pending "
                   "commands, or split the data")
        .Fact("requested_bytes", failure.requested_bytes)
        .Fact("live_bytes", live)
        .Fact("pending_release_bytes", pending)
        .Fact("largest_allocation_bytes", largest);
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
              BytesText(holder.bytes), " in ", holder.count,
              holder.count == 1 ? " object" : " objects",
              holder.call != nullptr ? absl::StrCat(" created by ", holder.call->name) : ""),
          holder.site);
    }
  }
};

}  // namespace
}  // namespace gpusan::rules
