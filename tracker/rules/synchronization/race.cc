// Check race: two unordered commands access the same bytes, and at least one writes.
#include <algorithm>
#include <optional>

#include "tracker/calls/launch_text.h"
#include "tracker/order/waiting_kernels.h"
#include "tracker/rules/events/group_overlap.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"
#include "tracker/rules/shared/pair_names.h"

namespace gpusan::rules {
namespace {

// The sureness of the two accesses decides what is reported. Two transfers are certain. The bytes
// that a kernel accesses through an argument are known if its code says so, and then certain too.
// Otherwise a kernel and a transfer are certain only if the transfer covers the whole range of the
// argument, or if it covers the first byte of the range and no other argument of the kernel can be
// an offset.
struct Race {
  static std::string BoxText(const Region& box) {
    return absl::StrCat(box.slices > 1 ? absl::StrCat(box.slices, " slices of ") : "", box.rows,
                        box.rows == 1 ? " row of " : " rows of ", BytesText(box.width),
                        " from byte ", box.offset);
  }

  // A copy within one allocation whose two ranges, or boxes, overlap: it may read bytes that it has
  // written. Drivers reject such copies of buffers, and of images if the call counts texels. A copy
  // of bytes to themselves changes nothing.
  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.kind != TransferKind::kCopy) return;
    const Resource* from = transfer.source.resource;
    const Resource* to = transfer.destination.resource;
    if (from == nullptr || from != to || to->kind == ObjectKind::kSvm) return;
    if (to->image == nullptr ? !to->by_address() : transfer.source.texel_bytes == 0) return;
    const Region& read = transfer.source.region;
    const Region& written = transfer.destination.region;
    if (read == written || !Overlaps(read, written) || read.end() > from->bytes ||
        written.end() > to->bytes)
      return;
    const Vocabulary& words = call.words();
    const bool linear = read.linear() && written.linear();
    const uint64_t first = std::max(read.offset, written.offset);
    const uint64_t last = std::min(read.end(), written.end());
    FindingBuilder finding = call.Add(RuleId::kRace);
    finding
        .What(linear ? absl::StrCat("the copy within ", ObjectText(*to, words), " reads bytes ",
                                    read.offset, " to ", read.end() - 1, " and writes bytes ",
                                    written.offset, " to ", written.end() - 1, ": ",
                                    BytesText(last - first), " overlap")
                     : absl::StrCat("the copy within ", ObjectText(*to, words), " reads ",
                                    BoxText(read), " and writes ", BoxText(written),
                                    ", which overlap"))
        .Why("nothing orders the reads and the writes of one copy", Clause::kCopyOverlap)
        .Fix("copy through a second allocation, or in parts that do not overlap")
        .WithCreation(*to);
    if (linear) finding.Fact("overlap_bytes", last - first);
  }

  // The same for Vulkan, where the regions of one call count together.
  static void OnConflict(const Conflict& conflict, Call& call) {
    if (conflict.resource == nullptr) return;  // host-race
    const Access earlier = Settled(*conflict.earlier);
    const Access later = Settled(*conflict.later);
    if (IsLifetime(earlier.role) || IsLifetime(later.role)) return;  // stream-order-alloc
    if (conflict.within_call && earlier.call == &call.info() && later.call == &call.info())
      return OnBatch(*conflict.resource, earlier, later, call);
    const std::optional<Severity> severity = SeverityOf(call, *conflict.resource, earlier, later);
    if (!severity.has_value()) return;
    Side first = {earlier, {}, ""}, second = {later, {}, ""};
    if (conflict.within_call) {
      first.launch.kernel = conflict.earlier_kernel;
      second.launch.kernel = conflict.later_kernel;
    } else {
      first.launch = Describe(call, earlier);
      second.launch = Describe(call, later);
    }
    first.name = NameOf(earlier, first.launch, call.words());
    second.name = NameOf(later, second.launch, call.words());
    FindingBuilder finding = call.Add(RuleId::kRace);
    finding.Severe(*severity);
    if (conflict.within_call) {
      AddRecordedPair(finding, *conflict.resource, first, second, call);
    } else {
      AddPair(finding, conflict, first, second, *severity, call);
    }
  }

