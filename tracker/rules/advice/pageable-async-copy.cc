// Check pageable-async-copy: an asynchronous copy of pageable memory, which may block.
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/host_block_text.h"

namespace gpusan::rules {
namespace {

struct PageableAsyncCopy {
  static void OnPageableCopy(const PageableCopy& copy, Call& call) {
    const Transfer& transfer = *copy.transfer;
    const bool reads = transfer.destination.is_host();
    const Side& host = reads ? transfer.destination : transfer.source;
    FindingBuilder finding = call.Add(RuleId::kPageableAsyncCopy);
    finding
        .What(absl::StrCat("the ", BytesText(host.region.bytes()), " that ", call.info().name,
                           reads ? " writes" : " reads", " at ",
                           HandleText(reinterpret_cast<uintptr_t>(host.pointer)),
                           " are ordinary, pageable memory"))
        .Why(
            "the device accesses only page-locked memory: the driver copies other memory through a "
            "staging buffer, so that the call may wait for the stream (CUDA driver API, "
            "api-sync-behavior, asynchronous)")
        .Fix(
            "allocate the block with cuMemAllocHost, or register it once with cuMemHostRegister, "
            "or use the synchronous call if the wait is intended")
        .Fact("copy_bytes", host.region.bytes());
    if (host.block_known)
      finding.Party("host-block", HostBlockText(host.block, call), host.block.site);
  }
};

}  // namespace
}  // namespace gpusan::rules
