// Waits and signals in streams whose other side gpusan cannot see.
#include "hooks/cuda/streams/external_waits.h"

#include "hooks/cuda/streams/capture.h"

namespace gpusan::cuda {

void WaitUnseen(CuCall& call, Stream* stream) {
  PlainObject* unseen = stream->unseen.load(std::memory_order_acquire);
  if (unseen == nullptr) {
    // The object has no handle; the address of a field of gpusan's is unique.
    unseen = call.tracker().objects().NewPlain(call, ObjectKind::kSemaphore,
                                               HandleOf(&stream->unseen), stream->context->object);
    unseen->MarkAdopted();
    stream->unseen.store(unseen, std::memory_order_release);
  }
  call.tracker().ordering().GateBehind(*stream->queue, *unseen,
                                       stream->unseen_value.load(std::memory_order_relaxed));
  if (StreamGroup* group = stream->queue->group; group != nullptr) group->Began(*stream->queue);
}

void SignalUnseen(CuCall& call, Stream* stream) {
  if (StreamGroup* group = stream->queue->group; group != nullptr) group->Join(*stream->queue);
  call.tracker().ordering().WaitSnapshot(call.tracker().ordering().Snap(*stream->queue));
}

void OpenUnseen(CuCall& call, Stream* stream) {
  PlainObject* unseen = stream->unseen.load(std::memory_order_acquire);
  if (unseen == nullptr) return;
  call.tracker().ordering().AbandonGate(
      call, *unseen, stream->unseen_value.fetch_add(1, std::memory_order_relaxed));
}

bool NoteCaptured(CuCall& call, Stream* stream) {
  if (!IsCaptured(stream)) return false;
  NoteCapturedNodes(call, stream);
  return true;
}

MemoryOperation ReadMemoryOperation(const CUstreamBatchMemOpParams& operation) {
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return {true, false, operation.waitValue.address, 4};
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return {true, false, operation.waitValue.address, 8};
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return {false, true, operation.writeValue.address, 4};
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return {false, true, operation.writeValue.address, 8};
    case CU_STREAM_MEM_OP_BARRIER:
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return {};
    default:
      return {false, true, 0, 0};
  }
}

void CheckMemoryOperation(CuCall& call, const Stream* stream, const MemoryOperation& operation) {
  if (operation.bytes == 0 || operation.address == 0 || stream == nullptr || IsCaptured(stream))
    return;
  uint64_t offset = 0;
  const uintptr_t address = HandleOf(operation.address);
  Resource* resource = call.tracker().objects().FindAddress(address, &offset);
  if (resource == nullptr)
    return call.tracker().pointers().CheckFreedPointer(call, address, "addr");
  if (!operation.writes || !resource->has(kHostReadOnly)) return;
  Transfer written;
  written.kind = TransferKind::kFill;
  written.destination.resource = resource;
  written.destination.region = Region::Linear(offset, operation.bytes);
  call.tracker().accesses().CheckTransfer(call, written);
}

void MarkValueWritten(Tracker& tracker, const MemoryOperation& operation) {
  if (operation.bytes == 0) return;
  uint64_t offset = 0;
  Resource* written = tracker.objects().FindAddress(HandleOf(operation.address), &offset);
  if (written == nullptr) return;
  tracker.accesses().MarkWritten(written,
                                 Region::Linear(written->root_offset + offset, operation.bytes));
}

void AfterMemoryOperations(CuCall& call, Stream* stream,
                           absl::Span<const MemoryOperation> operations, CUresult code) {
  if (stream == nullptr || code != CUDA_SUCCESS || NoteCaptured(call, stream)) return;
  bool waits = false, writes = false;
  for (const MemoryOperation& operation : operations) {
    waits |= operation.waits;
    writes |= operation.writes;
    if (operation.writes) MarkValueWritten(call.tracker(), operation);
  }
  if (waits) WaitUnseen(call, stream);
  if (writes) SignalUnseen(call, stream);
}

}  // namespace gpusan::cuda
