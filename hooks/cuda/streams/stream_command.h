// The steps that the handlers of stream-ordered calls share: position in the order, accesses,
// completion.
#pragma once

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// The state of the command when the call returns.
enum class Completion : uint8_t {
  kAsync,      // the command is pending
  kHostWaits,  // the command and everything before it are complete
};

// One command that is being enqueued. Call Begin in Before and End in After. On a captured stream
// it does not change the shadow state, and capture.h records the call. Not thread-safe.
class StreamCommand {
 public:
  // `stream` may be nullptr: then the rules run without an order.
  void Begin(CuCall& call, Stream* stream);
  // Fast path for a command without findings and without accesses. Returns false, without side
  // effects on the order, if the command has not begun.
  bool BeginPlain(CuCall& call, Stream* stream);
  // Fast path for a launch without findings (Tracker::BeginPlainLaunch). Returns false if the
  // launch has not begun.
  bool BeginPlainLaunch(CuCall& call, Stream* stream, const Launch& launch, bool* writes_new);
  // Fast path for a linear transfer without findings. Returns false if the transfer has not begun.
  bool BeginLinear(CuCall& call, Stream* stream, LinearTransfer& transfer);
  void EndLinear(CuCall& call, const LinearTransfer& transfer, CUresult code);
  // `usable`: both sides could be resolved.
  void BeginTransfer(CuCall& call, Stream* stream, Transfer& transfer, bool usable,
                     Completion completion);
  void EndTransfer(CuCall& call, const Transfer& transfer, CUresult code);
  void End(CuCall& call, CUresult code);
  // Replaces Begin for a command that already has its position.
  void Resume(Stream* stream, Epoch epoch);
  // Sets what the command launches. Call it before Begin.
  void Launches(const Launched& launched) { launched_ = launched; }

  Command& command() { return command_; }
  Stream* stream() const { return stream_; }
  bool captured() const { return captured_; }
  // True for a launch that began on the fast path.
  bool plain() const { return plain_; }

 private:
  template <typename Step>
  bool BeginShort(CuCall& call, Stream* stream, Step begin);

  Stream* stream_ = nullptr;
  Command command_;
  Launched launched_;
  Completion completion_ = Completion::kAsync;
  bool captured_ = false;
  bool plain_ = false;
  bool usable_ = false;
};

}  // namespace gpusan::cuda
