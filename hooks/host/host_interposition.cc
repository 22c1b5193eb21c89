// The state of the host interposition and the bookkeeping that its wrappers share.
#include "hooks/host/host_interposition.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>

#include <cerrno>
#include <new>
#include <string_view>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/sites/python.h"
#include "hooks/host/host_hooks.h"
#include "hooks/host/reservations.h"
#include "tracker/base/pages.h"
#include "tracker/base/text_util.h"
#include "tracker/memory/heap_chunks.h"
#include "tracker/memory/small_uses.h"
#include "tracker/memory/unmapped_memory.h"

namespace gpusan {

constinit std::atomic<uint32_t> host_users{0};

namespace {

constexpr size_t kNoBlocks = SIZE_MAX;  // a smallest block that no block reaches
constexpr int kBlockFrames =
    8;  // enough to leave the container's code and name the caller's caller
constexpr int kEarlyCaptures =
    48;  // stacks unwound in a process that has shown no sign of a GPU: some 0.2 ms

constinit std::atomic<HostMemory*> blocks{nullptr};
constinit std::atomic<HostObserver*> observer{nullptr};
constinit std::atomic<bool> gpu_expected{false};
constinit std::atomic<bool> gpu_used{false};
constinit std::atomic<int> early_captures{0};

constinit std::atomic<bool> real_sought{false};
__attribute__((tls_model("initial-exec"))) constinit thread_local bool looking_up = false;

constinit std::atomic<size_t> bootstrap_used{0};

// Whether the blocks of malloc and of operator new have the C library's header word in front of
// them; written before real_known.
constinit bool libc_serves_malloc = false;
constinit bool libc_serves_delete = false;
constinit std::atomic<size_t> smallest_ever_kept{1024};

// Returns whether the name of the loaded file that contains the function starts with `begin`. Takes
// no lock.
bool IsOfFile(const void* function, const char* begin) {
  dl_find_object object;
  if (_dl_find_object(const_cast<void*>(function), &object) != 0 ||
      object.dlfo_link_map->l_name == nullptr)
    return false;
  return BaseName(object.dlfo_link_map->l_name).starts_with(begin);
}

void FindAllocator(const host_hooks::Real& real) {
  bool libc = true, deletes = true;
  for (const void* function :
       {reinterpret_cast<void*>(real.malloc), reinterpret_cast<void*>(real.calloc),
        reinterpret_cast<void*>(real.realloc), reinterpret_cast<void*>(real.free)})
    libc &= function != nullptr && IsOfFile(function, "libc.so.6");
  // The operators of the C++ runtime, and the replacements of missing ones, call free.
  for (const void* function :
       {reinterpret_cast<void*>(real._ZdlPv), reinterpret_cast<void*>(real._ZdaPv),
        reinterpret_cast<void*>(real._ZdlPvm), reinterpret_cast<void*>(real._ZdaPvm),
        reinterpret_cast<void*>(real._ZdlPvRKSt9nothrow_t),
        reinterpret_cast<void*>(real._ZdaPvRKSt9nothrow_t),
        reinterpret_cast<void*>(real._ZdlPvSt11align_val_t),
        reinterpret_cast<void*>(real._ZdaPvSt11align_val_t),
        reinterpret_cast<void*>(real._ZdlPvmSt11align_val_t),
        reinterpret_cast<void*>(real._ZdaPvmSt11align_val_t),
        reinterpret_cast<void*>(real._ZdlPvSt11align_val_tRKSt9nothrow_t),
        reinterpret_cast<void*>(real._ZdaPvSt11align_val_tRKSt9nothrow_t)})
    deletes &= function == nullptr || IsOfFile(function, "libstdc++.so");
  libc_serves_malloc = libc;
  libc_serves_delete = libc && deletes;
  if (!libc) return;
  const auto* end = static_cast<const uintptr_t*>(RealDlsym()(RTLD_DEFAULT, "__curbrk"));
  if (end != nullptr) host_hooks::break_heap = {*end, end};
}

// Recomputes the limits of the fast path. Called after a change of host_block_min,
// smallest_ever_kept or the two flags above.
void SetPlainSizes() {
  const size_t kept = host_hooks::host_block_min.load(std::memory_order_relaxed);
  SetHeapChunks(libc_serves_malloc, kept);
  host_hooks::plain_below.store(libc_serves_malloc ? kept : 0, std::memory_order_release);
  // A chunk holds its block and at least one more word. Blocks recorded under an earlier, smaller
  // limit are still recorded.
  const size_t chunk = smallest_ever_kept.load(std::memory_order_relaxed) + sizeof(size_t);
  host_hooks::plain_chunk_below.store(libc_serves_malloc ? chunk : 0, std::memory_order_release);
  host_hooks::plain_deleted_below.store(libc_serves_delete ? chunk : 0, std::memory_order_release);
}

// The call site of an allocation or release, with its stack. What Python's import allocates has
// only its caller: thousands of blocks, of which a program hands hardly any to a device. Once the
// program uses one, this holds for the interpreter's own blocks (code, dictionaries) alone.
SiteId CaptureStack(host_hooks::Caller caller) {
  if ((!gpu_used.load(std::memory_order_relaxed) || IsInterpreterCode(caller.return_address)) &&
      IsImporting())
    return CaptureCaller(caller.return_address);
  return CaptureSite(caller.return_address, caller.frame_address, kBlockFrames);
}

SiteId CaptureBlock(host_hooks::Caller caller) {
  if (gpu_expected.load(std::memory_order_relaxed) ||
      (early_captures.load(std::memory_order_relaxed) < kEarlyCaptures &&
       early_captures.fetch_add(1, std::memory_order_relaxed) < kEarlyCaptures)) {
    return CaptureStack(caller);
  }
  return CaptureCaller(caller.return_address);
}

void NotifyFree(const HostBlock& block, host_hooks::Caller caller) {
  if (!gpu_expected.load(std::memory_order_relaxed)) return;
  const SiteId site = CaptureStack(caller);
  if (block.kind == HostBlockKind::kHeap) HostBlocks()->NoteRelease(block, site);
  HostObserver* current = observer.load(std::memory_order_acquire);
  if (current == nullptr || host_users.load(std::memory_order_acquire) == 0) return;
  const int saved_errno = errno;
  ReentryGuard guard;
  current->OnHostFree(block, site);
  errno = saved_errno;
}

// Returns whether a command may use the small block that begins at the address, which is aligned as
// device memory is: IsPlain does not read the word in front of it. The word is readable, because a
// command uses the block's page, and the page of the word is mapped.
bool MayBeUsedSmallBlock(uintptr_t address) {
  const size_t limit = host_hooks::plain_deleted_below.load(std::memory_order_relaxed);
  return limit != 0 && MayBeInSmallUse(address, address + 1) &&
         !MayBeUnmapped(address - sizeof(size_t)) &&
         host_hooks::ChunkBytes(reinterpret_cast<void*>(address)) < limit;
}

// The program releases an address as host memory that is not a known block. The address is aligned
// as device memory is.
[[gnu::noinline]] void NotifyAlignedFree(uintptr_t address, host_hooks::Caller caller) {
  HostObserver* current = observer.load(std::memory_order_acquire);
  if (current == nullptr) return;
  const int saved_errno = errno;
  bool device;
  {
    ReentryGuard guard;
    device = current->IsDeviceMemory(address);
    if (device) current->OnDeviceMemoryFree(address, CaptureStack(caller));
  }
  if (!device && MayBeUsedSmallBlock(address))
    host_hooks::NotePlainReleasedSlow(reinterpret_cast<void*>(address), caller);
  errno = saved_errno;
}

}  // namespace

HostMemory* HostBlocks() {
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  void* memory = AllocatePages(sizeof(HostMemory));
  if (memory == nullptr) __builtin_trap();
  HostMemory* fresh = new (memory) HostMemory;
  // If another thread wins, this table leaks: untouched pages, at most one table for each thread
  // that raced.
  return blocks.compare_exchange_strong(known, fresh, std::memory_order_acq_rel) ? fresh : known;
}

void SetHostObserver(HostObserver* current) { observer.store(current, std::memory_order_release); }

void KeepNoHostBlocks() { SetHostBlockMin(kNoBlocks); }

void SetHostBlockMin(size_t bytes) {
  // Lowered before any block of that size is recorded.
  if (bytes < smallest_ever_kept.load(std::memory_order_relaxed))
    smallest_ever_kept.store(bytes, std::memory_order_relaxed);
  if (host_hooks::real_known.load(std::memory_order_acquire)) SetPlainSizes();
  host_hooks::host_block_min.store(bytes, std::memory_order_release);
  if (host_hooks::real_known.load(std::memory_order_acquire)) SetPlainSizes();
}

void ExpectGpuUse() {
  if (!gpu_expected.load(std::memory_order_relaxed))
    gpu_expected.store(true, std::memory_order_relaxed);
}

void NoteGpuUse() { gpu_used.store(true, std::memory_order_relaxed); }

void ResetHostBlocksAfterFork() {
  blocks.store(nullptr, std::memory_order_release);
  host_users.store(0, std::memory_order_release);
  host_hooks::ResetReservationsAfterFork();
}

namespace host_hooks {

constinit std::atomic<size_t> host_block_min{1024};
constinit std::atomic<size_t> plain_below{0};
constinit std::atomic<size_t> plain_chunk_below{0};
constinit std::atomic<size_t> plain_deleted_below{0};
constinit std::atomic<bool> real_known{false};
constinit Real known_real{};
alignas(64) char bootstrap[64 * 1024];
constinit const uintptr_t no_break = 0;
constinit BreakHeap break_heap{0, &no_break};
__attribute__((tls_model("initial-exec"))) constinit thread_local bool new_pending = false;

const Real* FindReal() {
  if (looking_up) return nullptr;
  if (!real_sought.exchange(true, std::memory_order_acq_rel)) {
    looking_up = true;
    // A failed look-up allocates its message. The program's own allocator may not support that
    // while it maps its first pages. The C library has cfree for old programs only, so that its
    // look-up fails; `free` does the same.
#define GPUSAN_HOST(symbol, result, parameters)                                             \
  if (std::string_view(#symbol) != "cfree" && MayHaveNext(#symbol)) {                       \
    known_real.symbol = reinterpret_cast<decltype(known_real.symbol)>(NextSymbol(#symbol)); \
  }
#include "hooks/host/host.def"
#undef GPUSAN_HOST
    FindAllocator(known_real);
    looking_up = false;
    real_known.store(true, std::memory_order_release);
    SetPlainSizes();
  }
  while (!real_known.load(std::memory_order_acquire)) sched_yield();
  return &known_real;
}

void NoteAcquired(void* memory, size_t bytes, HostBlockKind kind, Caller caller) {
  // Mappings are kept whatever their size, except then.
  if (host_block_min.load(std::memory_order_relaxed) == kNoBlocks) return;
  const int saved_errno = errno;
  HostBlocks()->Add({reinterpret_cast<uintptr_t>(memory), bytes, kind, CaptureBlock(caller)});
  errno = saved_errno;
}

bool NoteReleased(void* memory, Caller caller, HostBlock* block) {
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (known == nullptr || HostMemory::BusyOnThisThread()) return false;
  if (!known->RemoveHeap(reinterpret_cast<uintptr_t>(memory), block)) {
    if (MayBeDeviceMemory(memory) && gpu_used.load(std::memory_order_relaxed) &&
        !ReentryGuard::Active())
      NotifyAlignedFree(reinterpret_cast<uintptr_t>(memory), caller);
    return false;
  }
  if (!ReentryGuard::Active()) NotifyFree(*block, caller);
  return true;
}

void NotePlainReleasedSlow(void* memory, Caller caller) {
  HostObserver* current = observer.load(std::memory_order_acquire);
  if (current == nullptr || !IsProgramCall()) return;
  const int saved_errno = errno;
  const HostBlock block = {reinterpret_cast<uintptr_t>(memory), ChunkBytes(memory) - sizeof(size_t),
                           HostBlockKind::kHeap, kUnknownSite};
  if (ReentryGuard guard; current->IsSmallBlockInUse(block)) {
    current->OnHostFree(block, CaptureStack(caller));
    current->EndUses(block);  // operator delete calls free
  }
  errno = saved_errno;
}

void NoteUnmapped(void* memory, size_t bytes, Caller caller) {
  ForgetMappedPages();
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (known == nullptr || HostMemory::BusyOnThisThread()) return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  if (host_users.load(std::memory_order_relaxed) != 0 && !ReentryGuard::Active()) {
    // A part of a mapping may be cut: the observer receives the bytes that are unmapped.
    const SiteId mapped_at = [&] {
      HostBlock block;
      return known->Find(begin, &block) ? block.site : kUnknownSite;
    }();
    NotifyFree({begin, bytes, HostBlockKind::kMapping, mapped_at}, caller);
  }
  known->RemoveMapping(begin, bytes);
}

void NoteLostSlow(void* memory, size_t bytes, HostLoss loss, const char* function, Caller caller) {
  HostObserver* current = observer.load(std::memory_order_acquire);
  HostMemory* known = blocks.load(std::memory_order_acquire);
  if (current == nullptr || known == nullptr || !IsProgramCall()) return;
  const int saved_errno = errno;
  HostBlock range = {reinterpret_cast<uintptr_t>(memory), bytes, HostBlockKind::kMapping,
                     kUnknownSite};
  if (ReentryGuard guard; current->IsLossInUse(range, loss)) {
    if (HostBlock block; known->Find(range.begin, &block)) range.site = block.site;
    current->OnHostLoss(range, loss, CaptureStack(caller), function);
  }
  errno = saved_errno;
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

size_t BootstrapLeft(const void* memory) {
  return bootstrap_used.load(std::memory_order_relaxed) -
         (static_cast<const char*>(memory) - bootstrap);
}

}  // namespace host_hooks
}  // namespace gpusan
