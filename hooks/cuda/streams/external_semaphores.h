// Handlers: semaphores of other APIs. gpusan does not see the operations of the other API
// (external_waits.h).
#pragma once

#include "hooks/cuda/streams/external_waits.h"

namespace gpusan::cuda {

// --- functions of external_waits.cc
void UseExternalSemaphores(CuCall& call, const CUexternalSemaphore* semaphores, unsigned count);

// --- handlers

template <typename P>
struct ImportExternalSemaphore {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    Context* context = call.current();
    call.tracker().objects().NewPlain(call, ObjectKind::kExternalSemaphore, HandleOf(*p.extSem_out),
                                      context != nullptr ? context->object : nullptr);
  }
};

template <typename P>
struct DestroyExternalSemaphore {
  Object* object = nullptr;
  void Before(CuCall& call, P& p) {
    object = call.tracker().objects().UseForRelease(
        call, HandleOf(p.extSem), MaskOf(ObjectKind::kExternalSemaphore), "extSem");
    if (object != nullptr) call.tracker().objects().Release(call, object);
  }
  void After(CuCall& call, CUresult code, P&) {
    if (object != nullptr && code != CUDA_SUCCESS) call.tracker().objects().UndoRelease(object);
  }
};

template <typename P>
struct SignalExternalSemaphores {
  Stream* stream = nullptr;
  bool waits = false;
  void Before(CuCall& call, P& p) {
    UseExternalSemaphores(call, p.extSemArray, p.numExtSems);
    stream = StreamOf(call, p.stream);
  }
  void After(CuCall& call, CUresult code, P&) {
    AfterMemoryOperations(call, stream, waits, !waits, code);
  }
};

template <typename P>
struct WaitExternalSemaphores : SignalExternalSemaphores<P> {
  WaitExternalSemaphores() { this->waits = true; }
};

}  // namespace gpusan::cuda
