// Check unbound-memory: a buffer or image is used without bound memory, or after its memory was
// freed.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct UnboundMemory {
  static void OnMemoryUse(const MemoryUse& use, Call& call) {
    const bool freed = use.fault == MemoryUse::Fault::kFreed;
    if (!freed && use.fault != MemoryUse::Fault::kUnbound) return;
    const Vocabulary& words = call.words();
    const Resource& resource = *use.resource;
    const bool recorded = *use.argument == '\0';
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kUnboundMemory);
    finding
        .What(absl::StrCat(recorded ? call.info().name : use.argument, recorded ? " uses " : " is ",
                           ObjectText(resource, words),
                           freed ? ", whose memory has been freed" : ", which has no memory yet"))
        .Why("a resource that commands use must be bound to memory that still exists",
             Clause::kMemoryBinding)
        .Fix(freed ? "free the memory after the last use of the resources bound to it"
                   : "allocate memory for it and bind it before it is used")
        .WithCreation(resource);
    if (freed && use.memory != nullptr) {
      finding.Party("release", "memory freed", use.memory->released).About(*use.memory);
    }
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
