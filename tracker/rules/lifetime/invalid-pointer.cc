// Check invalid-pointer: a pointer is NULL or does not point to memory that the call can use.
#include <string_view>

#include "tracker/rules/events/native_location.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/events/protected_pointer.h"
#include "tracker/rules/events/read_only_destination.h"
#include "tracker/rules/events/unmapped_pointer.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"

namespace gpusan::rules {
namespace {

struct InvalidPointer {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.kind == TransferKind::kMap || transfer.kind == TransferKind::kUnmap) return;
    if (transfer.reads_source()) Check(transfer.source, "read", call);
    Check(transfer.destination, "written", call);
  }

  static void OnReadOnlyDestination(const ReadOnlyDestination& use, Call& call) {
    const Side& side = *use.destination;
    const char* name =
        side.block_known ? call.shadow().host_memory().StaticName(side.block.begin) : nullptr;
    call.MayCrash();
    call.Add(RuleId::kInvalidPointer)
        .What(absl::StrCat("the host pointer points to ",
                           name != nullptr ? absl::StrCat(name, ", a constant of the program")
                                           : std::string("a constant or the code of the program"),
                           ", and ", BytesText(side.region.bytes()), " would be written there"))
        .Why("the memory is mapped without write access, so the transfer fails or ends the process",
             Clause::kHostBlock)
        .Fix("pass a host pointer to memory that is not const");
  }

  static void OnUnmappedPointer(const UnmappedPointer& use, Call& call) {
    const Side& side = *use.side;
    call.MayCrash();
    call.Add(RuleId::kInvalidPointer)
        .What(absl::StrCat(
            "the host pointer is ", HandleText(reinterpret_cast<uintptr_t>(side.pointer)),
            use.at == 0 ? std::string(", where no memory is mapped")
                        : absl::StrCat("; no memory is mapped ", BytesText(use.at), " behind it"),
            ", and the transfer uses ", BytesText(side.region.bytes()), " there"))
        .Why("the host memory must exist, or the transfer ends the process", Clause::kHostBlock)
        .Fix(
            "pass a pointer to memory that holds every byte of the region and is not unmapped yet");
  }

  static void OnProtectedPointer(const ProtectedPointer& use, Call& call) {
    const Side& side = *use.side;
    const std::string right = use.write ? "write" : "read";
    call.MayCrash();
    call.Add(RuleId::kInvalidPointer)
        .What(absl::StrCat(
            "the host pointer is ", HandleText(reinterpret_cast<uintptr_t>(side.pointer)),
            use.at == 0
                ? std::string(", where the memory is mapped without ")
                : absl::StrCat("; the memory ", BytesText(use.at), " behind it is mapped without "),
            right, " access, and the transfer would ", right, " ", BytesText(side.region.bytes()),
            " there"))
        .Why(absl::StrCat(
                 "without ", right,
                 " access of the process to the memory, the transfer fails or ends the process"),
             Clause::kHostBlock)
        .Fix(absl::StrCat("map the memory with ", use.write ? "PROT_WRITE" : "PROT_READ",
                          ", or add the right by mprotect before the transfer"));
  }

