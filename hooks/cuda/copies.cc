// See the header.
#include "hooks/cuda/copies.h"

namespace gpusan::cuda {

Completion CompletionOf(const Transfer& transfer, bool asynchronous) {
  // Into pageable memory, also from host memory.
  const bool reads_back = transfer.destination.is_host();
  if (asynchronous) return reads_back ? Completion::kHostWaits : Completion::kAsync;
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

}  // namespace gpusan::cuda
