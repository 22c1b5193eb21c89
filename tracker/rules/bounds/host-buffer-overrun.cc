// Check host-buffer-overrun: the host block at the pointer is smaller than the transfer.
#include "tracker/memory/fault_handlers.h"
#include "tracker/memory/protected_memory.h"
#include "tracker/rules/events/host_argument.h"
#include "tracker/rules/events/packed_arguments.h"
#include "tracker/rules/events/query_use.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/host_block_text.h"
#include "tracker/rules/shared/region_text.h"

namespace gpusan::rules {
namespace {

// Returns whether the program may give access to the memory behind the mapping when a transfer
// reaches it: the program has taken its access away there, and handles faults.
bool MayGrow(const HostBlock& block) {
  return block.kind == HostBlockKind::kMapping && FindProtected(block.end(), 1, true) != 0 &&
         MayRepeatAccesses();
}

struct HostBufferOverrun {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    Check(transfer.source, transfer.destination, false, call);
    Check(transfer.destination, transfer.source, true, call);
  }

  static void OnCreate(const Creation& creation, Call& call) {
    if (creation.host_pointer == nullptr || creation.host_bytes == 0 ||
        creation.conflict != nullptr)
      return;
    HostBlock block;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(creation.host_pointer);
    if (!call.shadow().host_memory().FindSpan(begin, creation.host_bytes, &block)) return;
    const uint64_t available = block.end() - begin;
    if (creation.host_bytes <= available || call.Has(RuleId::kFormatSizeMismatch) || MayGrow(block))
      return;
    call.MayCrash();
    call.Add(RuleId::kHostBufferOverrun)
        .What(absl::StrCat("the ", ObjectKindName(creation.kind), " to be created uses ",
                           BytesText(creation.host_bytes),
                           " of host memory, but the host block has ", BytesText(available),
                           " after the pointer"))
        .Why("the host memory given at creation must be at least as large as the object",
             Clause::kHostBlock)
        .Fix(
            "allocate the host block as large as the object, or create the object with the block's "
            "size")
        .Party("host-block", HostBlockText(block, call), block.site)
        .Fact("needed_bytes", creation.host_bytes)
        .Fact("block_bytes", available);
  }

  static void OnHostArgument(const HostArgument& use, Call& call) {
    call.MayCrash();
    const bool source = use.fault == HostArgument::Fault::kSourceString;
    const bool binary = use.fault == HostArgument::Fault::kProgramBinary;
    FindingBuilder finding = call.Add(RuleId::kHostBufferOverrun);
    finding
        .What(source ? absl::StrCat(call.info().name, " reads ", use.argument,
                                    " up to a NUL character, but the ", BytesText(use.available),
                                    " of the host block after the pointer contain none")
                     : absl::StrCat(call.info().name, " writes ", BytesText(use.needed), " of ",
                                    binary ? "CL_PROGRAM_BINARIES" : "the value", " to ",
                                    use.argument, ", but the host block has ",
                                    BytesText(use.available), " after the pointer"))
        .Why(source   ? "a string whose length is not in lengths must end with a NUL character "
                        "(OpenCL 3.0 §5.8.1)"
             : binary ? "each pointer must point to as many bytes as CL_PROGRAM_BINARY_SIZES says "
                        "(OpenCL 3.0 §5.8.8)"
                      : absl::StrCat("param_value must point to param_value_size bytes (OpenCL "
                                     "3.0, ",
                                     call.info().name, ", param_value)"))
        .Fix(source   ? "append a NUL character, or pass the length in lengths"
             : binary ? "allocate each block with the size that CL_PROGRAM_BINARY_SIZES returns"
                      : "pass the size of the memory at param_value as param_value_size, and "
                        "allocate as many bytes as a query with param_value_size_ret returns")
        .Party("host-block", HostBlockText(use.block, call), use.block.site)
        .Fact("argument", use.argument)
        .Fact("block_bytes", use.available);
    if (!source) finding.Fact("needed_bytes", use.needed);
  }

  static void OnPackedArguments(const PackedArguments& arguments, Call& call) {
    call.Add(RuleId::kHostBufferOverrun)
        .What(absl::StrCat("the parameters of ", ObjectText(*arguments.kernel, call.words()),
                           " take ", BytesText(arguments.needed),
                           ", but CU_LAUNCH_PARAM_BUFFER_SIZE in extra says ",
                           BytesText(arguments.given)))
        .Why(
            "the kernel reads parameters that the program does not pass; the buffer must hold all "
            "parameters (CUDA driver API, cuLaunchKernel)")
        .Fix("pack all parameters of the kernel into the buffer, and pass the size of the buffer")
        .Fact("needed_bytes", arguments.needed)
        .Fact("block_bytes", arguments.given);
  }

