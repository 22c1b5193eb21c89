// Handlers: waits and signals in streams whose other side gpusan cannot see: values in memory,
// semaphores of other APIs.
//
// A wait may depend on anything, even on work that is enqueued later: commands after it are not
// checked for races until the host has waited for the stream. A signal may release the host,
// another stream or another API: everything before it counts as complete for the host.
#pragma once

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
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
// A memory operation of a stream: the kind, and the word that it reads or writes.
struct MemoryOperation {
  bool waits = false, writes = false;
  CUdeviceptr address = 0;
  unsigned bytes = 0;  // 0: it uses no word
};
MemoryOperation ReadMemoryOperation(const CUstreamBatchMemOpParams& operation);
// Before the real call: checks that the word of the operation is not freed, and that the device may
// write it. A captured operation is not checked.
void CheckMemoryOperation(CuCall& call, const Stream* stream, const MemoryOperation& operation);
// Marks the word that the operation writes as written.
void MarkValueWritten(Tracker& tracker, const MemoryOperation& operation);
// Applies the memory operations of one call; on a captured stream, records the nodes that they
// became.
void AfterMemoryOperations(CuCall& call, Stream* stream,
                           absl::Span<const MemoryOperation> operations, CUresult code);

// --- handlers

template <typename P>
struct StreamMemoryOperations {
  Stream* stream = nullptr;
  absl::InlinedVector<MemoryOperation, 4> operations;
  void Before(CuCall& call, P& p) {
    if (p.paramArray == nullptr) return Check(call, p.stream);
    for (unsigned i = 0; i < p.count; ++i)
      operations.push_back(ReadMemoryOperation(p.paramArray[i]));
    Check(call, p.stream);
  }
  void After(CuCall& call, CUresult code, P&) {
    AfterMemoryOperations(call, stream, operations, code);
  }

 protected:
  void Check(CuCall& call, CUstream handle) {
    stream = StreamOf(call, handle);
    for (const MemoryOperation& operation : operations) {
      if (!call.has_findings()) CheckMemoryOperation(call, stream, operation);
    }
  }
};

template <typename P>
struct StreamWaitValue : StreamMemoryOperations<P> {
  void Before(CuCall& call, P& p) {
    this->operations.push_back({true, false, p.addr, sizeof(p.value)});
    this->Check(call, p.stream);
  }
};

template <typename P>
struct StreamWriteValue : StreamMemoryOperations<P> {
  void Before(CuCall& call, P& p) {
    this->operations.push_back({false, true, p.addr, sizeof(p.value)});
    this->Check(call, p.stream);
  }
};

}  // namespace gpusan::cuda
