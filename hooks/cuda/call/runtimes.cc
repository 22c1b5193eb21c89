// The copies of the CUDA runtime in the process.
#include "hooks/cuda/call/runtimes.h"

#include <atomic>
#include <cstdint>

#include "hooks/common/sites/modules.h"

namespace gpusan::cuda {
namespace {

constexpr unsigned kMostRuntimes = 16;

// Numbers of files (SiteFrame::module); 0: the entry is free.
constinit std::atomic<uint32_t> g_runtimes[kMostRuntimes];

uint32_t FileOf(const void* address) {
  return ResolveFrame(reinterpret_cast<uintptr_t>(address)).module;
}

}  // namespace

void NoteRuntime(const void* address) {
  const uint32_t file = FileOf(address);
  if (file == 0) return;
  for (std::atomic<uint32_t>& entry : g_runtimes) {
    uint32_t present = 0;
    if (entry.compare_exchange_strong(present, file, std::memory_order_relaxed) || present == file)
      return;
  }
}

bool IsInRuntime(const void* address) {
  const uint32_t file = FileOf(address);
  if (file == 0) return false;
  for (const std::atomic<uint32_t>& entry : g_runtimes) {
    if (entry.load(std::memory_order_relaxed) == file) return true;
  }
  return false;
}

}  // namespace gpusan::cuda
