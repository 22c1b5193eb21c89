// Pending commands that use host memory of functions which have returned, also because their thread
// has ended.
#include "tracker/host/left_stack.h"

#include <pthread.h>

#include <mutex>

#include "tracker/rules/events/left_stack.h"

namespace gpusan {
namespace {

// The bytes below the frame that are searched. Frames of functions that have just returned are
// there.
constexpr uintptr_t kSearched = 64 << 10;

// The first address of the thread's stack; 0 if `address` is not in it, as on the stack of a
// coroutine.
uintptr_t StackBegin(uintptr_t address) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* begin = nullptr;
  size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &begin, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  const auto first = reinterpret_cast<uintptr_t>(begin);
  return known && address >= first && address - first < bytes ? first : 0;
}

// Finds a pending command that surely uses the memory of an object from `begin` to `end`. Copies
// its access, with host addresses, to `*pending`. Returns the object, or nullptr.
const Resource* FindPendingStorage(HostSide& side, const HostClock& host, uintptr_t begin,
                                   uintptr_t end, Access* pending) {
  for (const Resource* storage : side.StoragesIn(begin, end)) {
    if (storage->root != storage || storage->image != nullptr) continue;
    std::lock_guard lock(storage->lock);
    const Access* found =
        storage->history.FindPending(Region::Linear(0, storage->bytes), false, host);
    if (found == nullptr ||
        (found->sureness != Sureness::kCertain && found->sureness != Sureness::kDerived))
      continue;
    *pending = *found;
    pending->region = found->region.Shifted(storage->address);
    return storage;
  }
  return nullptr;
}

}  // namespace

void CheckLeftStack(Call& call, HostSide& side, const HostClock& host) {
  const auto frame = reinterpret_cast<uintptr_t>(call.frame_address());
  if (!side.own_busy() || frame < kSearched) return;
  Access pending;
  const Resource* storage = nullptr;
  if (!side.shadow().FindPending(Region::Linear(frame - kSearched, kSearched), host, &pending)) {
    storage = FindPendingStorage(side, host, frame - kSearched, frame, &pending);
    if (storage == nullptr) return;
  }
  const uintptr_t begin = StackBegin(frame);
  if (begin == 0 || pending.region.offset < begin || pending.sureness == Sureness::kHeld) return;
  rules::OnLeftStack({&pending, storage}, call);
}

bool FindEndedStack(HostSide& side, const HostClock& host, uintptr_t frame, Access* pending,
                    const Resource** storage) {
  if (!side.own_busy()) return false;
  const uintptr_t begin = StackBegin(frame);
  if (begin == 0) return false;
  if (side.shadow().FindPending(Region::Linear(begin, frame - begin), host, pending)) return true;
  *storage = FindPendingStorage(side, host, begin, frame, pending);
  return *storage != nullptr;
}

}  // namespace gpusan
