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
    FindingBuilder finding = call.Add(RuleId::kOutOfMemory);
    finding
        .What(absl::StrCat(call.info().name,
                           failure.requested_bytes != 0
                               ? absl::StrCat(" of ", BytesText(failure.requested_bytes))
                               : "",
                           " failed with ", words.CodeName(failure.code), " (", failure.code, ")",
                           failure.facts.empty() ? "" : absl::StrCat("; ", failure.facts)))
        .Why(absl::StrCat("the program holds ", BytesText(live), " in ", held.live_count,
                          " objects, ", BytesText(pending),
                          " more are released, but pending commands still use them; the largest "
                          "allocation that succeeded was ",
                          BytesText(largest),
                          failure.clauses.empty() ? "" : absl::StrCat(". ", failure.clauses)))
        .Fix(failure.requested_bytes > largest && live == 0
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
    for (const Resource* resource : held.largest) finding.About(*resource);
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
