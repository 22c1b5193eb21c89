// Commands of streams, allocations and frees that wait to be judged: kept as they were called, and
// judged in that order by a thread of gpusan's own, or by the next call that asks or changes what
// they read or change.
//
// Nothing but the time can tell the difference: whatever else touches the shadow state has them
// judged first. They wait 10 milliseconds at most, where a thread can be had. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

namespace deferred_internal {
// Bytes of commands, ever: those that were kept, and those that are judged.
alignas(64) extern constinit std::atomic<uint64_t> kept;
alignas(64) extern constinit std::atomic<uint64_t> judged;
[[gnu::noinline]] void Judge();
struct Backlog;
}  // namespace deferred_internal

// Before anything that reads or changes what commands read or change. Not to be called while one is
// judged.
inline void JudgeDeferred() {
  using namespace deferred_internal;
  if (judged.load(std::memory_order_acquire) != kept.load(std::memory_order_acquire)) [[unlikely]]
    Judge();
}

// An operation that can be kept has, beside Before and After,
//   static uint64_t BeginQuickly(LightCall& call, P& params);
//   static bool EndQuickly(LightCall& call, P& params, uint64_t ticket);
// in front of the real call, and behind one that succeeded. A ticket of 0, and false: it is judged
// now, by Before and After. If it is kept in front, the ticket is its number, and there is
//   void Refused(CuCall& call, P& params, const JudgedCommand& judged, CUresult code);
// for one that failed and that another thread had judged meanwhile.
template <typename Operation, typename P>
concept Quick = requires(LightCall& call, P& params) {
  Operation::BeginQuickly(call, params);
};

// An operation that neither reads nor changes any of that has a member of this name, or sees to it
// itself.
template <typename Operation>
concept LeavesDeferred = requires {
  Operation::kLeavesDeferred;
};

struct DeferredCommand;

// What became of one.
struct JudgedCommand {
  uint64_t number = 0;
  Epoch epoch;                   // its place; may be none, and is where it is none of a stream
  Resource* resource = nullptr;  // that it released
  bool explained = false;        // an error was found and reported
};

// Static.
struct DeferredKind {
  // True: a command may ask whether it repeats this one. `before`: the command that was judged
  // right before, if it returned true; nullptr otherwise.
  bool (*judge)(DeferredCommand& command, const DeferredCommand* before, JudgedCommand* judged);
};

// What all of them begin with.
struct DeferredCommand {
  const DeferredKind* kind;
  Tracker* tracker;
  const CuInfo* info;
  Stream* stream;  // the legacy one of its context, where it is none of a stream
  uint64_t number;
  int64_t time;    // as of CommandLog::Counter; 0: without a log
  uint32_t bytes;  // with what lies behind it
  int32_t thread;
  SiteId site;
  AttachPath path;
  bool gone;
};

// Calls may be judged on another thread.
bool MayDefer(LightCall& call);
// ... of what makes the host wait: it must not be waiting for the host's own memory, since that may
// be freed next, by no call of the driver.
bool MayDeferWait(LightCall& call);

// Room for one command of a thread; holds a lock while it lives.
class DeferredRoom {
 public:
  // `bytes`: of the command and what lies behind it, a multiple of 8 and at most kMostBytes.
  static constexpr uint32_t kMostBytes = 6144;
  explicit DeferredRoom(uint32_t bytes);
  DeferredRoom(const DeferredRoom&) = delete;
  ~DeferredRoom();
  // At least so many bytes, aligned to 8; nullptr: the command cannot wait.
  void* get() const { return room_; }
  // What was made there is a command of the call from now on, which knows its site. Returns its
  // number. `returned`: the real call has; otherwise DeferredReturned is called, or
  // TakeBackDeferred. `bytes`: that it took, a multiple of 8.
  uint64_t Keep(LightCall& call, Stream* stream, const DeferredKind& kind, bool returned,
                uint32_t bytes);

 private:
  deferred_internal::Backlog& backlog_;
  void* room_;
  bool wake_ = false;
};

// The real call of the command with that number has succeeded: gpusan's own thread may judge it.
void DeferredReturned(uint64_t number);
// The real call of the command with that number has failed. True: the command is forgotten, and is
// to be judged now; false: another thread had it judged meanwhile, and that became of it.
bool TakeBackDeferred(CuCall& call, uint64_t number, JudgedCommand* judged);

// Operations whose command is kept in front of the real call.
struct KeptBefore {
  template <typename P>
  static bool EndQuickly(LightCall&, P&, uint64_t number) {
    DeferredReturned(number);
    return true;
  }
};

// What had a ticket is judged behind its real call.
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

// From outside of calls of the driver. Gives up after some time where a thread is stopped in the
// midst of judging, as by a signal whose handler ends the process.
void SettleDeferred();

// Host memory was registered: from now on nothing waits. What frees such memory may
// be a thread of the driver's own, inside of it, which must not wait for one that judges.
void JudgeAtOnce();

}  // namespace gpusan::cuda
