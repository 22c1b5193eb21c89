// Handlers: streams, events, and what the host waits for.
#include "hooks/cuda/streams/streams.h"

#include <new>

#include "hooks/cuda/streams/external_waits.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

// --- deferred commands

struct DeferredWait : DeferredCommand {
  bool context;  // for the whole context
};

bool ProcessWait(DeferredCommand& command, const DeferredCommand*, ProcessedCommand* processed) {
  const auto& one = static_cast<const DeferredWait&>(command);
  DeferredCall call(one);
  if (one.context) {
    WaitContext(call, one.stream->context);
  } else {
    WaitStream(call, one.stream);
  }
  call.End(processed);
  return false;
}
constexpr DeferredKind kWait = {&ProcessWait};

}  // namespace

bool DeferWait(FastCall& call, Stream* stream, bool context) {
  if (!MayDeferWait(call)) return false;
  DeferredRoom room(sizeof(DeferredWait));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  auto& one = *new (room.get()) DeferredWait;
  one.context = context;
  room.Enqueue(call, stream, kWait, true, sizeof(DeferredWait));
  return true;
}

void CreatedStream(CuCall& call, uintptr_t handle, bool blocking) {
  Context* context = call.current();
  if (context == nullptr) return;
  const Stream* stream = NewStream(call, handle, context, blocking);
  NoteCreation(call, stream->queue, [](const Object& object) {
    const auto* last = static_cast<const Stream*>(static_cast<const Queue&>(object).native);
    bool used = false;
    last->recent.ForEach([&](const RecentCommand&) { used = true; });
    return used;
  });
}

void NoteCreation(CuCall& call, Object* object, bool (*is_done)(const Object&)) {
  call.tracker().objects().creation_loops().Note(object, is_done);
}

void DestroyStream(CuCall& call, CUstream handle) {
  if (HandleOf(handle) <= 2) return;
  Object* object = call.tracker().objects().UseForRelease(call, HandleOf(handle),
                                                          MaskOf(ObjectKind::kQueue), "hStream");
  if (object == nullptr) return;
  auto* stream = static_cast<Stream*>(static_cast<Queue*>(object)->native);
  ExplainLostCapture(call, stream);
  DropStream(call, stream);
}

RecordedEvent* UseEvent(CuCall& call, CUevent event, const char* argument) {
  return static_cast<RecordedEvent*>(call.tracker().objects().Use(
      call, HandleOf(event), MaskOf(ObjectKind::kRecordedEvent), argument));
}

void CreatedEvent(CuCall& call, uintptr_t handle, unsigned flags) {
  Context* context = call.current();
  RecordedEvent* event = call.tracker().objects().NewRecordedEvent(
      call, handle, context != nullptr ? context->object : nullptr);
  event->native_flags = flags;
  NoteCreation(call, event, [](const Object& object) {
    return static_cast<const RecordedEvent&>(object).record.With([](const Snapshot&) {});
  });
}

void DestroyEvent(CuCall& call, CUevent event) {
  Object* object = call.tracker().objects().UseForRelease(
      call, HandleOf(event), MaskOf(ObjectKind::kRecordedEvent), "hEvent");
  if (object != nullptr) call.tracker().objects().Release(call, object);
}

void RecordEvent(CuCall& call, RecordedEvent* event, Stream* stream) {
  StreamGroup* group = stream->queue->group;
  if (group != nullptr) group->Join(*stream->queue);
  event->record.RecordWith(
      [&](Snapshot* point) { call.tracker().ordering().Snap(*stream->queue, point); });
  if (WasCaptured(*event)) [[unlikely]]
    event->native.store(nullptr, std::memory_order_relaxed);
  // Other processes may wait for the event.
  if ((event->native_flags & CU_EVENT_INTERPROCESS) != 0) [[unlikely]]
    SignalUnseen(call, stream);
}

