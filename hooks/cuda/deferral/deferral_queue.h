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
alignas(64) extern constinit std::atomic<uint64_t> kept;
alignas(64) extern constinit std::atomic<uint64_t> judged;
[[gnu::noinline]] void Judge();
struct Backlog;
}  // namespace deferred_internal

// Processes all queued commands. Call it before reading or changing shadow state that commands use.
// Do not call it while a command is processed, or under a lock that processing takes.
inline void JudgeDeferred() {
  using namespace deferred_internal;
  if (judged.load(std::memory_order_acquire) != kept.load(std::memory_order_acquire)) [[unlikely]]
    Judge();
}

// An operation that can be deferred has, beside Before and After,
//   static uint64_t BeginQuickly(LightCall& call, P& params);
//   static bool EndQuickly(LightCall& call, P& params, uint64_t ticket);
// BeginQuickly runs before the real call, EndQuickly after a real call that succeeded. Ticket 0 and
// the result false mean that the call was not deferred: Before and After run. If BeginQuickly
// queued the command, the ticket is the number of the command, and the operation also has
//   void Refused(CuCall& call, P& params, const JudgedCommand& judged, CUresult code);
// which runs when the real call failed after another thread had processed the command.
template <typename Operation, typename P>
concept Quick = requires(LightCall& call, P& params) {
  Operation::BeginQuickly(call, params);
};

// An operation that declares kLeavesDeferred uses no shadow state that commands use, or processes
// the queue itself.
template <typename Operation>
concept LeavesDeferred = requires {
  Operation::kLeavesDeferred;
};

struct DeferredCommand;

// The result of processing a command.
struct JudgedCommand {
  uint64_t number = 0;
  Epoch epoch;  // position in stream order; invalid for operations that belong to no stream
  Resource* resource = nullptr;  // the resource that the command released
  bool explained = false;        // an error was reported for the command
};

// A kind of command; static.
struct DeferredKind {
  // Processes a command. Returns true if the next command may be compared with this one. `before`:
  // the command that was processed immediately before, if that returned true; nullptr otherwise.
  bool (*judge)(DeferredCommand& command, const DeferredCommand* before, JudgedCommand* judged);
};

// The header of every queued command.
struct DeferredCommand {
  const DeferredKind* kind;
  Tracker* tracker;
  const CuInfo* info;
  Stream* stream;  // the legacy stream of its context, for operations that belong to no stream
  uint64_t number;
  int64_t time;    // as CommandLog::Counter; 0: no command log
  uint32_t bytes;  // size of the command with the data behind it
  int32_t thread;
  SiteId site;
  AttachPath path;
  bool gone;
};

// True if the call may be processed later, on another thread.
bool MayDefer(LightCall& call);
// As MayDefer, for calls that make the host wait. False while the tracker watches the host's own
// memory, because the program may free that memory next without calling the driver.
bool MayDeferWait(LightCall& call);

// Room for one command in the ring buffer. The constructor processes commands if the ring is full.
// Holds a lock during its lifetime: the owner must not call the driver or JudgeDeferred meanwhile.
class DeferredRoom {
 public:
  // `bytes`: size of the command and the data behind it; a multiple of 8, at most kMostBytes.
  static constexpr uint32_t kMostBytes = 6144;
  explicit DeferredRoom(uint32_t bytes);
  DeferredRoom(const DeferredRoom&) = delete;
  ~DeferredRoom();
  // Returns at least the requested bytes, aligned to 8; nullptr: the command cannot be deferred.
  void* get() const { return room_; }
  // Queues the command that the caller constructed at get(). Requires that the site of `call` is
  // captured. `returned`: the real call has already returned; otherwise the caller calls
  // DeferredReturned or TakeBackDeferred later. `bytes`: the size in use, a multiple of 8. Returns
  // the number of the command.
  uint64_t Keep(LightCall& call, Stream* stream, const DeferredKind& kind, bool returned,
                uint32_t bytes);

 private:
  deferred_internal::Backlog& backlog_;
  void* room_;
  bool wake_ = false;
};

// Reports that the real call of the command succeeded, so that gpusan's thread may process the
// command.
void DeferredReturned(uint64_t number);
// Reports that the real call of the command failed. Returns true if the command was removed from
// the queue; the caller then processes the call itself. Returns false if another thread had
// processed the command; `*judged` is its result.
bool TakeBackDeferred(CuCall& call, uint64_t number, JudgedCommand* judged);

// Base of operations whose command is queued before the real call.
struct KeptBefore {
  template <typename P>
  static bool EndQuickly(LightCall&, P&, uint64_t number) {
    DeferredReturned(number);
    return true;
  }
};

// Processes a call that was deferred or had a ticket, after its real call returned and EndQuickly
// did not apply.
template <typename Operation, typename P>
[[gnu::noinline, gnu::cold]] CUresult JudgeNow(CuCall& call, P& params, uint64_t ticket,
                                               CUresult code) {
  Operation operation;
  if constexpr (requires { &Operation::Refused; }) {
    JudgedCommand judged;
    if (!TakeBackDeferred(call, ticket, &judged)) {
      operation.Refused(call, params, judged, code);
      return call.Done(code);
    }
  } else if constexpr (!LeavesDeferred<Operation>) {
    JudgeDeferred();
  }
  operation.Before(call, params);
  operation.After(call, params, code);
  return call.Done(code);
}

// Processes the queue outside of calls of the driver. Gives up after about 100 milliseconds if a
// thread was stopped while it processed commands, for example by a signal whose handler ends the
// process.
void SettleDeferred();

// Stops deferral for the rest of the process. Called when host memory is registered: such memory
// may be freed by a thread of the driver, inside the driver, where waiting for the processing
// thread could deadlock.
void JudgeAtOnce();

}  // namespace gpusan::cuda
