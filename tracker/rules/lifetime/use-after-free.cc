// Check use-after-free: an object or block is used after its release.
#include "tracker/rules/events/freed_in_graph.h"
#include "tracker/rules/events/freed_tensor_map.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"
#include "tracker/rules/shared/handle_usage.h"

namespace gpusan::rules {
namespace {

struct UseAfterFree {
  static void OnHandleUse(const HandleUse& use, Call& call) {
    const Object& object = *use.object;
    if (use.release || use.owner != nullptr || object.live() ||
        (use.expected >> static_cast<int>(object.kind) & 1) == 0) {
      return;
    }
    const Vocabulary& words = call.words();
    const bool retains = words.Retains(object.kind);
    // Graphs hold references, too.
    const bool shared = object.kind == ObjectKind::kUserObject;
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kUseAfterFree);
    finding
        .What(absl::StrCat(use.argument, " is ", ObjectText(object, words),
                           shared                ? ", whose last reference was released"
                           : retains             ? ", whose last reference the program has released"
                           : object.by_address() ? ", which the program has freed"
                                                 : ", which the program has destroyed"))
        .Why(shared ? "a handle is valid only while the program or a graph holds a reference"
             : retains
                 ? "a handle is valid only while the program holds a reference; references of "
                   "other objects and pending commands do not count"
                 : "a handle is valid only until its object is destroyed, also while commands that "
                   "use the object are pending",
             Clause::kReferenceCount)
        .Fix(absl::StrCat(
            "move ", words.ReleaseCallOf(object),
            retains ? " after the last use, or retain the object first" : " after the last use"))
        .Party("release", retains ? "last reference released" : "destroyed", object.released)
        .WithCreation(object)
        .Fact("argument", std::string(use.argument));
    AddHandleUsage(finding, use.argument, false, call);
  }

  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.recorded) return;
    if (transfer.reads_source() && transfer.source.resource != nullptr)
      CheckStorage(*transfer.source.resource, call);
    const Resource* written = transfer.has_destination() ? transfer.destination.resource : nullptr;
    if (written != nullptr && (!transfer.reads_source() || written != transfer.source.resource))
      CheckStorage(*written, call);
  }

  static void OnLaunch(const Launch& launch, Call& call) {
    if (launch.recorded) return;
    for (const LaunchArgument& argument : launch.arguments) {
      if (argument.direction != Direction::kNone && !argument.indirect)
        CheckStorage(*argument.resource, call);
    }
  }

  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (use.block_released) return CheckBlock(use, call);
    if (use.free || use.resource == nullptr || use.resource->live()) return;
    if (use.resource->has(kFreedInOrder)) return;  // stream-order-alloc
    if (use.listed_by != nullptr) return AddListed(use, call);
    const Vocabulary& words = call.words();
    call.MayCrash();
    call.Add(RuleId::kUseAfterFree)
        .What(absl::StrCat(use.argument, " points into ", ObjectText(*use.resource, words),
                           ", which has been freed"))
        .Why("memory may not be used after it is freed", Clause::kFreeShared)
        .Fix("free the memory after its last use, or update the pointer after a reallocation")
        .Party("release", "freed", use.resource->released)
        .WithCreation(*use.resource)
        .Fact("argument", std::string(use.argument));
  }

  // A warning only: the kernel may not follow the pointer.
  static void AddListed(const PointerUse& use, Call& call) {
    const Vocabulary& words = call.words();
    call.MayCrash();
    call.Add(RuleId::kUseAfterFree)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(call.info().name, " launches ", ObjectText(*use.listed_by, words),
                           ", whose list of pointers names ", ObjectText(*use.resource, words),
                           ", which has been freed"))
        .Why(
            "the list names the memory that the kernel may use in addition to its arguments, and "
            "memory may not be used after it is freed",
            Clause::kFreeShared)
        .Fix(absl::StrCat("free the memory after the last launch that lists it, or pass a list "
                          "without it to ",
                          use.argument, " before the launch"))
        .Party("release", "freed", use.resource->released)
        .WithCreation(*use.resource)
        .About(*use.listed_by)
        .Fact("kernel", use.listed_by->name);
  }

  static void OnFreedInGraph(const FreedInGraph& use, Call& call) {
    call.MayCrash();
    call.Add(RuleId::kUseAfterFree)
        .What(absl::StrCat(call.info().name, " launches a graph in which the node of ",
                           use.user->name, use.writes ? " writes " : " reads ",
                           BytesText(use.bytes), " of memory at ", HandleText(use.address),
                           use.ordered ? " after the node that frees it"
                                       : ", and nothing orders it before the node that frees it"))
        .Why("memory that a node allocates exists until the node that frees it runs",
             Clause::kFreeShared)
        .Fix("let the node that frees the memory depend on each node that uses the memory")
        .Party("recorded",
               absl::StrCat("the node that uses the memory, recorded by ", use.user->name),
               use.user_site)
        .Party("release",
               absl::StrCat("the node that frees the memory, recorded by ", use.freer->name),
               use.freer_site)
        .Fact("address", HandleText(use.address));
  }

  static void OnFreedTensorMap(const FreedTensorMap& use, Call& call) {
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kUseAfterFree);
    finding
        .What(absl::StrCat(ArgumentText(*use.kernel, use.index), " of ",
                           ObjectText(*use.kernel, words), " is a tensor map of ",
                           ObjectText(*use.resource, words), ", which has been freed"))
        .Why(
            "a tensor map keeps an address, not memory: a copy by this map accesses freed memory, "
            "which may already belong to another allocation",
            Clause::kFreeShared)
        .Fix(
            "free the memory after the last launch that gets the tensor map, or encode a tensor "
            "map of the new memory")
        .Severe(Severity::kWarning)
        .Party("release", "freed", use.resource->released)
        .WithCreation(*use.resource)
        .About(*use.kernel)
        .Fact("argument", use.index)
        .Fact("kernel", use.kernel->name);
    if (use.encoder != nullptr)
      finding.Party("encoded", absl::StrCat("encoded by ", use.encoder->name), use.encoded_at);
    AddRecorder(finding, use);
  }

  static void OnStaleUse(const StaleUse& use, Call& call) {
    if (use.pushed_address) return AddPushedAddress(use, call);
    const Vocabulary& words = call.words();
    const char* recorder = use.call != nullptr ? use.call->name : "a command";
    // Memory that the commands name by its address, or an object that they name by its handle.
    const bool memory = use.object == nullptr || use.object->by_address();
    // The call records the commands itself: they use what is destroyed already.
    const bool records = use.call == &call.info();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kUseAfterFree);
    finding
        .What(absl::StrCat(
            call.info().name,
            records ? " uses "
                    : absl::StrCat(" runs work that ", recorder, " recorded; the work uses "),
            use.object != nullptr ? ObjectText(*use.object, words)
                                  : absl::StrCat("memory at ", HandleText(use.address)),
            use.kernel != nullptr ? absl::StrCat(" (", ArgumentText(*use.kernel, use.argument),
                                                 " of ", ObjectText(*use.kernel, words), ")")
                                  : "",
            memory ? ", which has been freed" : ", which has been destroyed"))
        .Why(memory ? "recorded commands keep addresses, not memory: the memory must exist "
                      "whenever they run"
                    : "recorded commands keep handles, not objects: the object must exist "
                      "whenever they run",
             Clause::kFreeShared)
        .Fix(use.object != nullptr && IsBlock(*use.object)
                 ? "keep the block until the last launch and copy new data into it, or record or "
                   "update the commands with the new block"
             : memory
                 ? "free the memory after the last launch, or record or update the commands "
                   "with the new memory"
                 : "destroy the object after the commands have run for the last time, or record "
                   "them again without it")
        .Fact("address", HandleText(use.address));
    if (!records) {
      finding.Party("recorded",
                    absl::StrCat("recorded by ", recorder, words.CommandLabel(use.label)),
                    use.site);
    }
    if (use.object != nullptr) {
      finding.Party("release", memory ? "freed" : "destroyed", use.object->released)
          .WithCreation(*use.object);
    }
    if (use.kernel != nullptr) {
      finding.About(*use.kernel).Fact("argument", use.argument).Fact("kernel", use.kernel->name);
    }
    AddHandleUsage(finding, "", false, call);
  }

  static void OnKernelPointer(const KernelPointer& pointer, Call& call) {
    if (pointer.fault != KernelPointer::Fault::kFreed) return;
    const Vocabulary& words = call.words();
    const Resource& resource = *pointer.resource;
    const uint64_t distance = pointer.address - resource.handle;
    FindingBuilder finding = call.Add(RuleId::kUseAfterFree);
    finding
        .What(absl::StrCat(ArgumentText(*pointer.kernel, pointer.index), " of ",
                           ObjectText(*pointer.kernel, words),
                           distance == 0 ? std::string(" points to ")
                                         : absl::StrCat(" points ", distance, " B into "),
                           ObjectText(resource, words), ", which has been freed"))
        .Why(pointer.conditional
                 ? "a condition of the kernel decides whether it accesses the freed memory, which "
                   "may already belong to another allocation"
                 : "the kernel would access freed memory, which may already belong to another "
                   "allocation",
             Clause::kFreeShared)
        .Fix("free the memory after its last launch, or update the pointer after a reallocation")
        .Party("release", "freed", resource.released)
        .WithCreation(resource)
        .About(*pointer.kernel)
        .Fact("argument", pointer.index)
        .Fact("kernel", pointer.kernel->name);
    if (pointer.conditional) finding.Severe(Severity::kWarning);
    AddRecorder(finding, pointer);
  }

 private:
  static void AddPushedAddress(const StaleUse& use, Call& call) {
    const Vocabulary& words = call.words();
    const char* vuid = "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819";
    call.MayCrash();
    call.Add(RuleId::kUseAfterFree)
        .What(absl::StrCat(call.info().name, " runs work that ", use.call->name,
                           " recorded; its shader accesses ", ObjectText(*use.object, words),
                           ", which has been destroyed, by an address in its push constants"))
        .Why(absl::StrCat("an address does not keep a buffer: a shader may access only bytes of a "
                          "buffer that exists while it runs (",
                          vuid, ")"))
        .Fix(
            "destroy the buffer after the work that uses its address, or push the address of "
            "another buffer")
        .Party("recorded",
               absl::StrCat("recorded by ", use.call->name, words.CommandLabel(use.label)),
               use.site)
        .Party("release", "destroyed", use.object->released)
        .WithCreation(*use.object)
        .Fact("vuid", vuid);
  }

  static void CheckStorage(const Resource& resource, Call& call) {
    const CallInfo* freed = resource.storage_freed();
    if (freed == nullptr) [[likely]]
      return;
    const Vocabulary& words = call.words();
    call.MayCrash();
    call.Add(RuleId::kUseAfterFree)
        .What(absl::StrCat(ObjectText(resource, words), " is used after ", freed->name,
                           " of the host memory that is its storage"))
        .Why(
            "host memory that an object uses as its storage must exist as long as the object is "
            "used",
            Clause::kHostMemoryInUse)
        .Fix("free the host memory after the object is released and its commands are complete")
        .Party("release", absl::StrCat("host memory freed by ", freed->name),
               resource.root->more()->storage_freed_site)
        .WithCreation(resource);
  }

  static void CheckBlock(const PointerUse& use, Call& call) {
    if (use.unmapped != nullptr) return;  // mapping-invalid
    const uint64_t distance = use.address - use.block.begin;
    call.MayCrash();
    call.Add(RuleId::kUseAfterFree)
        .What(absl::StrCat(
            use.argument, " points ", distance == 0 ? "to" : absl::StrCat(distance, " B into"),
            " a host block of ", BytesText(use.block.bytes),
            " that has been freed; the command uses ", BytesText(use.bytes), " from there on"))
        .Why("the host pointer must point to memory that holds the whole region",
             Clause::kHostBlock)
        .Fix("free the block after its last use, or update the pointer after a reallocation")
        .Party("release", "freed", use.release_site)
        .Party("host-block", absl::StrCat("host block of ", BytesText(use.block.bytes)),
               use.block.site)
        .Fact("argument", std::string(use.argument))
        .Fact("block_bytes", use.block.bytes);
  }
};

}  // namespace
}  // namespace gpusan::rules
