// gpusan's own questions to the driver, in the context that they concern.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// While one lives, the context is the current one of this thread, if the driver allows that. A
// thread that processes the calls of another thread has another context or none, and the driver
// does not answer then, or answers for another device. Creates no context. The destructor restores
// the thread's context. An object belongs to one thread, and objects nest.
class ContextScope {
 public:
  // nullptr, and a context that has ended, change nothing.
  explicit ContextScope(const Context* context);
  // As above, by handle. A handle that is 0 or unknown to gpusan changes nothing.
  explicit ContextScope(uintptr_t handle);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  // False: answers of the driver do not concern the context. After a device fault and in a host
  // function, the driver may refuse the change.
  bool current() const { return current_; }

 private:
  bool current_ = false;
  bool pushed_ = false;
};

}  // namespace gpusan::cuda
