// Findings that are only counted, because an equal one was written: their texts need not be built.
#include "tracker/model/repeated_findings.h"

#include <atomic>

namespace gpusan {
namespace {

constinit std::atomic<RepeatCounter*> g_counter{nullptr};

}  // namespace

void SetRepeatCounter(RepeatCounter* counter) {
  g_counter.store(counter, std::memory_order_release);
}

RepeatCounter* TheRepeatCounter() { return g_counter.load(std::memory_order_acquire); }

}  // namespace gpusan
