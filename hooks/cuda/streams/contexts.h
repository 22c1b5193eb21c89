// CUDA contexts and streams as the hooks know them, beside the tracker's objects.
//
// What the program never created before our eyes (primary contexts, what private driver tables
// made) is adopted when it is first used. Thread-safe. Contexts and streams live as long as the
// process: a handle that is used again finds a new one.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/call/observer.h"
#include "hooks/cuda/streams/recent_commands.h"
#include "tracker/model/order_point.h"
#include "tracker/stream_group.h"

namespace gpusan::cuda {

struct Capture;  // capture.h: what a capturing stream's calls are recorded into

// A stream: an in-order queue.
struct Stream {
  Queue* queue = nullptr;
  Context* context = nullptr;
  bool blocking = true;  // joins the legacy stream
  // What gpusan's own calls name it by; a per-thread stream is named so on its own thread alone.
  CUstream handle = nullptr;
  // While the stream is captured; its calls then touch no shadow state.
  std::atomic<Capture*> capture{nullptr};
  // All is known of the context that judging a command may ask of the driver on the calling thread.
  std::atomic<bool> may_defer{false};
  CommandOrder order;
  // Stands for all that the stream waits for and nobody can see coming: values in memory, signals
  // of other APIs. Its value grows whenever the host has waited for the stream.
  std::atomic<PlainObject*> unseen{nullptr};
  std::atomic<uint64_t> unseen_value{1};
  // Parts of graphs, which are complete before the launch is; made when they are needed, and in the
  // order of the stream like all that is in it. Guarded by the context's lock.
  std::vector<Queue*> branches;
  static constexpr size_t kMaxBranches = 8;
  char branch_names[kMaxBranches] = {};
  RecentCommands recent;
};

struct Context {
  Context(Tracker& tracker, uintptr_t handle, PlainObject* object, Queue* legacy)
      : handle(handle), object(object), group(tracker, legacy) {}
  const uintptr_t handle;
  PlainObject* const object;
  StreamGroup group;
  BusyQueues busy;
  Stream legacy;
  std::atomic<bool> ended{false};
  bool primary = false;
  int device = -1;  // as far as it is known
  // It was given access to memory of another device.
  std::atomic<bool> has_peers{false};

  SpinLock lock;
  std::map<unsigned long, Stream*> per_thread;  // default streams by thread
  std::vector<Stream*> streams;                 // live ones that the program created
  Snapshot left;                                // pending work of streams that were destroyed
  std::atomic<bool> any_left{false};            // there is some; written under the lock
  std::vector<RecentCommand> left_recent;       // the last of it
  EventRecord entry;                            // what new streams are behind (cuCtxWaitEvent)
};

// The context of that handle; nullptr where none is known.
Context* KnownContext(uintptr_t handle);
// The current context of this thread; nullptr where there is none that is known. Asks the driver.
Context* KnownCurrent();
// The context of that handle, adopted if it is new; nullptr for 0.
Context* ContextOf(CuCall& call, uintptr_t handle);
// A context was created by the call.
Context* NewContext(CuCall& call, uintptr_t handle, bool primary);
// The context, if only one lives that was ever seen; nullptr otherwise. Cheap.
Context* OnlyContext();
// Every context ever seen and still live.
std::vector<Context*> LiveContexts();
// Its kernels may use any host pointer.
bool ReachesAllHostMemory(CuCall& call);
// It is destroyed or reset, and everything in it but what outlives contexts. Reports what the
// program left in it.
void EndContext(CuCall& call, Context* context);
// EndContext calls it once all objects of the context are released; kernels/ forgets the functions.
extern constinit Observer<> context_ended;
// The call destroys the context of that handle.
void DestroyContext(CuCall& call, uintptr_t handle);

// The stream that a call means by `stream`, as below; nullptr where none is known that can be used.
Stream* KnownStream(const LightCall& call, CUstream stream);
// The stream that a call means by `stream`: 0 is the legacy stream or the thread's own, as the
// call's version has it, 1 the legacy one, 2 the thread's own. nullptr: not usable (then the
// finding has been added) or no context.
Stream* StreamOf(CuCall& call, CUstream stream);
// The default stream of calls without a stream argument.
inline Stream* DefaultStream(CuCall& call) { return StreamOf(call, nullptr); }
Stream* NewStream(CuCall& call, uintptr_t handle, Context* context, bool blocking);
// The stream's branch of that number, below kMaxBranches; all before it are there.
Queue* BranchOf(CuCall& call, Stream* stream, size_t number);
// Before the real call. Pending work runs on: destroying a stream waits for nothing.
void DropStream(CuCall& call, Stream* stream);

// The host has waited for the stream; the legacy one stands for all blocking streams.
void WaitStream(CuCall& call, Stream* stream);
// ... for everything in the context.
void WaitContext(CuCall& call, Context* context);
// The context's streams: the legacy one, those of threads, those that the program created.
std::vector<Stream*> StreamsOf(Context* context);

}  // namespace gpusan::cuda