void RecordContext(CuCall& call, RecordedEvent* event, Context* context) {
  Snapshot all;
  for (Stream* stream : StreamsOf(context))
    call.tracker().ordering().JoinPoint(&all, call.tracker().ordering().Snap(*stream->queue));
  event->record.Record(all);
  event->native.store(nullptr, std::memory_order_relaxed);
}

void WaitInContext(CuCall& call, const RecordedEvent* event, Context* context) {
  event->record.With([&](const Snapshot& point) {
    for (Stream* stream : StreamsOf(context)) {
      call.tracker().ordering().OrderBehind(*stream->queue, point);
      if (StreamGroup* group = stream->queue->group; group != nullptr) group->Began(*stream->queue);
    }
    Snapshot entry;
    context->entry.Get(&entry);
    entry.clock.Prune(call.tracker().ordering().host());
    call.tracker().ordering().JoinPoint(&entry, point);
    context->entry.Record(entry);
  });
}

void RecordedElsewhere(CuCall& call, RecordedEvent* event, Stream* stream, CUresult code,
                       bool external) {
  if (code != CUDA_SUCCESS) {
    ExplainEvent(call, event, stream, code);
    return;
  }
  // Until the graph runs, the event keeps its old record.
  if (!external) RecordedInCapture(stream, event);
  NoteCapturedNodes(call, stream);
}

void WaitForEvent(CuCall& call, Stream* stream, const RecordedEvent* event) {
  if (WasCaptured(*event)) [[unlikely]]
    JoinedCapture(call, stream, *event);
  if (IsCaptured(stream)) [[unlikely]] {
    NoteCapturedNodes(call, stream);
    return;
  }
  const bool recorded = event->record.With(
      [&](const Snapshot& point) { call.tracker().ordering().OrderBehind(*stream->queue, point); });
  // A later command of the legacy stream waits for everything that the stream waits for.
  if (recorded && stream->queue->group != nullptr) stream->queue->group->Began(*stream->queue);
}

void HostWaitsForEvent(CuCall& call, const RecordedEvent* event) {
  event->record.With([&](const Snapshot& point) { call.tracker().ordering().WaitSnapshot(point); });
}

void ExplainEvent(CuCall& call, const RecordedEvent* event, const Stream* stream, CUresult code) {
  if (code != CUDA_ERROR_INVALID_HANDLE) {
    ExplainCapturedEvent(call, *event, stream, code);
    return;
  }
  if (stream == nullptr || event->adopted || stream->queue->adopted || call.info().name[2] != 'E')
    return;
  // Only waits may cross contexts.
  rules::CheckOwner(call, event, stream->context->object, "hEvent");
}

void ExplainElapsedTime(CuCall& call, const RecordedEvent* start, const RecordedEvent* end,
                        CUresult code) {
  for (const RecordedEvent* event : {start, end}) {
    if (code != CUDA_ERROR_INVALID_HANDLE) {
      ExplainCapturedEvent(call, *event, nullptr, code);
      if (call.has_findings()) return;
      continue;
    }
    SyncMisuse misuse;
    misuse.object = event;
    misuse.argument = event == start ? "hStart" : "hEnd";
    if ((event->native_flags & CU_EVENT_DISABLE_TIMING) != 0) {
      misuse.fault = SyncMisuse::Fault::kTimingDisabled;
    } else if (!event->record.With([](const Snapshot&) {})) {
      misuse.fault = SyncMisuse::Fault::kNeverRecorded;
    } else {
      continue;
    }
    rules::OnSyncMisuse(misuse, call);
    return;
  }
}

Context* ContextArgument(CuCall& call, CUcontext context) {
  return context != nullptr ? ContextOf(call, HandleOf(context)) : call.current();
}

Context* ContextArgument(CuCall& call, CUgreenCtx context) {
  const auto convert = GPUSAN_CU_REAL(cuCtxFromGreenCtx);
  CUcontext plain = nullptr;
  if (convert == nullptr || convert(&plain, context) != CUDA_SUCCESS) return nullptr;
  return ContextOf(call, HandleOf(plain));
}

}  // namespace gpusan::cuda
