// CUDA contexts and streams: the state of the hooks beside the tracker's objects.
//
// Contexts and streams that gpusan did not see created (primary contexts, contexts from private
// driver tables) are adopted on first use. Thread-safe. Contexts and streams live as long as the
// process; a reused handle gets a new object.
#pragma once

#include <atomic>
#include <map>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/call/observer.h"
#include "hooks/cuda/streams/recent_commands.h"
#include "tracker/model/order_point.h"
#include "tracker/state/stream_group.h"

namespace gpusan::cuda {

struct Capture;  // capture.h: the capture that a stream takes part in

// A stream: an in-order queue.
struct Stream {
  Queue* queue = nullptr;
  Context* context = nullptr;
  bool blocking = true;  // synchronizes with the legacy stream
  // The handle for gpusan's own driver calls. A per-thread default stream has this handle on its
  // own thread only.
  CUstream handle = nullptr;
  // Set while the stream is captured; its calls then touch no shadow state.
  std::atomic<Capture*> capture{nullptr};
  // True once all properties of the context are known that processing a command would otherwise
  // query from the driver on the calling thread.
  std::atomic<bool> may_defer{false};
  CommandOrder order;
  // Represents everything that the stream waits for and gpusan cannot see: values in memory,
  // signals of other APIs. The value is incremented whenever the host has waited for the stream.
  std::atomic<PlainObject*> unseen{nullptr};
  std::atomic<uint64_t> unseen_value{1};
  // Queues for the parts of graphs that complete before their launch does. Created on demand;
  // ordered like the stream. Guarded by the context's lock.
  std::vector<Queue*> branches;
  static constexpr size_t kMaxBranches = 8;
  char branch_names[kMaxBranches] = {};
  RecentCommands recent;
};

struct Context {
  Context(Tracker& tracker, uintptr_t handle, PlainObject* object, Queue* legacy)
      : handle(handle), object(object), group(tracker.ordering(), legacy) {}
  const uintptr_t handle;
  PlainObject* const object;
  std::atomic<bool> ended{false};  // beside the handle: KnownContext reads both for each launch
  StreamGroup group;
  BusyQueues busy;
  Stream legacy;
  bool primary = false;
  int device = -1;  // -1: unknown
  // The context was given access to memory of another device.
  std::atomic<bool> has_peers{false};

  SpinLock lock;
  std::map<unsigned long, Stream*> per_thread;  // default streams by thread
  std::vector<Stream*> streams;                 // live streams that the program created
  Snapshot left;                                // pending work of destroyed streams
  std::atomic<bool> any_left{false};            // `left` is not empty; written under the lock
  std::vector<RecentCommand> left_recent;       // the newest commands in `left`
  EventRecord entry;                            // what every new stream waits for (cuCtxWaitEvent)
};

// True once the process has had a stream besides the legacy stream: commands may be unordered.
inline std::atomic<bool> several_streams{false};

// Returns the context with that handle; nullptr when it is unknown.
Context* KnownContext(uintptr_t handle);
// Returns the current context of this thread; nullptr when there is none or it is unknown. Calls
// the driver.
Context* KnownCurrent();
// Returns the context with that handle, adopting it if it is unknown; nullptr for handle 0.
Context* ContextOf(CuCall& call, uintptr_t handle);
// Registers a context that the call created.
Context* NewContext(CuCall& call, uintptr_t handle, bool primary);
// Returns the only live context; nullptr when there are none or several. One load.
Context* OnlyContext();
// Returns the live context of the tracker's object; nullptr if there is none.
const Context* ContextOfObject(const Object* object);
// Returns all live contexts that gpusan has seen.
std::vector<Context*> LiveContexts();
// True if kernels of the current context may access any host memory.
bool ReachesAllHostMemory(CuCall& call);
// Ends a context that is destroyed or reset, with all its objects except those that outlive
// contexts. Reports leaks.
void EndContext(CuCall& call, Context* context);
// Called by EndContext after all objects of the context are released; kernels/ forgets the
// functions.
extern constinit Observer<> context_ended;
// Ends the context with that handle, which the call destroys.
void DestroyContext(CuCall& call, uintptr_t handle);

// As StreamOf, without adopting, findings or allocation: nullptr when the stream is unknown or not
// usable.
Stream* KnownStream(const FastCall& call, CUstream stream);
// Returns the stream that the argument `stream` of the call means: 0 is the legacy or the
// per-thread default stream, depending on the version of the function; 1 is the legacy stream; 2 is
// the per-thread default stream. Returns nullptr when the stream is not usable (a finding was
// added) or there is no context.
Stream* StreamOf(CuCall& call, CUstream stream);
// Returns the default stream for calls without a stream argument.
inline Stream* DefaultStream(CuCall& call) { return StreamOf(call, nullptr); }
Stream* NewStream(CuCall& call, uintptr_t handle, Context* context, bool blocking);
// Notes that the program created the object, to find loops that keep the object of each iteration.
// `is_done` returns whether the program no longer needs an earlier object.
void NoteCreation(CuCall& call, Object* object, bool (*is_done)(const Object&));
// Returns branch `number` of the stream; below kMaxBranches. Requires that all branches before it
// exist.
Queue* BranchOf(CuCall& call, Stream* stream, size_t number);
// Removes a stream, before the real call that destroys it. Destroying a stream waits for nothing:
// pending work goes on.
void DropStream(CuCall& call, Stream* stream);

// Records that the host waited for the stream; waiting for the legacy stream includes all blocking
// streams.
void WaitStream(CuCall& call, Stream* stream);
// Records that the host waited for everything in the context.
void WaitContext(CuCall& call, Context* context);
// Returns the streams of the context: the legacy stream, per-thread streams, and streams that the
// program created.
std::vector<Stream*> StreamsOf(Context* context);

// As WaitContext, but leaves queues that another thread is about to wait for to that thread, so
// that the cost is low when nothing is pending. The CUDA documentation does not promise that a free
// waits for more than the users of the memory.
void WaitBusy(CuCall& call, Context* context);

}  // namespace gpusan::cuda