  static void OnGroupOverlap(const GroupOverlap& overlap, Call& call) {
    const Access &one = *overlap.one, &other = *overlap.other;
    const Vocabulary& words = call.words();
    const bool same = one.call == other.call;
    FindingBuilder finding = call.Add(RuleId::kRace);
    finding
        .What(absl::StrCat(
            call.info().name, " runs ", one.call->name, " and ", same ? "another " : "",
            other.call->name, " at the same time: ", same ? "the first" : one.call->name, " ",
            Verb(one), " ", ObjectText(*overlap.resource, words), ", and ",
            same ? "the second" : other.call->name, " ", Verb(other), " the same bytes"))
        .Why(
            "the library runs the transfers of a group concurrently, so none may use what another "
            "one writes (NCCL, point-to-point communication)")
        .Fix("give the transfers memory that does not overlap, or end the group between them")
        .Party("grouped", absl::StrCat(one.call->name, " ", Verb(one), " it"), one.site)
        .Party("grouped", absl::StrCat(other.call->name, " ", Verb(other), " it"), other.site)
        .WithCreation(*overlap.resource)
        .Fact("hazard", std::string(HazardOf(one, other)));
    AddFacts(finding, one, {}, other, {}, words);
  }

 private:
  // One of the two accesses, and the command that makes it.
  struct Side {
    const Access& access;
    LaunchDescription launch;
    std::string name;  // of the command
  };

  // If a kernel may read and write, the writes decide the hazard.
  static const char* HazardOf(const Access& earlier, const Access& later) {
    if (!earlier.write) return "WAR";
    return later.read ? "RAW" : "WAW";
  }

  // Both commands belong to nodes of the graph that the call launches.
  static void AddRecordedPair(FindingBuilder& finding, const Resource& resource, const Side& first,
                              const Side& second, Call& call) {
    const Access &earlier = first.access, &later = second.access;
    const Vocabulary& words = call.words();
    const char* const hazard = HazardOf(earlier, later);
    finding
        .What(absl::StrCat(
            call.info().name, " runs two commands that nothing orders: ", second.name, " ",
            Verb(later), " ", ObjectText(resource, words), Through(later, second.launch),
            ", which ", first.name == second.name ? "another " : "", first.name, " ", Verb(earlier),
            Through(earlier, first.launch), " (", hazard, ")"))
        .Why("commands that were recorded together are ordered only by their dependencies",
             Clause::kOrdering)
        .Fix(words.RecordedOrderFix())
        .Party("pending-command", absl::StrCat(earlier.call->name, " ", Verb(earlier), " it"),
               earlier.site)
        .Party("recorded", absl::StrCat(later.call->name, " ", Verb(later), " it"), later.site)
        .WithCreation(resource)
        .Fact("hazard", std::string(hazard));
    AddFacts(finding, earlier, first.launch, later, second.launch, words);
  }

