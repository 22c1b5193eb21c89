// The driver's objects and the guards that every entry point passes.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_STATE_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_STATE_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler.h"

namespace fake {

constexpr int kDevices = 2;
constexpr int kDriverVersion = 13000;
constexpr size_t kMaxThreadsPerBlock = 1024;
constexpr size_t kMaxSharedBytes = 48 << 10;
constexpr size_t kMaxSharedBytesOptIn = 227 << 10;

struct Capture;

struct Stream {
  std::weak_ptr<Context> context;
  unsigned flags = 0;  // CU_STREAM_NON_BLOCKING
  int priority = 0;
  bool legacy = false;
  uint64_t id = 0;
  Lane lane;
  TaskPtr tail;                            // the last task submitted
  std::shared_ptr<Capture> capture;        // set while the stream is being captured
  std::vector<struct Node*> capture_tail;  // the nodes that its next node will depend on
};
using StreamPtr = std::shared_ptr<Stream>;

struct Event {
  std::weak_ptr<Context> context;
  unsigned flags = 0;
  bool recorded = false;
  TaskPtr record;                    // of the last record
  std::shared_ptr<Capture> capture;  // the last record was into this capture,
  std::vector<struct Node*> nodes;   // which then had come to these nodes
};
using EventPtr = std::shared_ptr<Event>;

struct Context {
  int device = 0;
  unsigned flags = 0;
  bool primary = false;
  CUresult sticky = CUDA_SUCCESS;  // of a fault; every later call returns it
  uint64_t id = 0;
  StreamPtr legacy;
  std::vector<uint64_t> peers;  // ids of contexts whose memory this one was given access to
  std::vector<std::weak_ptr<Stream>> streams;  // those made by the program and the per-thread ones
  std::map<const void*, StreamPtr> per_thread_streams;  // by thread
};
using ContextPtr = std::shared_ptr<Context>;

struct Device {
  size_t total_bytes = 0;
  size_t used_bytes = 0;
  ContextPtr primary;
  int primary_references = 0;
  unsigned primary_flags = 0;
};

// Live objects by handle. A handle is the object's address.
template <typename Handle, typename T>
class Handles {
 public:
  Handle Add(std::shared_ptr<T> object) {
    T* key = object.get();
    objects_[key] = std::move(object);
    return reinterpret_cast<Handle>(key);
  }
  std::shared_ptr<T> Find(Handle handle) const {
    auto found = objects_.find(reinterpret_cast<T*>(handle));
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<T> Remove(Handle handle) {
    auto found = objects_.find(reinterpret_cast<T*>(handle));
    if (found == objects_.end()) {
      return nullptr;
    }
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  template <typename Predicate>
  void RemoveIf(Predicate predicate) {
    std::erase_if(objects_, [&](const auto& entry) { return predicate(*entry.second); });
  }
  static Handle Of(const std::shared_ptr<T>& object) {
    return reinterpret_cast<Handle>(object.get());
  }

 private:
  std::unordered_map<T*, std::shared_ptr<T>> objects_;
};

extern Handles<CUcontext, Context>& contexts;
extern Handles<CUstream, Stream>& streams;
extern Handles<CUevent, Event>& events;

// The fault that a context of the process has had: no other can be made after it.
CUresult& ProcessFault();
Device& TheDevice(int ordinal);
uint64_t NextId();

// The calling thread's contexts, innermost last.
std::vector<ContextPtr>& ContextStack();
ContextPtr CurrentContext();
ContextPtr NewContext(int device, unsigned flags, bool primary);
// Waits for the context's work and gives its memory back.
void EndContext(const ContextPtr& context);

// While one lives on the thread, the null stream is the per-thread one: the `_ptsz` and `_ptds`
// entry points.
class PerThreadDefaultStream {
 public:
  PerThreadDefaultStream();
  ~PerThreadDefaultStream();
};
// While one lives on the thread, driver calls are not permitted: the driver runs a host function.
class InHostFunction {
 public:
  InHostFunction();
  ~InHostFunction();
};

// Null when the handle is none of the context's streams; the null stream and the two special
// handles are understood.
StreamPtr FindStream(CUstream handle);
StreamPtr DefaultStream();
StreamPtr PerThreadStream(Context& context);
std::vector<StreamPtr> BlockingStreams(Context& context);
std::vector<StreamPtr> AllStreams(Context& context);  // the legacy one first
std::vector<TaskPtr> AllTails(Context& context);
// What the next operation of the stream comes after: its own tail, and the legacy stream's or all
// blocking streams'.
std::vector<TaskPtr> Predecessors(Stream& stream);
// Submits to the stream after Predecessors() and `also`.
TaskPtr SubmitTo(Stream& stream, TaskPtr task, const std::vector<TaskPtr>& also = {});
TaskPtr Marker();

// CUDA_SUCCESS when the driver is initialised and the thread may call it.
CUresult CheckDriver();
// The same, and the thread has a context without a sticky error.
CUresult CheckContext();
void Initialize();

// Runs `body` under the lock when the driver is initialised.
template <typename Body>
CUresult WithDriver(Body body) {
  std::lock_guard<std::mutex> hold(lock);
  if (CUresult error = CheckDriver(); error != CUDA_SUCCESS) {
    return error;
  }
  return body();
}

// Runs `body(context)` under the lock when the thread has a usable context.
template <typename Body>
CUresult WithContext(Body body) {
  std::lock_guard<std::mutex> hold(lock);
  if (CUresult error = CheckContext(); error != CUDA_SUCCESS) {
    return error;
  }
  ContextPtr context = CurrentContext();
  const CUresult result = body(*context);
  return result;
}

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_STATE_H_
