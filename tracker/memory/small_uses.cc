// The memory of host blocks that are too small to be recorded and that pending commands may use.
#include "tracker/memory/small_uses.h"

namespace gpusan {

namespace small_uses_internal {
constinit std::atomic<bool> any{false};
constinit std::atomic<uint64_t> pages[kPages / 64] = {};
}  // namespace small_uses_internal

using namespace small_uses_internal;

void NoteSmallUseSlow(uintptr_t address) {
  WordOf(address >> 12).fetch_or(BitOf(address >> 12), std::memory_order_relaxed);
  if (!any.load(std::memory_order_relaxed)) any.store(true, std::memory_order_relaxed);
}

void ForgetSmallUses(uintptr_t address) {
  WordOf(address >> 12).fetch_and(~BitOf(address >> 12), std::memory_order_relaxed);
}

}  // namespace gpusan
