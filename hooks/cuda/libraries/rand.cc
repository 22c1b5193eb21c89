// The effects of cuRAND. A generator has no function that returns its stream, so it is kept here.
#include "hooks/cuda/libraries/rand.h"

#include <map>
#include <mutex>
#include <utility>

#include "hooks/common/base/process_state.h"

namespace gpusan::cuda::rand {
namespace {

struct Generators {
  SpinLock lock;
  std::map<std::pair<uintptr_t, void*>, void*> streams;  // by library and handle
};

constinit ProcessState<Generators> g_generators;
const ForkReset g_reset([] { g_generators.Forget(); });

}  // namespace

void Created(uintptr_t library, void* generator) {
  Generators& generators = g_generators.Get();
  std::lock_guard lock(generators.lock);
  generators.streams[{library, generator}] = nullptr;
}

void Destroyed(uintptr_t library, void* generator) {
  Generators& generators = g_generators.Get();
  std::lock_guard lock(generators.lock);
  generators.streams.erase({library, generator});
}

void StreamSet(uintptr_t library, void* generator, void* stream) {
  Generators& generators = g_generators.Get();
  std::lock_guard lock(generators.lock);
  const auto found = generators.streams.find({library, generator});
  if (found != generators.streams.end()) found->second = stream;
}

void Run(LibraryCall& call, void* generator, const void* out, uint64_t count, uint64_t bytes) {
  void* stream = nullptr;
  {
    Generators& generators = g_generators.Get();
    std::lock_guard lock(generators.lock);
    const auto found = generators.streams.find({LibraryOf(call.real()), generator});
    if (found == generators.streams.end()) return;
    stream = found->second;
  }
  call.EnqueuesTo(stream);
  call.Writes(Operand::kOutputPtr, out, SaturatingMultiply(count, bytes));
}

}  // namespace gpusan::cuda::rand
