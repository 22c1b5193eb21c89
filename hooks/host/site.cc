// Stack capture: a thread's cache of warm places in front of the unwinder.
#include "hooks/host/site.h"

#include <pthread.h>
#include <sys/uio.h>
#include <unwind.h>

#include <atomic>
#include <cerrno>

#include "hooks/host/modules.h"
#include "hooks/host/site_table.h"
#include "tracker/pages.h"

extern "C" void* __libc_stack_end;  // the loader's word for the top of the main thread's stack

namespace gpusan {
namespace {

constexpr int kSlots = 8;
constexpr uintptr_t kPage = 4096;
constexpr uintptr_t kMaxSlotOffset = 64 * 1024;
constexpr uintptr_t kMaxStack = uintptr_t{8}
                                << 20;  // of a deeper stack only the frame's own page is looked at
constexpr size_t kCacheEntries = 1024;
constexpr int kMaxOwnFrames = 64;  // from the capture up to the exported wrapper

// A warm place: what the stack held when it was unwound. `offset` counts bytes from the frame
// address up to the slot of a return address, ascending.
struct CacheEntry {
  uintptr_t return_address;
  uintptr_t frame_address;
  uint32_t epoch;
  SiteId site;
  uint8_t slots;
  uint8_t slots_in_page;  // those that share the page of the frame itself, which is surely mapped
  uint32_t offset[kSlots];
  uintptr_t expected[kSlots];
};
static_assert(sizeof(CacheEntry) == 128);

// Initial-exec: a dynamic TLS access could allocate inside malloc. No destructor: usable until the
// thread is gone.
struct ThreadState {
  CacheEntry* cache;
  uintptr_t
      stack_low;  // [stack_low, stack_high) is stack of this thread, mapped for as long as it lives
  uintptr_t stack_high;
  bool capturing;
  bool ended;  // the cache was given back at thread exit
};
__attribute__((tls_model("initial-exec"))) constinit thread_local ThreadState thread_state{};

constinit std::atomic<uint32_t> cache_key{0};  // pthread_key_t + 1

void GiveBackCache(void*) {
  CacheEntry* cache = thread_state.cache;
  thread_state.ended = true;
  thread_state.cache = nullptr;
  if (cache != nullptr) FreePages(cache, sizeof(CacheEntry) * kCacheEntries);
}

// Early, so that the key is among those that pthread_setspecific stores without allocating.
__attribute__((constructor)) void MakeCacheKey() {
  pthread_key_t key;
  if (pthread_key_create(&key, GiveBackCache) == 0)
    cache_key.store(key + 1, std::memory_order_release);
}

CacheEntry* MakeCache() {
  if (thread_state.ended) return nullptr;
  auto* cache = static_cast<CacheEntry*>(AllocatePages(sizeof(CacheEntry) * kCacheEntries));
  if (cache == nullptr) return nullptr;
  thread_state.cache = cache;
  const uint32_t key = cache_key.load(std::memory_order_acquire);
  if (key != 0) pthread_setspecific(key - 1, cache);
  return cache;
}

CacheEntry& EntryOf(CacheEntry* cache, uintptr_t return_address, uintptr_t frame_address) {
  const uint64_t mixed = (return_address ^ (frame_address << 7)) * 0x9e3779b97f4a7c15u;
  return cache[mixed >> 54];
}
static_assert(kCacheEntries == 1u << (64 - 54));

bool OnThreadStack(uintptr_t address) {
  return address - thread_state.stack_low < thread_state.stack_high - thread_state.stack_low;
}

#if defined(__x86_64__)
// Whether every page of [low, high) can be read; asks the kernel, so nothing is touched that is not
// there.
bool AllReadable(uintptr_t low, uintptr_t high) {
  constexpr int kBatch = 16;
  const int saved_errno = errno;
  for (uintptr_t page = low / kPage * kPage; page < high;) {
    iovec remote[kBatch];
    char bytes[kBatch];
    int count = 0;
    for (; count < kBatch && page < high; ++count, page += kPage) {
      remote[count] = {reinterpret_cast<void*>(page), 1};
    }
    iovec local = {bytes, static_cast<size_t>(count)};
    if (syscall(SYS_process_vm_readv, getpid(), &local, 1L, remote, static_cast<long>(count), 0L) !=
        count) {
      errno = saved_errno;
      return false;
    }
  }
  return true;
}

// Learns how far down the thread's own stack is known to reach. The C library puts the thread
// descriptor at the top of a thread's stack, so all that is readable from the frame up to there is
// that stack, guard page excluded; a coroutine's or a signal's stack lies elsewhere and keeps its
// slots within the frame's page.
void LearnStack(uintptr_t frame_address) {
  if (OnThreadStack(frame_address)) return;
  const auto main_top = reinterpret_cast<uintptr_t>(__libc_stack_end);
  const auto thread_top = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  const uintptr_t top = main_top - frame_address < kMaxStack ? main_top : thread_top;
  if (top - frame_address >= kMaxStack) return;
  const bool extends = thread_state.stack_high == top && frame_address < thread_state.stack_low;
  if (!AllReadable(frame_address, extends ? thread_state.stack_low : top)) return;
  thread_state.stack_low = frame_address;
  thread_state.stack_high = top;
}
#endif

// A warm hit: the return addresses that were on the stack then are there now.
__attribute__((no_sanitize("address", "thread"))) bool StillHolds(const CacheEntry& entry) {
  const int slots = OnThreadStack(entry.frame_address) ? entry.slots : entry.slots_in_page;
  for (int i = 0; i < slots; ++i) {
    const auto* slot = reinterpret_cast<const uintptr_t*>(entry.frame_address + entry.offset[i]);
    if (*slot != entry.expected[i]) return false;
  }
  return true;
}

struct Unwinding {
  uintptr_t return_address;
  uintptr_t frame_address;
  int max_frames;
  int count = 0;
  int skipped = 0;
  bool slots_end = false;
  CacheEntry fresh{};
  SiteFrame frames[kMaxSiteFrames];
};

#if defined(__x86_64__)
__attribute__((no_sanitize("address", "thread"))) bool HoldsAt(uintptr_t slot, uintptr_t value) {
  return *reinterpret_cast<const uintptr_t*>(slot) == value;
}
#endif

// Where this frame's return address is kept, while frames follow each other closely on one stack.
void KeepSlot(Unwinding* unwinding, _Unwind_Context* context, uintptr_t ip, bool signal_frame) {
#if defined(__x86_64__)
  CacheEntry& entry = unwinding->fresh;
  const uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uintptr_t);
  const uintptr_t offset = slot - unwinding->frame_address;
  if (signal_frame || offset > kMaxSlotOffset || (slot & 7) != 0 || !HoldsAt(slot, ip)) {
    unwinding->slots_end = true;
    return;
  }
  entry.offset[entry.slots] = static_cast<uint32_t>(offset);
  entry.expected[entry.slots] = ip;
  ++entry.slots;
  if (unwinding->frame_address / kPage == (slot + 7) / kPage) entry.slots_in_page = entry.slots;
#else
  (void)context, (void)ip, (void)signal_frame;
  unwinding->slots_end = true;
#endif
}

_Unwind_Reason_Code OnFrame(_Unwind_Context* context, void* argument) {
  auto* unwinding = static_cast<Unwinding*>(argument);
  int before_instruction = 0;
  const uintptr_t ip = _Unwind_GetIPInfo(context, &before_instruction);
  if (ip == 0) return _URC_END_OF_STACK;
  if (unwinding->count == 0) {
    // Frames of gpusan's own lie inside of the caller's.
    if (ip != unwinding->return_address || _Unwind_GetCFA(context) <= unwinding->frame_address) {
      return ++unwinding->skipped < kMaxOwnFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
    }
  } else if (!unwinding->slots_end && unwinding->fresh.slots < kSlots) {
    KeepSlot(unwinding, context, ip, before_instruction != 0);
  }
  unwinding->frames[unwinding->count++] = ResolveFrame(ip);
  return unwinding->count < unwinding->max_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

__attribute__((noinline)) SiteId CaptureCold(uintptr_t return_address, uintptr_t frame_address,
                                             int max_frames, uint32_t epoch) {
  Unwinding unwinding{.return_address = return_address,
                      .frame_address = frame_address,
                      .max_frames = max_frames < kMaxSiteFrames ? max_frames : kMaxSiteFrames};
#if defined(__x86_64__)
  LearnStack(frame_address);
#endif
  if (max_frames > 1) _Unwind_Backtrace(OnFrame, &unwinding);
  if (unwinding.count == 0) unwinding.frames[unwinding.count++] = ResolveFrame(return_address);
  const SiteId site = InternSite(unwinding.frames, unwinding.count);
  CacheEntry* cache = thread_state.cache != nullptr ? thread_state.cache : MakeCache();
  if (cache != nullptr) {
    unwinding.fresh.return_address = return_address;
    unwinding.fresh.frame_address = frame_address;
    unwinding.fresh.epoch = epoch;
    unwinding.fresh.site = site;
    EntryOf(cache, return_address, frame_address) = unwinding.fresh;
  }
  return site;
}

}  // namespace

SiteId CaptureSite(const void* return_address, const void* frame_address, int max_frames) {
  if (thread_state.capturing) return kUnknownSite;
  const auto caller = reinterpret_cast<uintptr_t>(return_address);
  const auto frame = reinterpret_cast<uintptr_t>(frame_address);
  const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
  thread_state.capturing = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  SiteId site = kUnknownSite;
  bool found = false;
  if (thread_state.cache != nullptr) {
    const CacheEntry& entry = EntryOf(thread_state.cache, caller, frame);
    if (entry.return_address == caller && entry.frame_address == frame && entry.epoch == epoch &&
        StillHolds(entry)) {
      site = entry.site;
      found = true;
    }
  }
  if (!found) site = CaptureCold(caller, frame, max_frames, epoch);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread_state.capturing = false;
  return site;
}

SiteId CaptureCaller(const void* return_address) { return CaptureSite(return_address, nullptr, 1); }

void ForgetUnloadedModules() { module_epoch.fetch_add(1, std::memory_order_acq_rel); }

void ResetSitesAfterFork() {
  ResetModulesAfterFork();
  ResetSiteTableAfterFork();
}

}  // namespace gpusan
