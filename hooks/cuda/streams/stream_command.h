// What the handlers of stream-ordered calls have in common: place in the order, accesses,
// completion.
#pragma once

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// What is true when the call has returned.
enum class Completion : uint8_t {
  kAsync,      // the command is pending
  kHostWaits,  // it is complete, and so is all in front of it
};

// One command on its way into a stream. Begin in Before, End in After. On a stream that is being
// captured it touches no shadow state: capture.h takes the call.
class StreamCommand {
 public:
  // `stream` may be nullptr: then no order is known and only the rules are asked.
  void Begin(CuCall& call, Stream* stream);
  // The short way of a command of which nothing was found, and that has nothing to record. False:
  // it has not begun.
  bool BeginPlain(CuCall& call, Stream* stream);
  // The short way of a launch of which nothing was found, as Tracker::BeginPlainLaunch has it.
  // False: it has not begun.
  bool BeginPlainLaunch(CuCall& call, Stream* stream, const Launch& launch, bool* writes_new);
  // The same of a transfer.
  bool BeginLinear(CuCall& call, Stream* stream, LinearTransfer& transfer);
  void EndLinear(CuCall& call, const LinearTransfer& transfer, CUresult code);
  // `usable`: both sides could be resolved.
  void BeginTransfer(CuCall& call, Stream* stream, Transfer& transfer, bool usable,
                     Completion completion);
  void EndTransfer(CuCall& call, const Transfer& transfer, CUresult code);
  void End(CuCall& call, CUresult code);
  // Instead of Begin: the command has its place already.
  void Resume(Stream* stream, Epoch epoch);
  // Before Begin.
  void Launches(const Launched& launched) { launched_ = launched; }
  // Before End, when only the call itself can tell.
  void CompleteOnReturn() { completion_ = Completion::kHostWaits; }

  Command& command() { return command_; }
  Stream* stream() const { return stream_; }
  bool captured() const { return captured_; }
  // It is a launch that began by the short way.
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