  static void OnQueryUse(const QueryUse& use, Call& call) {
    if (use.fault != QueryUse::Fault::kPastBlock) return;
    call.MayCrash();
    call.Add(RuleId::kHostBufferOverrun)
        .What(absl::StrCat(call.info().name, " writes ", BytesText(use.needed), " of results of ",
                           ObjectText(*use.pool, call.words()), ", but the host block has ",
                           BytesText(use.available), " after the pointer"))
        .Why(
            "pData must point to as many bytes as dataSize says (Vulkan 1.3 §18.3, "
            "VUID-vkGetQueryPoolResults-pData-parameter)")
        .Fix(absl::StrCat("allocate at least ", BytesText(use.needed),
                          " of host memory from the pointer on, or read fewer queries"))
        .Party("host-block", HostBlockText(use.block, call), use.block.site)
        .WithCreation(*use.pool)
        .Fact("needed_bytes", use.needed)
        .Fact("block_bytes", use.available)
        .Fact("vuid", std::string("VUID-vkGetQueryPoolResults-pData-parameter"));
  }

 private:
  // The row pitch of a side; the other side has the rows of the transfer. Rows without gaps are one
  // linear range.
  static uint64_t PitchOf(const Side& side, const Side& other) {
    return side.region.rows > 1 ? side.region.row_pitch : other.region.width;
  }

  // True if both sides hold the rows of the transfer once each has the pitch of the other.
  static bool FitsExchanged(const Side& host, const Side& device, uint64_t available) {
    const Region& rows = host.region;
    if (rows.rows < 2 || rows.slices != 1 || device.resource == nullptr ||
        device.resource->image != nullptr || device.region.slices != 1 ||
        device.region.bytes() != rows.bytes())
      return false;
    const uint64_t pitch = PitchOf(device, host);
    const auto end = [&](const Region& region, uint64_t with) {
      return Region::Strided(region.offset, rows.width, rows.rows, with, 1, 0).end();
    };
    return pitch != rows.row_pitch && pitch >= rows.width && end(rows, pitch) <= available &&
           end(device.region, rows.row_pitch) <= device.resource->bytes;
  }

  static void Check(const Side& host, const Side& device, bool writes, Call& call) {
    if (!host.is_host() || !host.block_known) return;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(host.pointer);
    const uint64_t needed = host.region.empty() ? 0 : host.region.end();
    const uint64_t available = host.block.end() - begin;
    if (needed <= available) [[likely]]
      return;
    if (call.Has(RuleId::kFormatSizeMismatch) || MayGrow(host.block)) return;
    const Vocabulary& words = call.words();
    const std::string arithmetic =
        absl::StrCat(host.region.linear() ? absl::StrCat(needed) : EndSum(host.region), " B");
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kHostBufferOverrun);
    finding
        .What(absl::StrCat(
            "the transfer ", writes ? "writes " : "reads ", BytesText(needed),
            " of host memory, but the host block has ", BytesText(available), " after the pointer",
            begin != host.block.begin
                ? absl::StrCat(" (the pointer is ", begin - host.block.begin, " B into a block of ",
                               BytesText(host.block.bytes), ")")
                : ""))
        .Why(absl::StrCat("the host memory must hold every byte of the region: ", arithmetic),
             Clause::kHostBlock)
        .Fix(
            FitsExchanged(host, device, available)
                ? absl::StrCat("exchange the pitches: with ", PitchOf(device, host),
                               " B for the "
                               "host memory and ",
                               host.region.row_pitch, " B for ",
                               ObjectText(*device.resource, words), " both are large enough")
                : absl::StrCat("allocate at least ", BytesText(needed),
                               " of host memory from the pointer on, or transfer a smaller region"))
        .Party("host-block", HostBlockText(host.block, call), host.block.site)
        .Fact("needed_bytes", needed)
        .Fact("block_bytes", available);
    if (device.resource != nullptr) finding.WithCreation(*device.resource);
  }
};

}  // namespace
}  // namespace gpusan::rules
