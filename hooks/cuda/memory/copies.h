// Handlers: copies and sets of linear memory, one row.
#pragma once

#include <optional>

#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/streams/stream_command.h"
#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {

// Returns the stream of a call: its argument, or the default stream.
template <typename P>
Stream* StreamArgument(CuCall& call, P& p) {
  if constexpr (requires { p.hStream; }) {
    return StreamOf(call, p.hStream);
  } else {
    return DefaultStream(call);
  }
}
template <typename P>
inline constexpr bool kHasStream = requires(P& p) {
  p.hStream;
};

// Returns when the transfer is complete. A synchronous copy makes the host wait. An asynchronous
// copy from device to pageable memory has also written the host's side when the call returns (CUDA
// api-sync-behavior); strict mode does not rely on that.
Completion CompletionOf(const Transfer& transfer, bool asynchronous);

// Sets the kind of the transfer (read, write, copy) from its sides.
void SetKind(Transfer* transfer);

struct CopyState {
  Transfer transfer;
  StreamCommand command;
  bool usable = true;
  bool reads_during_call = false;  // by contract, the source is read before the call returns
  void Begin(CuCall& call, Stream* stream, bool asynchronous);
  void End(CuCall& call, CUresult code) { command.EndTransfer(call, transfer, code); }
};

// The sides that the arguments name. The name of an argument determines which memory it must point
// to.
template <typename P>
Side SourceArgument(CuCall& call, P& p, bool* usable) {
  const Region bytes = Region::Linear(0, p.ByteCount);
  if constexpr (requires { p.srcHost; }) {
    return HostSide(call, p.srcHost, bytes, "srcHost", usable);
  } else {
    return DeviceSide(call, p.srcDevice, bytes, "srcDevice", usable);
  }
}
template <typename P>
Side DestinationArgument(CuCall& call, P& p, bool* usable) {
  const Region bytes = Region::Linear(0, p.ByteCount);
  if constexpr (requires { p.dstHost; }) {
    return HostSide(call, p.dstHost, bytes, "dstHost", usable);
  } else {
    return DeviceSide(call, p.dstDevice, bytes, "dstDevice", usable);
  }
}

// A transfer of one row of linear memory, as the call requests it.
struct TransferRequest {
  enum class Pointer : uint8_t { kDevice, kHost, kAny };  // which memory the argument requires
  uintptr_t source = 0, destination = 0;
  uint64_t bytes = 0;
  uint64_t pattern_bytes = 0;  // for a set; 0: a copy
  Pointer source_is = Pointer::kAny, destination_is = Pointer::kAny;
};

// The fast path of a transfer (Tracker::BeginLinearTransfer): asynchronous, and entirely in memory
// with shadow state. All other transfers use CopyState.
class ShortTransfer {
 public:
  // Returns false if the transfer does not qualify for the fast path.
  bool Set(CuCall& call, const TransferRequest& request);
  bool Begin(CuCall& call, Stream* stream) {
    return stream != nullptr && stream->capture.load(std::memory_order_relaxed) == nullptr &&
           !call.has_findings() && command_.BeginLinear(call, stream, transfer_);
  }
  // Continues a transfer that has begun at that position.
  void Resume(Stream* stream, Epoch epoch) { command_.Resume(stream, epoch); }
  void End(CuCall& call, CUresult code) { command_.EndLinear(call, transfer_, code); }
  Epoch epoch() { return command_.command().epoch; }

 private:
  LinearTransfer transfer_;
  StreamCommand command_;
};

// A transfer of one row that is being enqueued, on the fast path or on the slow path.
class LinearCopy {
 public:
  void Begin(CuCall& call, const TransferRequest& request, Stream* stream, bool asynchronous);
  void End(CuCall& call, CUresult code);
  // Replaces Begin and End when the real call failed after the transfer had been processed.
  void EndRejected(CuCall& call, const TransferRequest& request, Stream* stream,
                   const ProcessedCommand& processed, CUresult code);
  // The position that Begin took; may be invalid.
  Epoch epoch() { return long_way_ ? long_way_->command.command().epoch : short_way_.epoch(); }

 private:
  ShortTransfer short_way_;
  std::optional<CopyState> long_way_;
};

// Queues an asynchronous transfer, before the real call. Returns false if the transfer cannot be
// deferred.
bool DeferTransfer(FastCall& call, const TransferRequest& request, CUstream stream);

// A transfer of one row. Asynchronous transfers are deferred if possible (deferral_queue.h).
template <typename Request, typename P>
struct WatchedTransfer : QueuedBefore {
  LinearCopy copy;
  static bool TryFast(FastCall& call, P& p) requires kHasStream<P> {
    return DeferTransfer(call, Request::Of(p), p.hStream);
  }
  void Before(CuCall& call, P& p) {
    Stream* stream = StreamArgument(call, p);
    if (kHasStream<P>) LearnToDefer(call, stream);
    copy.Begin(call, Request::Of(p), stream, kHasStream<P>);
  }
  void After(CuCall& call, CUresult code, P&) { copy.End(call, code); }
  void OnRejected(CuCall& call, CUresult code, P& p,
                  const ProcessedCommand& processed) requires kHasStream<P> {
    copy.EndRejected(call, Request::Of(p), StreamArgument(call, p), processed, code);
  }
};

// cuMemcpyHtoD, cuMemcpyDtoH, cuMemcpyDtoD and their asynchronous versions; cuMemcpy and
// cuMemcpyAsync, which accept any pointer.
struct CopyRequest {
  template <typename P>
  static TransferRequest Of(const P& p) {
    using Pointer = TransferRequest::Pointer;
    TransferRequest request;
    request.bytes = p.ByteCount;
    if constexpr (requires { p.srcHost; }) {
      request.source = HandleOf(p.srcHost);
      request.source_is = Pointer::kHost;
    } else if constexpr (requires { p.srcDevice; }) {
      request.source = HandleOf(p.srcDevice);
      request.source_is = Pointer::kDevice;
    } else {
      request.source = HandleOf(p.src);
    }
    if constexpr (requires { p.dstHost; }) {
      request.destination = HandleOf(p.dstHost);
      request.destination_is = Pointer::kHost;
    } else if constexpr (requires { p.dstDevice; }) {
      request.destination = HandleOf(p.dstDevice);
      request.destination_is = Pointer::kDevice;
    } else {
      request.destination = HandleOf(p.dst);
    }
    return request;
  }
};
template <typename P>
using CopyLinear = WatchedTransfer<CopyRequest, P>;

// Sets of one row. The name of the value's argument gives the bytes of an element.
struct SetRequest {
  template <typename P>
  static constexpr uint64_t ElementBytes() {
    if constexpr (requires(P & p) { p.uc; }) return 1;
    if constexpr (requires(P & p) { p.us; }) return 2;
    return 4;
  }
  template <typename P>
  static TransferRequest Of(const P& p) {
    constexpr uint64_t kElement = ElementBytes<P>();
    TransferRequest request;
    request.destination = HandleOf(p.dstDevice);
    request.destination_is = TransferRequest::Pointer::kDevice;
    request.bytes = SaturatingMultiply(p.N, kElement);
    request.pattern_bytes = kElement;
    return request;
  }
};
template <typename P>
using SetLinear = WatchedTransfer<SetRequest, P>;

}  // namespace gpusan::cuda