  static void AddPair(FindingBuilder& finding, const Conflict& conflict, const Side& first,
                      const Side& second, Severity severity, Call& call) {
    const Access &earlier = first.access, &later = second.access;
    const Resource& resource = *conflict.resource;
    const Vocabulary& words = call.words();
    const char* const hazard = HazardOf(earlier, later);
    finding.CallIs(later.call->name)
        .At(later.site)
        .What(absl::StrCat(second.name, On(second.launch, words), " ", Verb(later), " ",
                           ObjectText(resource, words), SharedText(resource, words),
                           Through(later, second.launch), ", but nothing orders it after ",
                           first.name == second.name ? "an earlier " : "", first.name,
                           On(first.launch, words), ", which ", Verb(earlier),
                           earlier.inherited ? " the same bytes of a block that was freed since"
                                             : " the same bytes",
                           Through(earlier, first.launch), " (", hazard, ")"))
        .Why(absl::StrCat(
            "nothing orders the two commands: no ",
            AreOfTwoApis(earlier, later) ? "semaphore that both APIs share" : words.Orderings(),
            ", and no host wait between them (", words.Cite(Clause::kOrdering), ")",
            severity == Severity::kError ? ""
            : MayRead(earlier) || MayRead(later)
                ? "; the kernel can read through this parameter, but need not do so"
                : "; the kernel can write through this parameter, but need not do so"))
        .Fix(FixOf(earlier, later, words))
        .Party("pending-command",
               absl::StrCat(earlier.call->name, " ", Verb(earlier),
                            earlier.inherited ? " the freed block" : " it",
                            words.CommandLabel(conflict.earlier_label)),
               earlier.site)
        .WithCreation(resource)
        .Fact("hazard", std::string(hazard));
    AddFacts(finding, earlier, first.launch, later, second.launch, words);
    if (resource.parent != nullptr) finding.About(*resource.root);
    if (earlier.inherited) finding.Fact("reused", "1");
    if (conflict.later_label != kNoLabel)
      finding.Fact("label", words.LabelName(conflict.later_label));
  }

  // Of a sub-buffer, or an image that a buffer stores: the other access may name that buffer. The
  // byte ranges are of it.
  static std::string SharedText(const Resource& resource, const Vocabulary& words) {
    return resource.parent == nullptr
               ? ""
               : absl::StrCat(", which shares the memory of ", ObjectText(*resource.root, words));
  }

  // Memory that one API imports from another.
  static bool AreOfTwoApis(const Access& earlier, const Access& later) {
    return earlier.call->api != later.call->api;
  }

  static std::string FixOf(const Access& earlier, const Access& later, const Vocabulary& words) {
    const PairNames names(earlier.call->name, later.call->name);
    if (earlier.inherited) {
      return absl::StrCat(
          "tell the allocator that another stream or queue uses the block before the block is "
          "freed "
          "(record_stream, gpusan_block_use), or ",
          words.OrderFix(names.earlier.c_str(), names.later.c_str()));
    }
    if (AreOfTwoApis(earlier, later)) {
      return absl::StrCat("signal a semaphore that both APIs share after ", earlier.call->name,
                          " and let the queue or stream of ", later.call->name,
                          " wait for it, or wait on the host for ", earlier.call->name, " first");
    }
    return words.OrderFix(names.earlier.c_str(), names.later.c_str());
  }

  // The access as what is known of other kernels shows it.
  static Access Settled(Access access) {
    if (access.sureness == Sureness::kUnwaited) {
      access.sureness =
          waiting_kernels.load(std::memory_order_relaxed) ? Sureness::kHeld : Sureness::kDerived;
    }
    return access;
  }

  // Two copies of the batch that the call passes.
  static void OnBatch(const Resource& resource, const Access& earlier, const Access& later,
                      Call& call) {
    const bool both_write = earlier.write && later.write;
    FindingBuilder finding = call.Add(RuleId::kRace);
    finding
        .What(absl::StrCat("two copies of the batch of ", call.info().name,
                           both_write ? " write the same bytes of " : " access the same bytes of ",
                           ObjectText(resource, call.words()),
                           both_write      ? " (WAW)"
                           : earlier.write ? ": one writes them, a later one reads them (RAW)"
                                           : ": one reads them, a later one writes them (WAR)"))
        .Why(absl::StrCat("the copies of a batch have no order, so none may depend on another (",
                          call.info().name, ", ordering of a batch)"))
        .Fix("give the copies ranges that do not overlap, or pass the later copy in a second call")
        .WithCreation(resource)
        .Fact("hazard", std::string(both_write      ? "WAW"
                                    : earlier.write ? "RAW"
                                                    : "WAR"));
    AddFacts(finding, earlier, {}, later, {}, call.words());
  }

