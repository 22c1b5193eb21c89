// The handlers of the toy API, in the shape of hooks/common/handler.h.
#pragma once

#include "tests/unit/fourth_api/call.h"

namespace gpusan::toy {

struct StreamCreate {
  void After(ToyCall& call, ToyResult result, ToyStream* stream) {
    if (result == kToySuccess) call.tracker().objects().NewQueue(call, *stream, nullptr, true, 1);
  }
};

struct Allocate {
  void After(ToyCall& call, ToyResult result, ToyBuffer* buffer, size_t bytes) {
    if (result != kToySuccess) return;
    ResourceSpec spec;
    spec.handle = *buffer;
    spec.bytes = bytes;
    call.tracker().objects().NewResource(call, spec);
  }
};

struct Free {
  void Before(ToyCall& call, ToyBuffer buffer) {
    Tracker& tracker = call.tracker();
    object = tracker.objects().UseForRelease(
        call, tracker.objects().Find(Api::kToy, ObjectKind::kBuffer, buffer), buffer,
        MaskOf(ObjectKind::kBuffer), "buffer");
    if (object != nullptr) tracker.objects().Release(call, object);
  }
  void After(ToyCall& call, ToyResult result, ToyBuffer) {
    if (result != kToySuccess && object != nullptr) call.tracker().objects().UndoRelease(object);
  }
  Object* object = nullptr;
};

struct Fill {
  void Before(ToyCall& call, ToyStream stream, ToyBuffer buffer, size_t offset, size_t bytes) {
    Tracker& tracker = call.tracker();
    Object* queue = tracker.objects().Use(call, ObjectKind::kQueue, stream, "stream");
    Object* memory = tracker.objects().Use(call, ObjectKind::kBuffer, buffer, "buffer");
    if (queue == nullptr || memory == nullptr) return;
    transfer.kind = TransferKind::kFill;
    transfer.pattern_bytes = 1;
    transfer.destination.resource = static_cast<Resource*>(memory);
    transfer.destination.region = Region::Linear(offset, bytes);
    tracker.accesses().CheckTransfer(call, transfer);
    tracker.ordering().Begin(call, command, static_cast<Queue*>(queue), {});
    tracker.accesses().RecordTransfer(call, command, transfer);
    begun = true;
  }
  void After(ToyCall& call, ToyResult result, ToyStream, ToyBuffer, size_t, size_t) {
    if (!begun) return;
    if (result == kToySuccess) {
      call.tracker().accesses().CommitTransfer(transfer);
    } else {
      call.tracker().accesses().Rollback(command);
    }
  }
  Transfer transfer;
  Command command;
  bool begun = false;
};

struct StreamSynchronize {
  void After(ToyCall& call, ToyResult result, ToyStream stream) {
    Object* queue = call.tracker().objects().Find(Api::kToy, ObjectKind::kQueue, stream);
    if (result == kToySuccess && queue != nullptr)
      call.tracker().ordering().WaitQueue(*static_cast<Queue*>(queue));
  }
};

}  // namespace gpusan::toy
