// Pending transfers of host memory that belonged to functions which have returned, also because
// their thread has ended.
#include "tracker/state/left_stack.h"

#include <pthread.h>

#include "tracker/rules/left_stack.h"

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

}  // namespace

void CheckLeftStack(Call& call, HostSide& side, const HostClock& host) {
  const auto frame = reinterpret_cast<uintptr_t>(call.frame_address());
  Access pending;
  if (!side.shadow().busy() || frame < kSearched ||
      !side.shadow().FindPending(Region::Linear(frame - kSearched, kSearched), host, &pending))
    return;
  const uintptr_t begin = StackBegin(frame);
  if (begin == 0 || pending.region.offset < begin) return;
  rules::OnLeftStack({&pending}, call);
}

bool FindEndedStack(HostSide& side, const HostClock& host, uintptr_t frame, Access* pending) {
  if (!side.shadow().busy()) return false;
  const uintptr_t begin = StackBegin(frame);
  return begin != 0 &&
         side.shadow().FindPending(Region::Linear(begin, frame - begin), host, pending);
}

}  // namespace gpusan