  static const char* Verb(const Access& access) {
    if (access.role == AccessRole::kBinding) return "binds memory to";
    const bool possible = access.sureness == Sureness::kPossible;
    if (access.read && access.write) return possible ? "may read and write" : "reads and writes";
    if (access.write) return possible ? "may write" : "writes";
    return possible ? "may read" : "reads";
  }

  static bool MayRead(const Access& access) {
    return access.sureness == Sureness::kPossible && !access.write;
  }

  static LaunchDescription Describe(Call& call, const Access& access) {
    LaunchDescription description;
    const DescribeLaunch describe =
        describe_launch[static_cast<int>(access.call->api)].load(std::memory_order_relaxed);
    if (describe != nullptr) describe(call, access.epoch, &description);
    if (access.sureness == Sureness::kCertain) description.kernel = nullptr;
    return description;
  }

  // The parameter by which the function of a library reaches the memory; nullptr: not known.
  static const char* OperandOf(const Access& access) {
    const char* const* names = access.call->operands;
    return names != nullptr && access.argument != 0 ? names[access.argument - 1u] : nullptr;
  }

  // " through argument 2 (out)": the argument by which the kernel, or the function of a library,
  // reaches the memory.
  static std::string Through(const Access& access, const LaunchDescription& launch) {
    if (const char* name = OperandOf(access); name != nullptr)
      return absl::StrCat(" through ", name);
    if (launch.kernel == nullptr || access.argument == 0) return "";
    return absl::StrCat(" through ", ArgumentText(*launch.kernel, access.argument - 1u));
  }

  // "cuLaunchKernel of kernel "fill"", or the name of the call.
  static std::string NameOf(const Access& access, const LaunchDescription& launch,
                            const Vocabulary& words) {
    if (launch.kernel == nullptr) return access.call->name;
    return absl::StrCat(access.call->name, " of ", ObjectText(*launch.kernel, words));
  }

  // " on stream #1": where the command runs; empty if it is not known.
  static std::string On(const LaunchDescription& launch, const Vocabulary& words) {
    return launch.queue != nullptr ? absl::StrCat(" on ", ObjectText(*launch.queue, words)) : "";
  }

  // Whether the accessed bytes are known.
  static bool IsExact(const Access& access) {
    return access.sureness == Sureness::kCertain || access.sureness == Sureness::kDerived;
  }

  // The bytes of the resource's root that the access is known to touch: "0 to 4095".
  static std::string BytesOf(const Access& access) {
    if (!IsExact(access) || !access.region.linear() || access.region.empty()) return "";
    return absl::StrCat(access.region.offset, " to ", access.region.end() - 1);
  }

  static void AddFacts(FindingBuilder& finding, const Access& earlier,
                       const LaunchDescription& first, const Access& later,
                       const LaunchDescription& second, const Vocabulary& words) {
    const auto add = [&](const std::string& prefix, const Access& access,
                         const LaunchDescription& launch) {
      if (const std::string bytes = BytesOf(access); !bytes.empty())
        finding.Fact(absl::StrCat(prefix, "byte_range"), bytes);
      if (const char* name = OperandOf(access); name != nullptr)
        finding.Fact(absl::StrCat(prefix, "argument"), std::string(name));
      if (launch.kernel == nullptr) return;
      finding.Fact(absl::StrCat(prefix, "kernel"), launch.kernel->name);
      if (access.argument != 0)
        finding.Fact(absl::StrCat(prefix, "argument"), uint64_t{access.argument} - 1);
      if (!launch.size.empty()) finding.Fact(absl::StrCat(prefix, "launch_size"), launch.size);
      if (launch.queue != nullptr)
        finding.Fact(absl::StrCat(prefix, "queue"), ObjectText(*launch.queue, words));
    };
    add("", later, second);
    add("earlier_", earlier, first);
  }

  // Allows host copies of up to 8 bytes beside a running kernel: a flag that the kernel polls, or a
  // counter. Both sides access such words whole. A write enqueued before the launch is an input of
  // the kernel, and is reported.
  static bool IsSharedWord(const Call& call, const Access& transfer, bool transfer_first) {
    return call.words().KernelsShareWordsWithHost() && transfer.region.bytes() <= 8 &&
           (!transfer_first || !transfer.write);
  }

