// Handlers: copies and sets of linear memory, one row.
#pragma once

#include "hooks/cuda/pointers.h"
#include "hooks/cuda/stream_command.h"

namespace gpusan::cuda {

// The stream of a call: its argument, or the default stream.
template <typename P>
Stream* StreamArgument(CuCall& call, P& p) {
  if constexpr (requires { p.hStream; }) {
    return StreamOf(call, p.hStream);
  } else {
    return DefaultStream(call);
  }
}
template <typename P>
inline constexpr bool kHasStream = requires(P& p) { p.hStream; };

// Synchronous copies wait for the host's sake; asynchronous ones between device and pageable memory
// have written the host's side when they return, too (CUDA api-sync-behavior), which strict mode
// does not take for granted.
Completion CompletionOf(const Transfer& transfer, bool asynchronous);

// A set of this memory that has no stream argument.
inline bool SetWaits(const Resource& resource) {
  return resource.host_addressable() || resource.has(kSynchronous);
}

// Reading or writing, by what the sides turned out to be.
void SetKind(Transfer* transfer);

struct CopyState {
  Transfer transfer;
  StreamCommand command;
  bool usable = true;
  bool reads_during_call = false;  // its source, by contract
  void Begin(CuCall& call, Stream* stream, bool asynchronous);
  void End(CuCall& call, CUresult code) { command.EndTransfer(call, transfer, code); }
};

// The sides that the arguments name: what they are called says what they must point to.
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

// cuMemcpyHtoD, cuMemcpyDtoH, cuMemcpyDtoD and their asynchronous kin.
template <typename P>
struct CopyLinear : CopyState {
  static constexpr TransferKind Kind() {
    if constexpr (requires(P& p) { p.srcHost; }) return TransferKind::kWrite;
    if constexpr (requires(P& p) { p.dstHost; }) return TransferKind::kRead;
    return TransferKind::kCopy;
  }
  void Before(CuCall& call, P& p) {
    transfer.kind = Kind();
    transfer.source = SourceArgument(call, p, &usable);
    transfer.destination = DestinationArgument(call, p, &usable);
    Begin(call, StreamArgument(call, p), kHasStream<P>);
  }
  void After(CuCall& call, P&, CUresult code) { End(call, code); }
};

// cuMemcpy and cuMemcpyAsync: the pointers say what they are.
template <typename P>
struct CopyAny : CopyState {
  void Before(CuCall& call, P& p) {
    const Region bytes = Region::Linear(0, p.ByteCount);
    transfer.source = AnySide(call, p.src, bytes, "src", &usable);
    transfer.destination = AnySide(call, p.dst, bytes, "dst", &usable);
    SetKind(&transfer);
    Begin(call, StreamArgument(call, p), kHasStream<P>);
  }
  void After(CuCall& call, P&, CUresult code) { End(call, code); }
};

// Sets of one row: bytes an element by the name of the value's argument.
template <typename P>
struct SetLinear : CopyState {
  static constexpr uint64_t ElementBytes() {
    if constexpr (requires(P& p) { p.uc; }) return 1;
    if constexpr (requires(P& p) { p.us; }) return 2;
    return 4;
  }
  void Before(CuCall& call, P& p) {
    transfer.kind = TransferKind::kFill;
    transfer.pattern_bytes = ElementBytes();
    transfer.destination =
        DeviceSide(call, p.dstDevice, Region::Linear(0, SaturatingMultiply(p.N, ElementBytes())),
                   "dstDevice", &usable);
    // Sets are asynchronous except on memory of the host (CUDA api-sync-behavior, memset).
    const Resource* resource = transfer.destination.resource;
    const bool waits = !kHasStream<P> && resource != nullptr && SetWaits(*resource);
    command.BeginTransfer(call, StreamArgument(call, p), transfer, usable,
                          waits ? Completion::kHostWaits : Completion::kAsync);
  }
  void After(CuCall& call, P&, CUresult code) { End(call, code); }
};

}  // namespace gpusan::cuda
