// Commands of streams that wait to be judged: kept as they were called, and judged in that order by
// a thread of gpusan's own, or by the next call that asks or changes what they read or change.
//
// Nothing but the time can tell the difference: whatever else touches the shadow state has them
// judged first. They wait 10 milliseconds at most, where a thread can be had. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/cuda/contexts.h"

namespace gpusan::cuda {

namespace deferred_internal {
// Bytes of commands, ever: those that were kept, and those that are judged.
alignas(64) extern constinit std::atomic<uint64_t> kept;
alignas(64) extern constinit std::atomic<uint64_t> judged;
[[gnu::noinline]] void Judge();
}  // namespace deferred_internal

// Before anything that reads or changes what commands read or change. Not to be called while one is
// judged.
inline void JudgeDeferred() {
  using namespace deferred_internal;
  if (judged.load(std::memory_order_acquire) != kept.load(std::memory_order_acquire)) [[unlikely]]
    Judge();
}

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
  Epoch epoch;                   // its place; may be none
  Resource* resource = nullptr;  // that it released
  bool explained = false;        // an error was found and reported
};

// Static.
struct DeferredKind {
  // True: a command may ask whether it repeats this one. `before`: the command that was judged right before, if it
  // returned true; nullptr otherwise.
  bool (*judge)(DeferredCommand& command, const DeferredCommand* before, JudgedCommand* judged);
};

// What all of them begin with.
struct DeferredCommand {
  const DeferredKind* kind;
  Tracker* tracker;
  const CuInfo* info;
  Stream* stream;
  uint64_t number;
  int64_t time;  // as of CommandLog::Counter; 0: without a log
  uint32_t bytes;  // with what lies behind it
  int32_t thread;
  SiteId site;
  Door door;
  bool gone;
};

// The call of one that is judged. Reports what was found at its end.
class DeferredCall : public CuCall {
 public:
  explicit DeferredCall(const DeferredCommand& command);
};

// All is known of the stream's context that judging its commands on another thread may need of the driver.
bool MayDefer(CuCall& call, Stream* stream);

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
  // What was made there is a command of the call from now on, which knows its site. Returns its number.
  // `returned`: the real call has; otherwise DeferredReturned is called, or TakeBackDeferred. `bytes`: that it
  // took, a multiple of 8.
  uint64_t Keep(CuCall& call, Stream* stream, const DeferredKind& kind, bool returned,
                uint32_t bytes);

 private:
  void* room_;
  bool wake_ = false;
};

// The real call of the command with that number has succeeded: gpusan's own thread may judge it.
void DeferredReturned(uint64_t number);
// The real call has failed: true, and the command is forgotten; false: another thread had it judged
// meanwhile, and that became of it.
bool TakeBackDeferred(uint64_t number, JudgedCommand* judged);

// From outside of calls of the driver. Gives up after some time where a thread is stopped in the
// midst of judging, as by a signal whose handler ends the process.
void SettleDeferred();

// Host memory was registered: from now on nothing waits. What frees such memory may
// be a thread of the driver's own, inside of it, which must not wait for one that judges.
void JudgeAtOnce();

// After a fork, in the child. Async-signal-safe.
void ForgetDeferred();

}  // namespace gpusan::cuda
