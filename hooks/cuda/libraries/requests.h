// Requests of MPI: operations that use device memory until the program has waited for them.
//
// Each request is a command of a queue that has no order, which the wait of the host completes.
// MPI itself writes the buffer of a receive by copies whenever it makes progress: the rule race
// compares such a buffer with kernels only. Writes of collectives are left out, since MPI may run
// kernels for them. Requests whose end gpusan cannot see count as complete. Thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

// Returns the queue of requests; nullptr: too many are pending, and the next one is not followed.
Queue* RequestQueue(CuCall& call);
// Adds a command of the queue, which the request with this handle completes. Several requests may
// have one handle.
void KeepRequest(uintptr_t handle, const Command& command);

// An operation that a persistent request starts any number of times.
struct PersistentMessage {
  uintptr_t address = 0;
  uint64_t bytes = 0;
  bool send = false;
};

// Keeps the operation of the request with this handle; replaces that of a request that was freed.
// At most 1,000 operations are kept.
void KeepPersistent(uintptr_t handle, const PersistentMessage& message);
// Returns false if no operation is kept.
bool FindPersistent(uintptr_t handle, PersistentMessage* message);

// Whether any request is pending.
bool AnyRequests();
// Completes all requests.
void CompleteRequests(Tracker& tracker);

// The handles of requests as they are before a call, which may replace them.
class GivenRequests {
 public:
  GivenRequests(int count, void* const* requests);

  void CompleteAll(Tracker& tracker) const;
  // Invalid indices complete nothing.
  void CompleteOne(Tracker& tracker, int index) const;
  void CompleteSome(Tracker& tracker, int count, const int* indices) const;

 private:
  std::vector<uintptr_t> handles_;
};

}  // namespace gpusan::cuda
