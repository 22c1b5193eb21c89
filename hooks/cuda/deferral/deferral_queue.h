// The queue of deferred commands: launches, copies, waits, allocations and frees whose processing
// by the tracker is delayed. Commands are processed in the order of their calls, by a thread of
// gpusan's or by the next call that reads or changes the same shadow state.
//
// Only the time of processing differs: everything else that uses the shadow state first processes
// the queue. A command waits at most 10 milliseconds if gpusan's thread could be started.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

namespace deferred_internal {
// Total bytes of commands so far: queued, and processed.
alignas(64) extern constinit std::atomic<uint64_t> queued;
alignas(64) extern constinit std::atomic<uint64_t> processed;
// The state of the thread of gpusan's that processes commands. kNone: not started. It falls asleep
// when nothing was queued for a second.
enum class Worker : uint32_t { kNone, kAsleep, kAwake };
alignas(64) extern constinit std::atomic<Worker> worker;
[[gnu::noinline]] void Process();
struct Ring;
}  // namespace deferred_internal

// Processes all queued commands. Call it before reading or changing shadow state that commands use.
// Do not call it while a command is processed, or under a lock that processing takes.
inline void ProcessDeferred() {
  using namespace deferred_internal;
  if (processed.load(std::memory_order_acquire) != queued.load(std::memory_order_acquire))
      [[unlikely]]
    Process();
}

// A handler (hooks/common/handler.h) defers its call in one of two ways:
//
// - TryFastAfter queues the command, after the real call succeeded. TryFast returns whether that is
//   likely to be possible.
// - TryFast queues the command, before the real call. The handler derives from QueuedBefore, or its
//   TryFastAfter calls DeferredReturned. It also has
//     void OnRejected(CuCall& call, CUresult code, P& params, const ProcessedCommand& processed);
//   which runs if the real call failed with `code` after another thread had processed the command:
//   it rolls back what the processing applied. If no thread has processed the command, Before and
//   After run instead, after the real call.
//
// A handler that declares kLeavesDeferred uses no shadow state that commands use, or processes the
// queue itself: the wrapper does not process the queue for it.
template <typename Handler>
concept LeavesDeferred = requires {
  Handler::kLeavesDeferred;
};
template <typename Handler>
concept HasOnRejected = requires {
  &Handler::OnRejected;
};

struct DeferredCommand;

// The result of processing a command.
struct ProcessedCommand {
  uint64_t number = 0;
  Epoch epoch;  // position in stream order; invalid for operations that belong to no stream
  Resource* resource = nullptr;  // the resource that the command released
  bool explained = false;        // an error was reported for the command
};

// A kind of command; static.
struct DeferredKind {
  // Processes a command and sets `*processed`, except its number. Returns true if the next command
  // may be compared with this one. `before`: the command that was processed immediately before, if
  // that returned true; nullptr otherwise.
  bool (*process)(DeferredCommand& command, const DeferredCommand* before,
                  ProcessedCommand* processed);
};

// The header of every queued command.
struct DeferredCommand {
  const DeferredKind* kind;
  Tracker* tracker;
  const CuInfo* info;
  Stream* stream;  // the legacy stream of its context, for operations that belong to no stream
  uint64_t number;
  int64_t time;    // as CommandLog::Counter; 0: no command log
  uint32_t bytes;  // size of the command with the data after it
  int32_t thread;
  SiteId site;
  AttachPath path;
  bool taken_back;  // not processed
  uint16_t range;   // of the calling thread (hooks/common/thread_words.h)
};

// True if the call may be processed later, on another thread.
bool MayDefer(FastCall& call);
// As MayDefer, for calls that make the host wait. False while the tracker watches the host's own
// memory, because the program may free that memory next without calling the driver.
bool MayDeferWait(FastCall& call);

// Room for one command in the ring buffer. The constructor processes commands if the ring is full.
// A room that is destroyed without Enqueue leaves the queue unchanged.
// Holds a lock during its lifetime: the owner must not call the driver or ProcessDeferred
// meanwhile.
class DeferredRoom {
 public:
  // `bytes`: size of the command and the data after it; a multiple of 8, at most kMostBytes.
  static constexpr uint32_t kMostBytes = 16384;
  explicit DeferredRoom(uint32_t bytes);
  DeferredRoom(const DeferredRoom&) = delete;
  ~DeferredRoom();
  // Returns at least the requested bytes, aligned to 8; nullptr: the command cannot be deferred.
  void* get() const { return room_; }
  // Queues the command that the caller constructed at get(), and sets call.ticket to its number.
  // Requires that the site of `call` is captured. `returned`: the real call has already returned;
  // otherwise the caller calls DeferredReturned or TakeBackDeferred later. `bytes`: the size in
  // use, a multiple of 8.
  void Enqueue(FastCall& call, Stream* stream, const DeferredKind& kind, bool returned,
               uint32_t bytes);

 private:
  deferred_internal::Ring& ring_;
  void* room_;
  bool wake_ = false;
};

// Reports that the real call of the command succeeded, so that gpusan's thread may process the
// command.
void DeferredReturned(uint64_t number);
// Reports that the real call of the command failed. Returns true if the command was removed from
// the queue, and processes the commands before and after it; the caller then processes the call
// itself. Returns false if another thread had processed the command; `*processed` is its result,
// or has number 0 if the result is not known any more.
bool TakeBackDeferred(CuCall& call, uint64_t number, ProcessedCommand* processed);

// Base of handlers whose TryFast queues the command.
struct QueuedBefore {
  template <typename P>
  static bool TryFastAfter(FastCall& call, P&) {
    DeferredReturned(call.ticket);
    return true;
  }
};

// Processes the queue outside of calls of the driver. Gives up after about 100 milliseconds if a
// thread was stopped while it processed commands, for example by a signal whose handler ends the
// process.
void SettleDeferred();

// Stops deferral for the rest of the process. Called when host memory is registered: such memory
// may be freed by a thread of the driver, inside the driver, where waiting for the processing
// thread could deadlock.
void StopDeferral();

}  // namespace gpusan::cuda
