// The steps that the handlers of stream-ordered calls share.
#include "hooks/cuda/streams/stream_command.h"

#include "hooks/cuda/call/error_codes.h"
#include "hooks/cuda/call/flaws.h"
#include "hooks/cuda/streams/advice.h"
#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/pinned_guards.h"
#include "tracker/state/transfer_checks.h"

namespace gpusan::cuda {

// Gives the command its place by `begin(tracker, queue)`, without a description of the command.
// Returns false if the slow path is needed.
template <typename Step>
[[gnu::always_inline]] inline bool StreamCommand::BeginShort(CuCall& call, Stream* stream,
                                                             Step begin) {
  Queue& queue = *stream->queue;
  if (AdvisesOnLegacyStream(call, *stream)) [[unlikely]]
    return false;
  call.site();
  StreamGroup* group = queue.group;
  if (group != nullptr) group->Join(queue);
  if (!begin(call.tracker(), queue)) return false;
  if (group != nullptr) group->Began(queue);
  stream->recent.Note(command_, launched_, stream->order.Next());
  stream_ = stream;
  return true;
}

void StreamCommand::Begin(CuCall& call, Stream* stream) {
  stream_ = stream;
  if (stream == nullptr) return;
  if (stream->capture.load(std::memory_order_relaxed) != nullptr) {
    captured_ = true;
    return;
  }
  if (!call.has_findings() && BeginPlain(call, stream)) [[likely]]
    return;
  StreamGroup* group = stream->queue->group;
  AdviseOnLegacyStream(call, stream);
  if (group != nullptr) group->Join(*stream->queue);
  call.tracker().ordering().Begin(call, command_, stream->queue, {});
  if (group != nullptr) group->Began(*stream->queue);
  stream->recent.Note(command_, launched_, stream->order.Next());
  if (call.has_findings()) [[unlikely]]
    NoteFlaws(call, command_);
}

bool StreamCommand::BeginPlain(CuCall& call, Stream* stream) {
  return BeginShort(call, stream, [&](Tracker& tracker, Queue& queue) {
    return tracker.ordering().BeginPlain(call, command_, queue);
  });
}

void StreamCommand::Resume(Stream* stream, Epoch epoch) {
  stream_ = stream;
  command_.queue = stream->queue;
  command_.epoch = epoch;
}

bool StreamCommand::BeginPlainLaunch(CuCall& call, Stream* stream, const Launch& launch,
                                     bool* writes_new) {
  plain_ = BeginShort(call, stream, [&](Tracker& tracker, Queue& queue) {
    return tracker.BeginPlainLaunch(call, command_, queue, launch, writes_new);
  });
  return plain_;
}

bool StreamCommand::BeginLinear(CuCall& call, Stream* stream, LinearTransfer& transfer) {
  return BeginShort(call, stream, [&](Tracker& tracker, Queue& queue) {
    return tracker.BeginLinearTransfer(call, command_, queue, transfer);
  });
}

void StreamCommand::EndLinear(CuCall& call, const LinearTransfer& transfer, CUresult code) {
  if (code == CUDA_SUCCESS) [[likely]] {
    if (GuardsPinned()) [[unlikely]]
      GuardPinned(call, command_, transfer);
    return call.tracker().CommitLinearTransfer(transfer);
  }
  call.tracker().RollbackLinearTransfer(call, command_, transfer, IsFault(code) ? 0 : code);
  stream_->recent.Forget(command_.epoch);
}

void StreamCommand::BeginTransfer(CuCall& call, Stream* stream, Transfer& transfer, bool usable,
                                  Completion completion) {
  Tracker& tracker = call.tracker();
  completion_ = completion;
  transfer.blocking = completion == Completion::kHostWaits;
  const bool capturing =
      stream != nullptr && stream->capture.load(std::memory_order_relaxed) != nullptr;
  // The content that a captured transfer will find is not known yet.
  transfer.recorded = capturing;
  if (usable) {
    const bool later = capturing || call.is_deferred();
    CheckTransferArguments(tracker.host_side(), tracker.pointers(), call, transfer,
                           later ? CheckTime::kAnyTime : CheckTime::kBeforeReturn);
  }
  Begin(call, stream);
  // The accesses of a call with an error are not recorded: they would only cause findings that
  // follow from the first.
  usable_ = usable && !captured_;
  if (usable_ && stream != nullptr && !call.has_error())
    tracker.accesses().RecordTransfer(call, command_, transfer);
}

void StreamCommand::EndTransfer(CuCall& call, const Transfer& transfer, CUresult code) {
  if (usable_) {
    if (code == CUDA_SUCCESS) {
      call.tracker().accesses().CommitTransfer(transfer);
      if (GuardsPinned() && completion_ == Completion::kAsync) [[unlikely]]
        GuardPinned(call, command_, transfer);
    } else if (!IsFault(code)) {
      call.tracker().accesses().NoteFailedWrite(call, transfer, code);
    }
  } else if (Resource* written = transfer.destination.resource;
             code == CUDA_SUCCESS && written != nullptr) {
    // The written bytes are not known: any byte may be written.
    Transfer all;
    all.kind = TransferKind::kFill;
    all.destination.resource = written;
    all.destination.region = Region::Linear(0, written->bytes);
    call.tracker().accesses().CommitTransfer(all);
  }
  End(call, code);
}

void StreamCommand::End(CuCall& call, CUresult code) {
  if (stream_ == nullptr) return;
  if (captured_) [[unlikely]] {
    if (code == CUDA_SUCCESS) NoteCapturedNodes(call, stream_);
    return;
  }
  if (code != CUDA_SUCCESS) {
    call.tracker().accesses().Rollback(command_);
    stream_->recent.Forget(command_.epoch);
  } else if (completion_ == Completion::kHostWaits) {
    call.tracker().ordering().CommitBlocking(command_);
  }
}

}  // namespace gpusan::cuda
