// Requests of MPI.
#include "hooks/cuda/libraries/requests.h"

#include <atomic>
#include <map>
#include <mutex>

#include "hooks/common/base/fork_reset.h"
#include "hooks/common/base/process_state.h"
#include "hooks/cuda/deferral/deferral_queue.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {
namespace {

constexpr uint32_t kMostPending = 200;
constexpr size_t kMostPersistent = 1000;

struct Operation {
  Epoch epoch;
  GateSet gates = 0;
};
struct Requests {
  std::mutex mutex;  // not held while the tracker is called, except to make the queue
  Queue* queue = nullptr;
  std::multimap<uintptr_t, Operation> pending;
  std::map<uintptr_t, PersistentMessage> persistent;
};
constinit ProcessState<Requests> g_requests;
constinit std::atomic<uint32_t> g_pending{0};
const ForkReset g_reset([] {
  g_requests.Forget();
  g_pending.store(0);
});

void Complete(Tracker& tracker, uintptr_t handle) {
  std::vector<Operation> done;
  Requests& requests = g_requests.Get();
  {
    std::lock_guard lock(requests.mutex);
    const auto [begin, end] = requests.pending.equal_range(handle);
    for (auto one = begin; one != end; ++one) done.push_back(one->second);
    requests.pending.erase(begin, end);
    g_pending.store(static_cast<uint32_t>(requests.pending.size()), std::memory_order_release);
  }
  if (done.empty()) return;
  // Earlier commands are compared with the pending request.
  ProcessDeferred();
  for (const Operation& one : done) tracker.ordering().CommitBlocking(one.epoch, one.gates);
}

}  // namespace

Queue* RequestQueue(CuCall& call) {
  if (g_pending.load(std::memory_order_acquire) >= kMostPending) return nullptr;
  Requests& requests = g_requests.Get();
  std::lock_guard lock(requests.mutex);
  if (requests.queue == nullptr) {
    requests.queue = call.tracker().objects().NewQueue(call, reinterpret_cast<uintptr_t>(&requests),
                                                       nullptr, false, 0);
    requests.queue->MarkOwned();  // no leak
  }
  return requests.queue;
}

void KeepRequest(uintptr_t handle, const Command& command) {
  Requests& requests = g_requests.Get();
  std::lock_guard lock(requests.mutex);
  requests.pending.emplace(handle, Operation{command.epoch, command.gates});
  g_pending.store(static_cast<uint32_t>(requests.pending.size()), std::memory_order_release);
}

void KeepPersistent(uintptr_t handle, const PersistentMessage& message) {
  Requests& requests = g_requests.Get();
  std::lock_guard lock(requests.mutex);
  if (requests.persistent.size() < kMostPersistent || requests.persistent.count(handle) != 0)
    requests.persistent[handle] = message;
}

bool FindPersistent(uintptr_t handle, PersistentMessage* message) {
  Requests& requests = g_requests.Get();
  std::lock_guard lock(requests.mutex);
  const auto found = requests.persistent.find(handle);
  if (found == requests.persistent.end()) return false;
  *message = found->second;
  return true;
}

bool AnyRequests() { return g_pending.load(std::memory_order_acquire) != 0; }

void CompleteRequests(Tracker& tracker) {
  std::vector<uintptr_t> handles;
  {
    Requests& requests = g_requests.Get();
    std::lock_guard lock(requests.mutex);
    for (const auto& [handle, operation] : requests.pending) handles.push_back(handle);
  }
  for (const uintptr_t handle : handles) Complete(tracker, handle);
}

GivenRequests::GivenRequests(int count, void* const* requests) {
  for (int i = 0; i < count && requests != nullptr; ++i)
    handles_.push_back(reinterpret_cast<uintptr_t>(requests[i]));
}

void GivenRequests::CompleteAll(Tracker& tracker) const {
  for (const uintptr_t handle : handles_) Complete(tracker, handle);
}

void GivenRequests::CompleteOne(Tracker& tracker, int index) const {
  if (index >= 0 && static_cast<size_t>(index) < handles_.size())
    Complete(tracker, handles_[static_cast<size_t>(index)]);
}

void GivenRequests::CompleteSome(Tracker& tracker, int count, const int* indices) const {
  for (int i = 0; i < count && indices != nullptr; ++i) CompleteOne(tracker, indices[i]);
}

}  // namespace gpusan::cuda
