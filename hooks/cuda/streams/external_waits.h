// Handlers: waits and signals in streams whose other side nobody sees: values in memory, semaphores
// of other APIs.
//
// A wait may be for anything, also for work that is enqueued later: what is behind it is not judged
// until the host has waited for the stream. A signal may be what the host, another stream or
// another API waits for unseen: all that is in front of it counts as known to the host.
#pragma once

#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/stream_command.h"

namespace gpusan::cuda {

// --- not templates (external_waits.cc)

// The stream waits from now on for something unseen.
void WaitUnseen(CuCall& call, Stream* stream);
// It signals something unseen.
void SignalUnseen(CuCall& call, Stream* stream);
// The host has waited for the stream, and so for all that it waited for.
void OpenUnseen(CuCall& call, Stream* stream);
inline void SettleUnseenWaits(CuCall& call, Stream* stream) {
  if (stream->unseen.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
    OpenUnseen(call, stream);
}
// Of the operations of one call. `captured`: they became nodes.
void AfterMemoryOperations(CuCall& call, Stream* stream, bool waits, bool writes, CUresult code);
void FindMemoryOperations(const CUstreamBatchMemOpParams* operations, unsigned count, bool* waits,
                          bool* writes);

// --- handlers

template <typename P>
struct StreamMemoryOperations {
  Stream* stream = nullptr;
  bool waits = false, writes = false;
  void Before(CuCall& call, P& p) { stream = StreamOf(call, p.stream); }
  void After(CuCall& call, P& p, CUresult code) {
    if constexpr (requires { p.paramArray; })
      FindMemoryOperations(p.paramArray, p.count, &waits, &writes);
    AfterMemoryOperations(call, stream, waits, writes, code);
  }
};

template <typename P>
struct StreamWaitValue : StreamMemoryOperations<P> {
  StreamWaitValue() { this->waits = true; }
};

template <typename P>
struct StreamWriteValue : StreamMemoryOperations<P> {
  StreamWriteValue() { this->writes = true; }
};

}  // namespace gpusan::cuda
