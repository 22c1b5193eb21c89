// Devices, contexts' lifetime, the current context and the streams' implicit order.
#include "state.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>

#include "memory.h"

namespace fake {
namespace {

thread_local int per_thread_default = 0;
thread_local int in_host_function = 0;
thread_local char thread_token;

struct State {
  bool initialized = false;
  bool forked = false;
  uint64_t last_id = 0;
  Device devices[kDevices];
};
State& state = *new State;

}  // namespace

Handles<CUcontext, Context>& contexts = *new Handles<CUcontext, Context>;
Handles<CUstream, Stream>& streams = *new Handles<CUstream, Stream>;
Handles<CUevent, Event>& events = *new Handles<CUevent, Event>;

CUresult& ProcessFault() {
  static CUresult fault = CUDA_SUCCESS;
  return fault;
}

Device& TheDevice(int ordinal) { return state.devices[ordinal]; }
uint64_t NextId() { return ++state.last_id; }

void Initialize() {
  if (state.initialized) {
    return;
  }
  size_t bytes = size_t{4} << 30;
  if (const char* text = std::getenv("GPUSAN_FAKE_CUDA_MEMORY")) {
    bytes = std::strtoull(text, nullptr, 0);
  }
  for (Device& device : state.devices) {
    device.total_bytes = bytes;
  }
  state.initialized = true;
  // A child has no threads of the driver and its lock in any state: CUDA does not work after fork()
  // either.
  pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); },
                 [] {
                   lock.unlock();
                   state.forked = true;
                 });
}

CUresult CheckDriver() {
  if (in_host_function > 0) {
    return CUDA_ERROR_NOT_PERMITTED;
  }
  return state.initialized && !state.forked ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult CheckContext() {
  if (CUresult error = CheckDriver(); error != CUDA_SUCCESS) {
    return error;
  }
  ContextPtr context = CurrentContext();
  if (context == nullptr) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (contexts.Find(contexts.Of(context)) == nullptr) {
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  return context->sticky;
}

// Never destroyed: static destructors of a program may still call the driver.
std::vector<ContextPtr>& ContextStack() {
  thread_local auto* stack = new std::vector<ContextPtr>;
  return *stack;
}

ContextPtr CurrentContext() { return ContextStack().empty() ? nullptr : ContextStack().back(); }

ContextPtr NewContext(int device, unsigned flags, bool primary) {
  auto context = std::make_shared<Context>();
  context->device = device;
  context->flags = flags;
  context->primary = primary;
  context->id = NextId();
  context->legacy = std::make_shared<Stream>();
  context->legacy->context = context;
  context->legacy->legacy = true;
  context->legacy->id = NextId();
  contexts.Add(context);
  return context;
}

void EndContext(const ContextPtr& context) {
  WaitForContext(context.get());
  contexts.Remove(contexts.Of(context));
  streams.RemoveIf([&](const Stream& stream) { return stream.context.lock() == context; });
  events.RemoveIf([&](const Event& event) { return event.context.lock() == context; });
  std::vector<uintptr_t> gone;
  for (const auto& [base, region] : Regions()) {
    if (region.context.lock() == context && region.kind != Kind::kMapped &&
        region.pool == nullptr) {
      gone.push_back(base);
    }
  }
  for (uintptr_t base : gone) {
    ReleaseRegion(base);
  }
  context->legacy.reset();
  context->per_thread_streams.clear();
}

PerThreadDefaultStream::PerThreadDefaultStream() { ++per_thread_default; }
PerThreadDefaultStream::~PerThreadDefaultStream() { --per_thread_default; }
InHostFunction::InHostFunction() { ++in_host_function; }
InHostFunction::~InHostFunction() { --in_host_function; }

StreamPtr PerThreadStream(Context& context) {
  StreamPtr& stream = context.per_thread_streams[&thread_token];
  if (stream == nullptr) {
    stream = std::make_shared<Stream>();
    stream->context = contexts.Find(reinterpret_cast<CUcontext>(&context));
    stream->id = NextId();
    context.streams.push_back(stream);
  }
  return stream;
}

StreamPtr DefaultStream() {
  ContextPtr context = CurrentContext();
  return per_thread_default > 0 ? PerThreadStream(*context) : context->legacy;
}

StreamPtr FindStream(CUstream handle) {
  if (handle == nullptr) {
    return DefaultStream();
  }
  if (handle == CU_STREAM_LEGACY) {
    return CurrentContext()->legacy;
  }
  return handle == CU_STREAM_PER_THREAD ? PerThreadStream(*CurrentContext()) : streams.Find(handle);
}

std::vector<StreamPtr> BlockingStreams(Context& context) {
  std::vector<StreamPtr> blocking;
  std::erase_if(context.streams, [](const auto& stream) { return stream.expired(); });
  for (const std::weak_ptr<Stream>& weak : context.streams) {
    StreamPtr stream = weak.lock();
    if (stream != nullptr && (stream->flags & CU_STREAM_NON_BLOCKING) == 0) {
      blocking.push_back(stream);
    }
  }
  return blocking;
}

std::vector<StreamPtr> AllStreams(Context& context) {
  std::vector<StreamPtr> all = {context.legacy};
  for (const std::weak_ptr<Stream>& weak : context.streams) {
    if (StreamPtr stream = weak.lock()) {
      all.push_back(stream);
    }
  }
  return all;
}

std::vector<TaskPtr> AllTails(Context& context) {
  std::vector<TaskPtr> tails;
  for (const StreamPtr& stream : AllStreams(context)) {
    tails.push_back(stream->tail);
  }
  return tails;
}

std::vector<TaskPtr> Predecessors(Stream& stream) {
  std::vector<TaskPtr> tasks = {stream.tail};
  ContextPtr context = stream.context.lock();
  if (stream.legacy) {
    for (const StreamPtr& blocking : BlockingStreams(*context)) {
      tasks.push_back(blocking->tail);
    }
  } else if ((stream.flags & CU_STREAM_NON_BLOCKING) == 0) {
    tasks.push_back(context->legacy->tail);
  }
  return tasks;
}

TaskPtr SubmitTo(Stream& stream, TaskPtr task, const std::vector<TaskPtr>& also) {
  std::vector<TaskPtr> before = Predecessors(stream);
  before.insert(before.end(), also.begin(), also.end());
  task->context = stream.context.lock();
  stream.tail = task;
  Submit(stream.lane, task, before);
  return task;
}

TaskPtr Marker() { return std::make_shared<Task>(); }

}  // namespace fake
