// Check host-race: two unordered commands, or a command and the host, access the same host memory.
#include <algorithm>
#include <string>
#include <string_view>

#include "tracker/rules/rules.h"
#include "tracker/rules/shared/pair_names.h"

namespace gpusan::rules {
namespace {

struct HostRace {
  static void OnConflict(const Conflict& conflict, Call& call) {
    if (conflict.resource != nullptr) return;
    const Access& earlier = *conflict.earlier;
    const Access& later = *conflict.later;
    const Vocabulary& words = call.words();
    const uint64_t first = std::max(earlier.region.offset, later.region.offset);
    const uint64_t last = std::min(earlier.region.end(), later.region.end());
    const char* hazard = earlier.write ? (later.write ? "WAW" : "RAW") : "WAR";
    const PairNames names(earlier.call->name, later.call->name);
    FindingBuilder finding = call.Add(RuleId::kHostRace);
    if (conflict.within_call) {
      finding.Party("recorded", absl::StrCat(later.call->name, " uses it"), later.site);
    } else {
      finding.CallIs(later.call->name).At(later.site);
    }
    finding
        .What(absl::StrCat(later.call->name, later.write ? " writes" : " reads",
                           " host memory that ", names.earlier,
                           earlier.write ? " writes" : " reads",
                           conflict.immediate ? ", but the command is not known to be complete ("
                                              : " too, but nothing orders the two commands (",
                           hazard, "); the shared range has up to ", BytesText(last - first)))
        .Why(
            "no conflicting access may use the host memory of a non-blocking transfer before the "
            "command is complete",
            Clause::kHostMemoryInUse)
        .Fix(conflict.immediate
                 ? absl::StrCat("wait for ", names.earlier, " first (", words.WaitCalls(), ")")
                 : absl::StrCat("give each command its own host memory, or ",
                                words.OrderFix(names.earlier.c_str(), names.later.c_str())))
        .Party(
            "pending-command",
            absl::StrCat(earlier.call->name, earlier.write ? " writes" : " reads", " the memory"),
            earlier.site)
        .Fact("hazard", std::string(hazard))
        .Fact("overlap_bytes", last - first);
  }

  static void OnMappedUse(const MappedUse& use, Call& call) {
    const bool writes = use.fault == MappedUse::Fault::kWriteInFlight;
    if (!writes && use.fault != MappedUse::Fault::kReadInFlight) return;
    if ((MaskOf(use.memory->kind) & AnyOf(ObjectKind::kPinned, ObjectKind::kManaged)) != 0)
      return OnPinnedUse(use, writes, call);
    constexpr KindMask kMapped = AnyOf(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kSvm);
    if ((MaskOf(use.memory->kind) & kMapped) != 0) return OnUnmappedUse(use, writes, call);
    const Vocabulary& words = call.words();
    const std::string text = MappedText(use, words);
    FindingBuilder finding = call.Add(RuleId::kHostRace);
    std::string what;
    if (writes) {
      what = absl::StrCat("the host writes ", text, " through a mapping while ", use.device->name,
                          ", which is not known to be complete, ",
                          use.device_writes ? "writes" : "reads", " it");
    } else {
      what = absl::StrCat("the host ", use.certain ? "reads " : "seems to read ", text,
                          " through a mapping, but ", use.device->name,
                          ", which writes it, is not known to be complete");
    }
    finding.Severe(use.certain ? Severity::kError : Severity::kWarning)
        .What(std::move(what))
        .Why(
            "mapping memory does not wait for commands: until they are complete, the host must not "
            "write the bytes that they read, nor access the bytes that they write",
            Clause::kMemoryMapping)
        .Fix(absl::StrCat("wait for the command first (", words.WaitCalls(),
                          "), or give each frame in flight its own memory"));
    AddMappedUse(finding, use, words);
    const char* kind = !writes             ? "SYNC-HAZARD-READ-AFTER-WRITE"
                       : use.device_writes ? "SYNC-HAZARD-WRITE-AFTER-WRITE"
                                           : "SYNC-HAZARD-WRITE-AFTER-READ";
    finding.Fact("sync_hazard", std::string(kind));
  }

 private:
  static void OnPinnedUse(const MappedUse& use, bool writes, Call& call) {
    const Vocabulary& words = call.words();
    const char* const hazard = !writes ? "RAW" : use.device_writes ? "WAW" : "WAR";
    const char* const verb = use.device_writes ? " writes" : " reads";
    call.Add(RuleId::kHostRace)
        .What(absl::StrCat("the CPU ", writes ? "writes " : "reads ",
                           ObjectText(*use.memory, words), ", but ", use.device->name, ", which",
                           verb, " it, is not known to be complete (", hazard, ")"))
        .Why(
            "an asynchronous command runs after the call has returned: until it is complete, the "
            "CPU must not write the bytes that it reads, nor access the bytes that it writes",
            Clause::kHostMemoryInUse)
        .Fix(absl::StrCat("wait for ", use.device->name, " first (", words.WaitCalls(),
                          "), or give each command in flight its own memory"))
        .Party("pending-command", absl::StrCat(use.device->name, verb, " the memory"),
               use.device_site)
        .WithCreation(*use.memory)
        .Fact("hazard", std::string(hazard))
        .Fact("memory_offset", use.offset);
  }

  // The CPU uses memory that is not mapped: by the pointer of a map that is not complete, by the
  // address of coarse-grained shared memory, or as the host memory of a buffer.
  static void OnUnmappedUse(const MappedUse& use, bool writes, Call& call) {
    const Vocabulary& words = call.words();
    const char* const hazard = !writes ? "RAW" : use.device_writes ? "WAW" : "WAR";
    const char* const verb = writes ? "writes " : "reads ";
    const std::string memory = ObjectText(*use.memory, words);
    const char* const name = use.device->name;
    const bool is_map = std::string_view(name).find("Map") != std::string_view::npos;
    FindingBuilder finding = call.Add(RuleId::kHostRace);
    if (is_map) {
      finding
          .What(absl::StrCat("the CPU ", verb, memory, " by the pointer of ", name,
                             ", which is not known to be complete (", hazard, ")"))
          .Why(
              "the pointer of a non-blocking map cannot be used before the map command is complete",
              Clause::kMapping)
          .Fix(absl::StrCat("make ", name, " blocking, or wait for it first (", words.WaitCalls(),
                            ")"));
    } else {
      const bool shared = use.memory->kind == ObjectKind::kSvm;
      finding
          .What(absl::StrCat("the CPU ", verb, memory, ", which is not mapped, but ", name,
                             ", which uses it, is not known to be complete (", hazard, ")"))
          .Why(shared ? "the host may access coarse-grained shared memory only while it is mapped"
                      : "the host memory of an object belongs to the commands that use the object, "
                        "unless it is mapped",
               shared ? Clause::kMapping : Clause::kHostMemoryInUse)
          .Fix(absl::StrCat("map the memory after ", name,
                            " by a blocking map, and unmap it before the next command uses it"));
    }
    finding
        .Party("pending-command",
               is_map ? absl::StrCat(name, " maps the memory")
                      : absl::StrCat(name, use.device_writes ? " writes" : " reads", " the memory"),
               use.device_site)
        .WithCreation(*use.memory)
        .Fact("hazard", std::string(hazard))
        .Fact("memory_offset", use.offset);
  }
};

}  // namespace
}  // namespace gpusan::rules
