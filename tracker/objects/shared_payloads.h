// Memory and semaphores that one API exports as file descriptors and another API of the process
// imports.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/objects/object.h"
#include "tracker/order/semaphore.h"

namespace gpusan {

// Finds the exported object behind a descriptor. An export marks the open file, by the owner and
// the number of its input signal, which have no effect because asynchronous input stays off. So a
// descriptor that another process sent, or that was opened since, is never taken for an export of
// this process. Thread-safe.
class SharedPayloads {
 public:
  // The object behind a descriptor. `object` is empty if the descriptor is unknown.
  struct Payload {
    WeakRef<Object> object;
    SharedSemaphore* semaphore = nullptr;  // of a semaphore
    uint64_t number = 0;

    // nullptr: not known, or destroyed since.
    Object* get() const {
      Object* exported = object.get();
      return exported != nullptr && exported->live() ? exported : nullptr;
    }
  };

  // An API that imports is in use. Exports before that are not recorded: marking needs system calls
  // that a sandboxed program which uses only one API may not allow.
  void ExpectImports() { expects_imports_.store(true, std::memory_order_relaxed); }
  // Records that `fd` names the payload of `object`. Returns false if no import of it will be
  // found.
  bool Export(int fd, Object& object, SharedSemaphore* semaphore = nullptr);
  // Returns what the descriptor names. Call it before the real import, which closes the descriptor.
  Payload Find(int fd);
  // The descriptor was imported, and is closed.
  void Imported(const Payload& payload);

 private:
  struct Entry {
    int fd = -1;
    int mark = 0;
    Payload payload;
  };
  static constexpr size_t kMostEntries = 1024;

  SpinLock lock_;
  uint64_t exports_ = 0;
  std::vector<Entry> entries_;
  std::atomic<bool> any_{false}, expects_imports_{false};
};

}  // namespace gpusan
