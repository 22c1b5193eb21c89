// See the header.
#include "hooks/cuda/copies.h"

#include "hooks/cuda/advice.h"

namespace gpusan::cuda {

namespace {

bool IsHostMemory(const Side& side) {
  return side.is_host() || side.resource->kind == ObjectKind::kPinned;
}

}  // namespace

Completion CompletionOf(const Transfer& transfer, bool asynchronous) {
  if (transfer.kind == TransferKind::kFill) {
    // Sets are asynchronous except on memory of the host (CUDA api-sync-behavior, memset).
    const Resource* resource = transfer.destination.resource;
    const bool waits = !asynchronous && resource != nullptr &&
                       (resource->host_addressable() || resource->has(kSynchronous));
    return waits ? Completion::kHostWaits : Completion::kAsync;
  }
  if (asynchronous) {
    if (!transfer.destination.is_host()) return Completion::kAsync;
    // From host to host: always. Into pageable memory it "might be".
    return IsHostMemory(transfer.source) || !CurrentHooks().strict ? Completion::kHostWaits
                                                                   : Completion::kAsync;
  }
  // What is staged, and what stays on the device, may still be under way (CUDA api-sync-behavior);
  // drivers order it in front of all that could see it but work on non-blocking streams.
  if (!CurrentHooks().strict) return Completion::kHostWaits;
  for (const Side* side : {&transfer.source, &transfer.destination}) {
    if (side->resource != nullptr && side->resource->has(kSynchronous))
      return Completion::kHostWaits;
  }
  const bool staged = transfer.source.is_host() && !transfer.destination.is_host();
  const bool stays = !transfer.source.is_host() && !transfer.destination.is_host() &&
                     transfer.source.resource->kind == ObjectKind::kDeviceMemory &&
                     transfer.destination.resource->kind == ObjectKind::kDeviceMemory;
  return staged || stays ? Completion::kAsync : Completion::kHostWaits;
}

void SetKind(Transfer* transfer) {
  transfer->kind = transfer->destination.is_host() ? TransferKind::kRead
                   : transfer->source.is_host()    ? TransferKind::kWrite
                                                   : TransferKind::kCopy;
}

void CopyState::Begin(CuCall& call, Stream* stream, bool asynchronous) {
  const Completion completion = CompletionOf(transfer, asynchronous);
  if (asynchronous && completion == Completion::kAsync && CurrentHooks().strict) {
    // Whether the call is done with pageable memory nobody may count on.
    transfer.source.complete_on_return = reads_during_call;
    transfer.destination.complete_on_return = false;
  }
  command.BeginTransfer(call, stream, transfer, usable, completion);
  if (asynchronous && usable && !command.captured()) AdviseOnPageableCopy(call, transfer);
}

}  // namespace gpusan::cuda