  static bool IsWhole(const Access& access, const Resource& resource) {
    return resource.image == nullptr && resource.root->bytes > 8 &&
           Contains(access.region, Region::Linear(0, resource.root->bytes));
  }

  static std::optional<Severity> ErrorIf(bool reported) {
    return reported ? std::optional(Severity::kError) : std::nullopt;
  }

  // Returns nullopt if the conflict is not reported.
  static std::optional<Severity> SeverityOf(const Call& call, const Resource& resource,
                                            const Access& earlier, const Access& later) {
    // Only an access that follows from the code of a kernel, or from a library, is surely not one
    // of the copies by which the message arrives.
    if (earlier.role == AccessRole::kMessage) return ErrorIf(later.sureness == Sureness::kDerived);
    const bool first_certain = earlier.sureness == Sureness::kCertain;
    const bool second_certain = later.sureness == Sureness::kCertain;
    if (earlier.sureness == Sureness::kHeld || later.sureness == Sureness::kHeld)
      return std::nullopt;
    if (first_certain && second_certain) return Severity::kError;
    if (IsExact(earlier) && IsExact(later)) {
      const Access& other = first_certain ? earlier : later;  // the transfer, if there is one
      return ErrorIf(first_certain == second_certain || !IsSharedWord(call, other, first_certain));
    }
    if (first_certain != second_certain) {
      return first_certain ? SeverityBesideTransfer(call, resource, earlier, later, true)
                           : SeverityBesideTransfer(call, resource, later, earlier, false);
    }
    return SeverityOfKernels(resource, earlier, later);
  }

  static std::optional<Severity> SeverityBesideTransfer(const Call& call, const Resource& resource,
                                                        const Access& transfer,
                                                        const Access& kernel, bool transfer_first) {
    const bool covers_all = Contains(transfer.region, kernel.region);
    const bool covers_start = !kernel.may_offset && resource.image == nullptr &&
                              Overlaps(transfer.region, Region::Linear(kernel.region.offset, 1));
    if (!covers_all && !covers_start) return std::nullopt;
    if (IsSharedWord(call, transfer, transfer_first)) return std::nullopt;
    // Several streams use this base pointer: each kernel may access its own part.
    if (call.shadow().IsSharedBase(resource, kernel.region.offset)) return std::nullopt;
    // A transfer that writes races with every access of the kernel. A transfer that reads races
    // only with a write of the kernel. A read that the code does not surely make is only possible.
    const bool only_possible =
        kernel.sureness == Sureness::kPossible && (!transfer.write || !kernel.write);
    return only_possible ? Severity::kWarning : Severity::kError;
  }

  static std::optional<Severity> SeverityOfKernels(const Resource& resource, const Access& earlier,
                                                   const Access& later) {
    // If one accesses each byte of the resource, the part of the other is among them.
    if ((IsExact(earlier) && later.sureness == Sureness::kSomewhere &&
         IsWhole(earlier, resource)) ||
        (IsExact(later) && earlier.sureness == Sureness::kSomewhere && IsWhole(later, resource)))
      return Severity::kError;
    // Each may access its own part of the resource if an argument can be an offset.
    if (earlier.may_offset || later.may_offset) return std::nullopt;
    // Different addresses in one allocation select different parts as well.
    if (resource.by_address() && earlier.region.offset != later.region.offset) return std::nullopt;
    if (earlier.sureness == Sureness::kPossible || later.sureness == Sureness::kPossible)
      return std::nullopt;
    // Up to 8 bytes written by many kernels are a counter: atomic access is legal.
    if (resource.image == nullptr &&
        (resource.bytes <= 8 || (earlier.write && later.write && earlier.read && later.read))) {
      return std::nullopt;
    }
    return resource.image != nullptr ? Severity::kError : Severity::kWarning;
  }
};

}  // namespace
}  // namespace gpusan::rules
