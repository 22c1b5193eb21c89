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

void AfterMemoryOperations(CuCall& call, Stream* stream, bool waits, bool writes, CUresult code) {
  if (stream == nullptr || code != CUDA_SUCCESS || NoteCaptured(call, stream)) return;
  if (waits) WaitUnseen(call, stream);
  if (writes) SignalUnseen(call, stream);
}

void FindMemoryOperations(const CUstreamBatchMemOpParams* operations, unsigned count, bool* waits,
                          bool* writes) {
  if (operations == nullptr) return;
  for (unsigned i = 0; i < count; ++i) {
    switch (operations[i].operation) {
      case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        *waits = true;
        break;
      case CU_STREAM_MEM_OP_BARRIER:
      case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        break;
      default:
        *writes = true;
        break;
    }
  }
}

}  // namespace gpusan::cuda