  static void OnNativeLocation(const NativeLocation& use, Call& call) {
    call.MayCrash();
    call.Add(RuleId::kInvalidPointer)
        .What(absl::StrCat("args_mem_loc[", use.index, "] is ", HandleText(use.location),
                           ", which is not inside of the ", BytesText(use.bytes), " at args, ",
                           HandleText(use.arguments)))
        .Why(
            "the driver replaces the memory object at each location in its copy of args by a "
            "pointer "
            "(OpenCL 3.0 §5.10, clEnqueueNativeKernel, args_mem_loc)")
        .Fix("pass the addresses of the members of args that hold the memory objects")
        .Fact("index", use.index);
  }

  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (use.block_released) return;                                // use-after-free
    if (use.resource != nullptr && !use.resource->live()) return;  // use-after-free, double-free
    if (use.expect == PointerUse::Expect::kHost) return;           // copy-direction
    if (use.expect == PointerUse::Expect::kDevice && use.block_known) return;
    const bool device = use.expect == PointerUse::Expect::kDevice;
    if (use.free && (use.block_known || use.resource != nullptr)) return;  // mismatched-free
    const Vocabulary& words = call.words();
    std::string what;
    if (use.resource != nullptr) {
      what = absl::StrCat(use.argument, " points ", use.offset, " B into ",
                          ObjectText(*use.resource, words), "; ", use.bytes,
                          " B from there reach past its end");
    } else if (use.address == 0) {
      what = absl::StrCat(use.argument, " is NULL");
    } else {
      what = absl::StrCat(use.argument, " is ", HandleText(use.address),
                          device     ? ", which is not in any live device allocation"
                          : use.free ? ", which is not the start of a live allocation"
                                     : ", which is not in any live shared allocation",
                          use.block_known ? absl::StrCat("; it lies in an ordinary host block of ",
                                                         BytesText(use.block.bytes))
                                          : "");
    }
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kInvalidPointer);
    finding.What(std::move(what))
        .Why(device     ? "the pointer must lie in memory that the device can reach"
             : use.free ? "only a pointer that an allocation returned may be freed"
                        : "the pointer must lie in a shared allocation, unless the device shares "
                          "all host memory",
             use.free ? Clause::kFreeShared : Clause::kSharedPointer)
        .Fix(device     ? absl::StrCat("pass a pointer into a live allocation of the device as ",
                                       use.argument, "; check whether the allocation failed")
             : use.free ? std::string("free the pointer that the allocation returned, once")
                        : absl::StrCat("pass a pointer into a live shared allocation as ",
                                       use.argument, ", or use a buffer object"))
        .Fact("argument", std::string(use.argument));
    if (use.resource != nullptr) finding.WithCreation(*use.resource);
    if (use.block_known) finding.Party("host-block", "ordinary host block", use.block.site);
  }

  static void OnNullArgument(const NullArgument& argument, Call& call) {
    if (argument.handle) return;  // invalid-handle
    const std::string vuid = argument.vuid != nullptr ? argument.vuid
                                                      : absl::StrCat("VUID-", argument.owner, "-",
                                                                     argument.name, "-parameter");
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kInvalidPointer);
    finding
        .What(argument.owner == std::string_view(call.info().name)
                  ? absl::StrCat(argument.name, " is NULL")
                  : absl::StrCat(argument.name, " of ", argument.owner, " is NULL"))
        .Why(absl::StrCat("the pointer must be valid (", call.words().Cite(Clause::kWrongKind),
                          vuid.empty() ? "" : ", ", vuid, ")"))
        .Fix("pass a pointer to the data, or a count of 0 if there is none")
        .Fact("argument", std::string(argument.name));
    if (!vuid.empty()) finding.Fact("vuid", vuid);
  }

  static void OnKernelPointer(const KernelPointer& pointer, Call& call) {
    using Fault = KernelPointer::Fault;
    if (pointer.fault == Fault::kFreed || pointer.fault == Fault::kAtEnd) return;
    const Vocabulary& words = call.words();
    const std::string argument = absl::StrCat(ArgumentText(*pointer.kernel, pointer.index), " of ",
                                              ObjectText(*pointer.kernel, words));
    FindingBuilder finding = call.Add(RuleId::kInvalidPointer);
    switch (pointer.fault) {
      case Fault::kHost:
        finding
            .What(absl::StrCat(argument, " is ", HandleText(pointer.address),
                               ", ordinary host memory",
                               pointer.block.bytes != 0
                                   ? absl::StrCat(" in a block of ", BytesText(pointer.block.bytes))
                                   : ""))
            .Why("this device can use only host memory that the API allocated or registered",
                 Clause::kSharedPointer)
            .Fix(absl::StrCat("pass a pointer to a device copy of the data as argument ",
                              pointer.index, ", or register the host memory first"));
        if (pointer.block.site != kUnknownSite)
          finding.Party("host-block", "ordinary host block", pointer.block.site);
        break;
      case Fault::kNull:
        finding.Severe(Severity::kWarning)
            .What(absl::StrCat(
                argument,
                " is NULL, but earlier launches passed a pointer; the kernel can write "
                "through no other argument"))
            .Why("a kernel whose only output is NULL either faults or has no effect")
            .Fix(absl::StrCat("allocate the output in argument ", pointer.index,
                              " before the launch, and check whether the allocation failed"));
        break;
      default:
        finding
            .What(pointer.address == 0
                      ? absl::StrCat(argument, " is NULL, but the kernel accesses memory there")
                      : absl::StrCat(argument, " is ", HandleText(pointer.address),
                                     ", which is not in any live allocation"))
            .Why("the pointer must lie in memory that the device can reach", Clause::kSharedPointer)
            .Fix(
                absl::StrCat("allocate the memory before the launch, and pass the pointer that the "
                             "allocation returned as argument ",
                             pointer.index, "; check whether it failed"));
        break;
    }
    AddRecorder(finding, pointer);
    finding.About(*pointer.kernel)
        .Fact("argument", pointer.index)
        .Fact("kernel", pointer.kernel->name);
  }

 private:
  static void Check(const Side& side, const char* act, Call& call) {
    if (!side.is_host() || side.pointer != nullptr || side.region.empty()) [[likely]]
      return;
    call.MayCrash();
    call.Add(RuleId::kInvalidPointer)
        .What(absl::StrCat("the host pointer is NULL, and ", BytesText(side.region.bytes()),
                           " would be ", act, " there"))
        .Why("the host pointer must point to memory that holds the whole region",
             Clause::kHostBlock)
        .Fix("pass a host pointer to enough memory; check whether its allocation failed");
  }
};

}  // namespace
}  // namespace gpusan::rules
