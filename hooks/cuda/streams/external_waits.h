// Handlers: waits and signals in streams whose other side gpusan cannot see: values in memory,
// semaphores of other APIs.
//
// A wait may depend on anything, even on work that is enqueued later: commands behind it are not
// checked for races until the host has waited for the stream. A signal may release the host,
// another stream or another API: everything before it counts as complete for the host.
#pragma once

#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/stream_command.h"

namespace gpusan::cuda {

// --- functions of external_waits.cc

// Records that the stream waits for something that gpusan cannot see.
void WaitUnseen(CuCall& call, Stream* stream);
// Records that the stream signals something that gpusan cannot see.
void SignalUnseen(CuCall& call, Stream* stream);
// Records that the host waited for the stream, and so for everything that the stream waited for.
void OpenUnseen(CuCall& call, Stream* stream);
inline void SettleUnseenWaits(CuCall& call, Stream* stream) {
  if (stream->unseen.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
    OpenUnseen(call, stream);
}
// If the stream is captured, records the nodes that a successful call on it became, and returns
// true.
bool NoteCaptured(CuCall& call, Stream* stream);
// Applies the memory operations of one call; on a captured stream, records the nodes that they
// became.
void AfterMemoryOperations(CuCall& call, Stream* stream, bool waits, bool writes, CUresult code);
void FindMemoryOperations(const CUstreamBatchMemOpParams* operations, unsigned count, bool* waits,
                          bool* writes);

// --- handlers

template <typename P>
struct StreamMemoryOperations {
  Stream* stream = nullptr;
  bool waits = false, writes = false;
  void Before(CuCall& call, P& p) { stream = StreamOf(call, p.stream); }
  void After(CuCall& call, CUresult code, P& p) {
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
