// Handlers: copies and sets of linear memory, one row.
#pragma once

#include <optional>

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

// What most transfers are, in short (Tracker::BeginLinearTransfer): asynchronous, one row, all of
// it in memory that the shadow state knows. Whatever else there is to say it leaves to CopyState.
class ShortTransfer {
 public:
  // False: it is another kind of transfer. A pointer of the host's must not be one of a device.
  bool Copies(CuCall& call, uintptr_t source, bool source_is_host, uintptr_t destination,
              bool destination_is_host, uint64_t bytes) {
    transfer_.bytes = bytes;
    return Find(call, source, source_is_host, &transfer_.source, &transfer_.source_offset) &&
           Find(call, destination, destination_is_host, &transfer_.destination,
                &transfer_.destination_offset);
  }
  bool Fills(CuCall& call, uintptr_t destination, uint64_t bytes, uint64_t pattern_bytes) {
    transfer_.bytes = bytes;
    transfer_.pattern_bytes = pattern_bytes;
    return Find(call, destination, false, &transfer_.destination, &transfer_.destination_offset);
  }
  // After either; the stream may be nullptr.
  bool Begin(CuCall& call, Stream* stream) {
    return stream != nullptr && stream->capture.load(std::memory_order_relaxed) == nullptr &&
           !call.has_findings() && command_.BeginLinear(call, stream, transfer_);
  }
  void End(CuCall& call, CUresult code) { command_.EndLinear(call, transfer_, code); }

 private:
  static bool Find(CuCall& call, uintptr_t address, bool is_host, Resource** resource,
                   uint64_t* offset) {
    *resource = call.tracker().FindAddress(address, offset);
    return *resource != nullptr && (!is_host || (*resource)->kind != ObjectKind::kDeviceMemory);
  }

  LinearTransfer transfer_;
  StreamCommand command_;
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

// A handler's transfer, by the short way or by the other.
class EitherTransfer {
 public:
  // `in_short`: makes `short_way` what the call asks for, if it can be; `set` names the sides.
  template <typename P, typename InShort, typename Set>
  void Begin(CuCall& call, P& p, InShort in_short, Set set) {
    Stream* stream = nullptr;
    bool found = false;
    if constexpr (kHasStream<P>) {
      found = in_short(short_way_);
      if (found) {
        stream = StreamArgument(call, p);
        if (short_way_.Begin(call, stream)) [[likely]]
          return;
      }
    }
    CopyState& state = long_way_.emplace();
    set(state);
    if (!found) stream = StreamArgument(call, p);
    state.Begin(call, stream, kHasStream<P>);
  }
  void End(CuCall& call, CUresult code) {
    if (!long_way_.has_value()) return short_way_.End(call, code);
    long_way_->End(call, code);
  }

 private:
  ShortTransfer short_way_;
  std::optional<CopyState> long_way_;
};

// cuMemcpyHtoD, cuMemcpyDtoH, cuMemcpyDtoD and their asynchronous kin.
template <typename P>
struct CopyLinear {
  EitherTransfer transfer;
  static constexpr bool kFromHost = requires(P& p) { p.srcHost; };
  static constexpr bool kToHost = requires(P& p) { p.dstHost; };
  static constexpr TransferKind kKind = kFromHost ? TransferKind::kWrite
                                        : kToHost ? TransferKind::kRead
                                                  : TransferKind::kCopy;
  static uintptr_t From(P& p) {
    if constexpr (kFromHost)
      return HandleOf(p.srcHost);
    else
      return HandleOf(p.srcDevice);
  }
  static uintptr_t To(P& p) {
    if constexpr (kToHost)
      return HandleOf(p.dstHost);
    else
      return HandleOf(p.dstDevice);
  }
  void Before(CuCall& call, P& p) {
    transfer.Begin(
        call, p,
        [&](ShortTransfer& copy) {
          return copy.Copies(call, From(p), kFromHost, To(p), kToHost, p.ByteCount);
        },
        [&](CopyState& state) {
          state.transfer.kind = kKind;
          state.transfer.source = SourceArgument(call, p, &state.usable);
          state.transfer.destination = DestinationArgument(call, p, &state.usable);
        });
  }
  void After(CuCall& call, P&, CUresult code) { transfer.End(call, code); }
};

// cuMemcpy and cuMemcpyAsync: the pointers say what they are.
template <typename P>
struct CopyAny {
  EitherTransfer transfer;
  void Before(CuCall& call, P& p) {
    transfer.Begin(
        call, p,
        [&](ShortTransfer& copy) {
          return copy.Copies(call, HandleOf(p.src), false, HandleOf(p.dst), false, p.ByteCount);
        },
        [&](CopyState& state) {
          const Region bytes = Region::Linear(0, p.ByteCount);
          state.transfer.source = AnySide(call, p.src, bytes, "src", &state.usable);
          state.transfer.destination = AnySide(call, p.dst, bytes, "dst", &state.usable);
          SetKind(&state.transfer);
        });
  }
  void After(CuCall& call, P&, CUresult code) { transfer.End(call, code); }
};

// Sets of one row: bytes an element by the name of the value's argument.
template <typename P>
struct SetLinear {
  EitherTransfer transfer;
  static constexpr uint64_t ElementBytes() {
    if constexpr (requires(P& p) { p.uc; }) return 1;
    if constexpr (requires(P& p) { p.us; }) return 2;
    return 4;
  }
  void Before(CuCall& call, P& p) {
    const uint64_t bytes = SaturatingMultiply(p.N, ElementBytes());
    transfer.Begin(
        call, p,
        [&](ShortTransfer& fill) {
          return fill.Fills(call, HandleOf(p.dstDevice), bytes, ElementBytes());
        },
        [&](CopyState& state) {
          state.transfer.kind = TransferKind::kFill;
          state.transfer.pattern_bytes = ElementBytes();
          state.transfer.destination =
              DeviceSide(call, p.dstDevice, Region::Linear(0, bytes), "dstDevice", &state.usable);
        });
  }
  void After(CuCall& call, P&, CUresult code) { transfer.End(call, code); }
};

}  // namespace gpusan::cuda
