// Handlers: semaphores of other APIs. A semaphore that an API of this process exported keeps the
// order of both APIs. Of other semaphores gpusan does not see the other side (external_waits.h).
#pragma once

#include "hooks/cuda/call/releases_object.h"
#include "hooks/cuda/streams/external_waits.h"

namespace gpusan::cuda {

// --- functions of external_semaphores.cc

// Before the real call: finds the semaphore of another API of the process that the call imports.
SharedPayloads::Payload FindExport(CuCall& call,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* imported);
void CreatedSemaphore(CuCall& call, uintptr_t handle, const SharedPayloads::Payload& payload);
void UseExternalSemaphores(CuCall& call, const CUexternalSemaphore* semaphores, unsigned count);
// Records that the stream signals `value` of the semaphore, or waits for it.
void SignalExternal(CuCall& call, Stream* stream, CUexternalSemaphore semaphore, uint64_t value);
void WaitForExternal(CuCall& call, Stream* stream, CUexternalSemaphore semaphore, uint64_t value);
// Semaphores are used where gpusan does not follow them: from now on it counts the other side of
// all semaphores that other APIs exported as unseen.
void LoseExternalSemaphores();

// --- handlers

template <typename P>
struct ImportExternalSemaphore {
  SharedPayloads::Payload payload;
  void Before(CuCall& call, P& p) { payload = FindExport(call, p.semHandleDesc); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedSemaphore(call, HandleOf(*p.extSem_out), payload);
  }
};

template <typename P>
struct DestroyExternalSemaphore : ReleasesObject {
  void Before(CuCall& call, P& p) {
    released = call.tracker().objects().UseForRelease(
        call, HandleOf(p.extSem), MaskOf(ObjectKind::kExternalSemaphore), "extSem");
    if (released != nullptr) call.tracker().objects().Release(call, released);
  }
};

// The commands of a stream that signal, or wait for, external semaphores. `kFollow`: SignalExternal
// or WaitForExternal.
template <typename P, auto kFollow>
struct ExternalSemaphoreCommand {
  Stream* stream = nullptr;
  void Before(CuCall& call, P& p) {
    UseExternalSemaphores(call, p.extSemArray, p.numExtSems);
    stream = StreamOf(call, p.stream);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (stream == nullptr || code != CUDA_SUCCESS) return;
    if (NoteCaptured(call, stream)) return LoseExternalSemaphores();
    for (unsigned i = 0; i < p.numExtSems; ++i)
      kFollow(call, stream, p.extSemArray[i], p.paramsArray[i].params.fence.value);
  }
};

template <typename P>
struct SignalExternalSemaphores : ExternalSemaphoreCommand<P, &SignalExternal> {};
template <typename P>
struct WaitExternalSemaphores : ExternalSemaphoreCommand<P, &WaitForExternal> {};

}  // namespace gpusan::cuda
