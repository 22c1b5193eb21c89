// Handlers: copies and sets of linear memory, one row.
#include "hooks/cuda/memory/copies.h"

#include <new>

#include "hooks/cuda/streams/advice.h"

namespace gpusan::cuda {

namespace {

using Pointer = TransferRequest::Pointer;

bool IsHostMemory(const Side& side) {
  return side.is_host() || side.resource->kind == ObjectKind::kPinned;
}

Side SideOf(CuCall& call, Pointer is, uintptr_t address, uint64_t bytes, const char* host_name,
            const char* device_name, const char* name, bool* usable) {
  const Region region = Region::Linear(0, bytes);
  switch (is) {
    case Pointer::kHost:
      return HostSide(call, reinterpret_cast<const void*>(address), region, host_name, usable);
    case Pointer::kDevice:
      return DeviceSide(call, address, region, device_name, usable);
    case Pointer::kAny:
      break;
  }
  return AnySide(call, address, region, name, usable);
}

void SetSides(CuCall& call, const TransferRequest& request, CopyState* state) {
  Transfer& transfer = state->transfer;
  if (request.pattern_bytes == 0) {
    transfer.source = SideOf(call, request.source_is, request.source, request.bytes, "srcHost",
                             "srcDevice", "src", &state->usable);
  }
  transfer.destination = SideOf(call, request.destination_is, request.destination, request.bytes,
                                "dstHost", "dstDevice", "dst", &state->usable);
  if (request.pattern_bytes != 0) {
    transfer.kind = TransferKind::kFill;
    transfer.pattern_bytes = request.pattern_bytes;
  } else if (request.source_is == Pointer::kHost) {
    transfer.kind = TransferKind::kWrite;
  } else if (request.destination_is == Pointer::kHost) {
    transfer.kind = TransferKind::kRead;
  } else if (request.source_is == Pointer::kDevice) {
    transfer.kind = TransferKind::kCopy;
  } else {
    SetKind(&transfer);
  }
}

// --- deferred commands

struct DeferredTransfer : DeferredCommand {
  TransferRequest request;
};

bool ProcessTransfer(DeferredCommand& command, const DeferredCommand*,
                     ProcessedCommand* processed) {
  const auto& one = static_cast<const DeferredTransfer&>(command);
  DeferredCall call(one);
  LinearCopy copy;
  copy.Begin(call, one.request, one.stream, true);
  processed->epoch = copy.epoch();
  copy.End(call, CUDA_SUCCESS);
  call.End(processed);
  return false;
}
constexpr DeferredKind kTransfer = {&ProcessTransfer};

// False for host memory that the driver does not know, because more is known about it now than
// later, and because a call that reads past its end may crash.
bool CanWait(const Tracker& tracker, Pointer is, uintptr_t address, uint64_t bytes) {
  if (is == Pointer::kDevice) return tracker.objects().addresses().span().Holds(address);
  uint64_t offset = 0;
  const Resource* resource = tracker.objects().FindAddress(address, &offset);
  return resource != nullptr && bytes <= resource->bytes - offset;
}

}  // namespace

bool ShortTransfer::Set(CuCall& call, const TransferRequest& request) {
  BlockPools& pools = call.tracker().block_pools();
  const auto find = [&](Pointer is, uintptr_t address, Resource** resource, uint64_t* offset) {
    *resource = call.tracker().objects().FindAddress(address, offset);
    // A host pointer must not point to device memory. SetSides() handles memory between blocks.
    return *resource != nullptr &&
           (is != Pointer::kHost || (*resource)->kind != ObjectKind::kDeviceMemory) &&
           (!pools.any() || (*resource)->is_block() || pools.Find(address) == 0);
  };
  transfer_.bytes = request.bytes;
  if (request.pattern_bytes != 0) {
    transfer_.pattern_bytes = request.pattern_bytes;
  } else if (!find(request.source_is, request.source, &transfer_.source,
                   &transfer_.source_offset)) {
    return false;
  }
  return find(request.destination_is, request.destination, &transfer_.destination,
              &transfer_.destination_offset);
}

void LinearCopy::Begin(CuCall& call, const TransferRequest& request, Stream* stream,
                       bool asynchronous) {
  if (asynchronous && short_way_.Set(call, request) && short_way_.Begin(call, stream)) [[likely]]
    return;
  CopyState& state = long_way_.emplace();
  SetSides(call, request, &state);
  state.Begin(call, stream, asynchronous);
}

void LinearCopy::End(CuCall& call, CUresult code) {
  if (!long_way_.has_value()) return short_way_.End(call, code);
  long_way_->End(call, code);
}

void LinearCopy::EndRejected(CuCall& call, const TransferRequest& request, Stream* stream,
                             const ProcessedCommand& processed, CUresult code) {
  if (!processed.epoch.valid() || !short_way_.Set(call, request)) return;
  short_way_.Resume(stream, processed.epoch);
  End(call, code);
}

bool DeferTransfer(FastCall& call, const TransferRequest& request, CUstream handle) {
  const Tracker& tracker = call.tracker();
  Stream* const stream = KnownStream(call, handle);
  if (!MayDefer(call, stream) ||
      !CanWait(tracker, request.destination_is, request.destination, request.bytes) ||
      (request.pattern_bytes == 0 &&
       !CanWait(tracker, request.source_is, request.source, request.bytes)))
    return false;
  DeferredRoom room(sizeof(DeferredTransfer));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  auto& one = *new (room.get()) DeferredTransfer;
  one.request = request;
  room.Enqueue(call, stream, kTransfer, false, sizeof(DeferredTransfer));
  return true;
}

Completion CompletionOf(const Transfer& transfer, bool asynchronous) {
  if (transfer.kind == TransferKind::kFill) {
    // Sets are asynchronous except on host memory (CUDA api-sync-behavior, memset).
    const Resource* resource = transfer.destination.resource;
    const bool waits = !asynchronous && resource != nullptr &&
                       (resource->host_addressable() || resource->has(kSynchronous));
    return waits ? Completion::kHostWaits : Completion::kAsync;
  }
  if (asynchronous) {
    if (!transfer.destination.is_host()) return Completion::kAsync;
    // From host to host: always. Into pageable memory: it "might be".
    return IsHostMemory(transfer.source) || !CurrentHooks().strict ? Completion::kHostWaits
                                                                   : Completion::kAsync;
  }
  // Staged copies and copies within the device may still run (CUDA api-sync-behavior). Drivers
  // order them before everything that could observe them except work on non-blocking streams.
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
    // No document says when the call has finished with pageable memory.
    transfer.source.complete_on_return = reads_during_call;
    transfer.destination.complete_on_return = false;
  }
  command.BeginTransfer(call, stream, transfer, usable, completion);
  if (asynchronous && usable && !command.captured()) AdviseOnPageableCopy(call, transfer);
}

}  // namespace gpusan::cuda
