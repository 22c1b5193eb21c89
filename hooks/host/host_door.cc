// State of the host door and the bookkeeping that its wrappers share.
#include "hooks/host/host_door.h"

#include <sched.h>

#include <cerrno>
#include <new>

#include "hooks/host/host_hooks.h"
#include "hooks/host/next_symbol.h"
#include "tracker/pages.h"

namespace gpusan {

namespace guard_internal {
__attribute__((tls_model("initial-exec"))) constinit thread_local uint32_t depth = 0;
}

constinit std::atomic<uint32_t> host_users{0};

namespace {

constexpr int kBlockFrames =
    8;  // enough to leave the container's code and name the caller's caller
constexpr int kEarlyCaptures =
    48;  // stacks unwound in a process that has shown no sign of a GPU: some 0.2 ms

constinit std::atomic<HostMemory*> blocks{nullptr};
constinit std::atomic<HostObserver*> observer{nullptr};
constinit std::atomic<bool> gpu_expected{false};
constinit std::atomic<int> early_captures{0};

constinit std::atomic<int> real_state{0};  // 0 unknown, 1 being looked up, 2 known
constinit host_hooks::Real real{};
__attribute__((tls_model("initial-exec"))) constinit thread_local bool looking_up = false;

alignas(64) char bootstrap[64 * 1024];
constinit std::atomic<size_t> bootstrap_used{0};

SiteId CaptureBlock(host_hooks::Caller caller) {
  if (gpu_expected.load(std::memory_order_relaxed) ||
      (early_captures.load(std::memory_order_relaxed) < kEarlyCaptures &&
       early_captures.fetch_add(1, std::memory_order_relaxed) < kEarlyCaptures)) {
    return CaptureSite(caller.return_address, caller.frame_address, kBlockFrames);
  }
  return CaptureCaller(caller.return_address);
}

void Tell(const HostBlock& block, host_hooks::Caller caller) {
  if (!gpu_expected.load(std::memory_order_relaxed)) return;
  const SiteId site = CaptureSite(caller.return_address, caller.frame_address, kBlockFrames);
  if (block.kind == HostBlockKind::kHeap) HostBlocks()->NoteRelease(block, site);
  HostObserver* told = observer.load(std::memory_order_acquire);
  if (told == nullptr || host_users.load(std::memory_order_acquire) == 0) return;
  const int saved_errno = errno;
  ReentryGuard guard;
  told->OnHostFree(block, site);
  errno = saved_errno;
}

}  // namespace

HostMemory* HostBlocks() {
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  void* memory = AllocatePages(sizeof(HostMemory));
  if (memory == nullptr) __builtin_trap();
  HostMemory* fresh = new (memory) HostMemory;
  // A loser's tables stay behind: untouched pages, and at most once.
  return blocks.compare_exchange_strong(known, fresh, std::memory_order_acq_rel) ? fresh : known;
}

void SetHostObserver(HostObserver* told) { observer.store(told, std::memory_order_release); }

void SetHostBlockMin(size_t bytes) {
  host_hooks::host_block_min.store(bytes, std::memory_order_relaxed);
}

void ExpectGpuUse() {
  if (!gpu_expected.load(std::memory_order_relaxed))
    gpu_expected.store(true, std::memory_order_relaxed);
}

void ResetHostDoorAfterFork() {
  blocks.store(nullptr, std::memory_order_release);
  host_users.store(0, std::memory_order_release);
}

namespace host_hooks {

constinit std::atomic<size_t> host_block_min{1024};
__attribute__((tls_model("initial-exec"))) constinit thread_local bool new_pending = false;

const Real* GetReal() {
  if (__builtin_expect(real_state.load(std::memory_order_acquire) == 2, true)) return &real;
  if (looking_up) return nullptr;
  int expected = 0;
  if (real_state.compare_exchange_strong(expected, 1, std::memory_order_acq_rel)) {
    looking_up = true;
#define GPUSAN_HOST(symbol, result, parameters) \
  real.symbol = reinterpret_cast<decltype(real.symbol)>(NextSymbol(#symbol));
#include "hooks/host/host.def"
#undef GPUSAN_HOST
    looking_up = false;
    real_state.store(2, std::memory_order_release);
  }
  while (real_state.load(std::memory_order_acquire) != 2) sched_yield();
  return &real;
}

void NoteAcquired(void* memory, size_t bytes, HostBlockKind kind, Caller caller) {
  const int saved_errno = errno;
  HostBlocks()->Add({reinterpret_cast<uintptr_t>(memory), bytes, kind, CaptureBlock(caller)});
  errno = saved_errno;
}

bool NoteReleased(void* memory, Caller caller, HostBlock* block) {
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (known == nullptr || HostMemory::BusyOnThisThread()) return false;
  if (!known->RemoveHeap(reinterpret_cast<uintptr_t>(memory), block)) return false;
  if (!ReentryGuard::Active()) Tell(*block, caller);
  return true;
}

void NoteUnmapped(void* memory, size_t bytes, Caller caller) {
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (known == nullptr || HostMemory::BusyOnThisThread()) return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  if (host_users.load(std::memory_order_relaxed) != 0 && !ReentryGuard::Active()) {
    // What is cut may be a part of a mapping: the observer hears of the bytes that really go.
    const SiteId mapped_at = [&] {
      HostBlock block;
      return known->Find(begin, &block) ? block.site : kUnknownSite;
    }();
    Tell({begin, bytes, HostBlockKind::kMapping, mapped_at}, caller);
  }
  known->RemoveMapping(begin, bytes);
}

void* BootstrapAllocate(size_t bytes, size_t alignment) {
  if (alignment < 16) alignment = 16;
  size_t used = bootstrap_used.load(std::memory_order_relaxed);
  for (;;) {
    const size_t begin = (used + alignment - 1) / alignment * alignment;
    if (begin > sizeof(bootstrap) || bytes > sizeof(bootstrap) - begin) {
      errno = ENOMEM;
      return nullptr;
    }
    if (bootstrap_used.compare_exchange_weak(used, begin + bytes, std::memory_order_relaxed)) {
      return bootstrap + begin;
    }
  }
}

bool IsBootstrap(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory) - reinterpret_cast<uintptr_t>(bootstrap) <
         sizeof(bootstrap);
}

size_t BootstrapLeft(const void* memory) {
  return bootstrap_used.load(std::memory_order_relaxed) -
         (static_cast<const char*>(memory) - bootstrap);
}

}  // namespace host_hooks
}  // namespace gpusan
