// Memory whose free a stream capture made the driver refuse.
#include "hooks/cuda/memory/refused_frees.h"

#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"

namespace gpusan::cuda {
namespace {

struct State {
  SpinLock lock;
  std::vector<std::pair<const Resource*, uint32_t>> refused;  // with the generation
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

}  // namespace

constinit std::atomic<bool> refused_frees_internal::any{false};

void refused_frees_internal::Note(Resource* resource) {
  // No leak of it is reported anyway.
  if (resource->adopted || !resource->live()) return;
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  state.refused.emplace_back(resource, resource->generation.load(std::memory_order_relaxed));
  any.store(true, std::memory_order_relaxed);
  resource->MarkAdopted();
}

void refused_frees_internal::Forget(Resource* resource) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  const auto erased = std::erase(
      state.refused, std::pair<const Resource*, uint32_t>{
                         resource, resource->generation.load(std::memory_order_relaxed)});
  if (erased != 0) resource->MarkAdopted(false);
}

}  // namespace gpusan::cuda
