// See the header.
#include "hooks/cuda/streams.h"

namespace gpusan::cuda {

void CreatedStream(CuCall& call, uintptr_t handle, bool blocking) {
  if (Context* context = call.current(); context != nullptr)
    NewStream(call, handle, context, blocking);
}

void DestroyStream(CuCall& call, CUstream handle) {
  if (HandleOf(handle) <= 2) return;
  Object* object = call.tracker().UseForRelease(call, HandleOf(handle),
                                                MaskOf(ObjectKind::kQueue), "hStream");
  if (object != nullptr)
    DropStream(call, static_cast<Stream*>(static_cast<Queue*>(object)->native));
}

RecordedEvent* UseEvent(CuCall& call, CUevent event) {
  return static_cast<RecordedEvent*>(call.tracker().Use(
      call, HandleOf(event), MaskOf(ObjectKind::kRecordedEvent), "hEvent"));
}

void CreatedEvent(CuCall& call, uintptr_t handle, unsigned flags) {
  Context* context = call.current();
  RecordedEvent* event = call.tracker().NewRecordedEvent(
      call, handle, context != nullptr ? context->object : nullptr);
  event->native_flags = flags;
}

void DestroyEvent(CuCall& call, CUevent event) {
  Object* object = call.tracker().UseForRelease(
      call, HandleOf(event), MaskOf(ObjectKind::kRecordedEvent), "hEvent");
  if (object != nullptr) call.tracker().Release(call, object);
}

void RecordEvent(CuCall& call, CUevent handle, Stream* stream) {
  RecordedEvent* event = UseEvent(call, handle);
  if (event == nullptr || stream->capture.load(std::memory_order_relaxed) != nullptr) return;
  StreamGroup* group = stream->queue->group;
  if (group != nullptr) group->Join(*stream->queue);
  event->record.Record(call.tracker().Snap(*stream->queue));
}

void WaitForEvent(CuCall& call, Stream* stream, CUevent handle) {
  Object* object = call.tracker().Find(Api::kCuda, HandleOf(handle));
  if (object == nullptr || object->kind != ObjectKind::kRecordedEvent) return;
  if (stream->capture.load(std::memory_order_relaxed) != nullptr) return;
  Snapshot point;
  if (!static_cast<RecordedEvent*>(object)->record.Get(&point)) return;
  call.tracker().OrderBehind(*stream->queue, point);
  // An operation of the legacy stream waits for what the stream waits for.
  if (stream->queue->group != nullptr) stream->queue->group->Began(*stream->queue);
}

void HostWaitsForEvent(CuCall& call, CUevent handle) {
  Object* object = call.tracker().Find(Api::kCuda, HandleOf(handle));
  if (object == nullptr || object->kind != ObjectKind::kRecordedEvent) return;
  Snapshot point;
  if (static_cast<RecordedEvent*>(object)->record.Get(&point)) call.tracker().WaitSnapshot(point);
}

}  // namespace gpusan::cuda
