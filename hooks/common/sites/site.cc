// Stack capture: first the thread's cache of warm stacks, then the fast walk, then the unwinder.
#include "hooks/common/sites/site.h"

#include <pthread.h>
#include <sys/uio.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "hooks/common/sites/jit_names.h"
#include "hooks/common/sites/modules.h"
#include "hooks/common/sites/mono_names.h"
#include "hooks/common/sites/python.h"
#include "hooks/common/sites/site_cache.h"
#include "hooks/common/sites/site_table.h"
#include "hooks/common/sites/source_functions.h"
#include "hooks/common/sites/stack_walk.h"
#include "tracker/base/pages.h"

extern "C" void* __libc_stack_end;  // the top of the main thread's stack, set by the loader

namespace gpusan {
namespace site_internal {
__attribute__((tls_model("initial-exec"))) constinit thread_local ThreadState thread_state{};
}  // namespace site_internal

namespace {

using namespace site_internal;

constexpr uintptr_t kPage = 4096;
constexpr uintptr_t kMaxStack = uintptr_t{8}
                                << 20;  // of a deeper stack only the frame's own page is looked at
constexpr int kMaxOwnFrames = 64;       // from the capture up to the exported wrapper

constinit std::atomic<uint32_t> cache_key{0};  // pthread_key_t + 1

constinit std::atomic<void (*)(uintptr_t)> thread_end_observer{nullptr};

void GiveBackCache(void*) {
  // The outermost function of the thread may have begun a little above this frame.
  constexpr uintptr_t kOutermost = 128;
  if (const auto observer = thread_end_observer.load(std::memory_order_acquire))
    observer(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + kOutermost);
  Cache* cache = thread_state.cache;
  thread_state.ended = true;
  thread_state.cache = nullptr;
  if (cache != nullptr) FreePages(cache, sizeof(Cache));
}

// Early, so that the key is among those that pthread_setspecific stores without allocating.
__attribute__((constructor)) void MakeCacheKey() {
  pthread_key_t key;
  if (pthread_key_create(&key, GiveBackCache) == 0)
    cache_key.store(key + 1, std::memory_order_release);
}

Cache* MakeCache() {
  if (thread_state.ended) return nullptr;
  auto* cache = static_cast<Cache*>(AllocatePages(sizeof(Cache)));
  if (cache == nullptr) return nullptr;
  thread_state.cache = cache;
  const uint32_t key = cache_key.load(std::memory_order_acquire);
  if (key != 0) pthread_setspecific(key - 1, cache);
  return cache;
}

#if defined(__x86_64__)
// Returns whether every page of [low, high) can be read. Asks the kernel, without an access that
// could fault.
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

// Extends the known part of the thread's own stack down to the frame. The C library puts the thread
// descriptor at the top of a thread's stack, so the readable pages from the frame up to there
// belong to that stack, without its guard page. The stack of a coroutine or signal handler is
// elsewhere; only slots in the frame's page are used there.
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

// Returns whether the return addresses of the entry are on the stack now: a warm hit.
bool StillHolds(const CacheEntry& entry) {
  if (OnThreadStack(entry.frame_address)) [[likely]]
    return HoldsOnThreadStack(entry);
  uint64_t check = 0;
  for (int i = 0; i < entry.slots_in_page; ++i) check += SlotNow(entry, i);
  return check == entry.check_in_page;
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

// Records the slot of a return address. Returns false if the slot is too far from the frame.
bool KeepSlot(CacheEntry* entry, uintptr_t slot, uintptr_t address) {
  const uintptr_t offset = slot - entry->frame_address;
  if (offset > CacheEntry::kMaxOffset || (slot & 7) != 0) return false;
  const int index = entry->slots++;
  entry->offset[index] = static_cast<uint16_t>(offset / sizeof(uintptr_t));
  entry->check += address * kFactors.at[index];
  if (index < kGroup) entry->check_near = entry->check;
  if (entry->frame_address / kPage == (slot + 7) / kPage && entry->slots_in_page == index) {
    entry->slots_in_page = entry->slots;
    entry->check_in_page = entry->check;
  }
  return true;
}

// Pads the slots to whole groups, as StillHolds requires.
__attribute__((no_sanitize("address", "thread"))) void FillGroup(CacheEntry* entry) {
  while (entry->slots % kGroup != 0) {
    const int index = entry->slots++;
    entry->offset[index] = entry->offset[index - 1];
    entry->check += SlotNow(*entry, index);
    if (index < kGroup) entry->check_near = entry->check;
  }
}

_Unwind_Reason_Code OnFrame(_Unwind_Context* context, void* argument) {
  auto* unwinding = static_cast<Unwinding*>(argument);
  int before_instruction = 0;
  const uintptr_t ip = _Unwind_GetIPInfo(context, &before_instruction);
  if (ip == 0) return _URC_END_OF_STACK;
  if (unwinding->count == 0) {
    // gpusan's own frames are inside of the caller's.
    if (ip != unwinding->return_address || _Unwind_GetCFA(context) <= unwinding->frame_address) {
      return ++unwinding->skipped < kMaxOwnFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
    }
  } else if (!unwinding->slots_end) {
#if defined(__x86_64__)
    const uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uintptr_t);
    unwinding->slots_end =
        before_instruction != 0 || !HoldsAt(slot, ip) || !KeepSlot(&unwinding->fresh, slot, ip);
#endif
  }
  unwinding->frames[unwinding->count++] = ResolveFrame(ip);
  return unwinding->count < unwinding->max_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// Interns a stack of the calling thread with its Python frames, which replace those of the
// interpreter: the interpreter runs one line in several ways. `python` is PythonPosition().
__attribute__((noinline)) SiteId Intern(SiteFrame* frames, int count, uint64_t python) {
  if (python == 0) return InternSite(frames, count);
  SourceFrame source_frames[kMaxPythonFrames];
  static_assert(kMaxPythonFrames <= kMaxSiteSourceFrames);
  const int source_count = CapturePythonFrames(source_frames, kMaxPythonFrames);
  if (source_count > 0 && count > 1)
    count =
        static_cast<int>(std::remove_if(frames + 1, frames + count, IsInterpreterFrame) - frames);
  return InternSite(frames, count, source_frames, source_count);
}

// Stores the stack of a walk, with its site.
KnownStack& KnowStack(Cache* cache, const StackWalk& walk, uint32_t epoch, uint64_t python) {
  uint64_t check = static_cast<uint64_t>(walk.count) + python;
  for (int i = 0; i < walk.count; ++i) check += walk.frames[i] * kFactors.at[i];
  KnownStack& known = cache->stacks[(check * 0x9e3779b97f4a7c15u) >> 53];
  static_assert(kStacks == 1u << (64 - 53));
  if (known.check == check && known.epoch == epoch) return known;
  SiteFrame frames[kMaxSiteFrames];
  FrameResolver resolve;
  for (int i = 0; i < walk.count; ++i) frames[i] = resolve(walk.frames[i]);
  if (walk.generated >= 0 && HasMono()) [[unlikely]] {
    for (int i = 0; i < walk.count; ++i) {
      if (frames[i].module == 0) FindMonoName(walk.frames[i]);
    }
  }
  known = {check, epoch, Intern(frames, walk.count, python), 0};
  return known;
}

bool Walk(Cache* cache, const CacheEntry& fresh, int max_frames, StackWalk* walk) {
  if (!OnThreadStack(fresh.frame_address)) return false;
  if (cache->rules.epoch != fresh.epoch) {
    std::memset(static_cast<void*>(cache->rules.entries), 0, sizeof(cache->rules.entries));
    cache->rules.epoch = fresh.epoch;
  }
  if (!WalkStack(&cache->rules, fresh.return_address, fresh.frame_address, thread_state.stack_high,
                 max_frames, walk))
    return false;
  if (walk->generated >= 0 && HasMono()) [[unlikely]]
    AddMonoCallers(walk, thread_state.stack_high, max_frames);
  return true;
}

bool Holds(const CacheEntry& entry, uintptr_t return_address, uintptr_t frame_address,
           uint32_t epoch, uint64_t python) {
  return entry.return_address == return_address && entry.frame_address == frame_address &&
         entry.python == python && entry.epoch == epoch && StillHolds(entry);
}

// Adds `place`, which the thread captured and which was not among the newest of its set.
void ArriveAnew(Cache* cache, uint16_t place) {
  const CacheEntry& entry = cache->entries[place];
  CacheSet& set = cache->sets[SetOf(entry.return_address, entry.frame_address, entry.python)];
  set.ways[set.next_way++ % kWays] = set.last = place;
  cache->Arrive(place);
}

// Replaces the oldest entry.
uint16_t Keep(Cache* cache, CacheEntry* fresh) {
  FillGroup(fresh);
  fresh->own_stack = OnThreadStack(fresh->frame_address);
  const uint16_t place = cache->newest % (kEntries - 1) + 1;
  cache->newest = place;
  cache->entries[place] = *fresh;
  ArriveAnew(cache, place);
  return place;
}

// Returns false if the walk fails.
bool CaptureByWalk(Cache* cache, int max_frames, CacheEntry* fresh) {
  StackWalk walk;
  if (!Walk(cache, *fresh, max_frames, &walk)) return false;
  KnownStack& known = KnowStack(cache, walk, fresh->epoch, fresh->python);
  fresh->site = known.site;
  const CacheEntry& before = cache->entries[known.place];
  if (before.site == known.site &&
      Holds(before, fresh->return_address, fresh->frame_address, fresh->epoch, fresh->python)) {
    ArriveAnew(cache, known.place);
    return true;
  }
  for (int i = 1; i < walk.count; ++i) {
    if (!KeepSlot(fresh, walk.slots[i], walk.frames[i])) break;
  }
  known.place = Keep(cache, fresh);
  return true;
}

void CaptureByUnwinder(int max_frames, CacheEntry* fresh) {
  Unwinding unwinding{.return_address = fresh->return_address,
                      .frame_address = fresh->frame_address,
                      .max_frames = max_frames,
                      .fresh = *fresh};
  if (max_frames > 1) _Unwind_Backtrace(OnFrame, &unwinding);
  if (unwinding.count == 0)
    unwinding.frames[unwinding.count++] = ResolveFrame(fresh->return_address);
  *fresh = unwinding.fresh;
  fresh->site = Intern(unwinding.frames, unwinding.count, fresh->python);
}

__attribute__((noinline)) SiteId CaptureCold(uintptr_t return_address, uintptr_t frame_address,
                                             int max_frames, uint32_t epoch) {
  if (max_frames > kMaxSiteFrames) max_frames = kMaxSiteFrames;
  if (max_frames > 1) TestPython();
  CacheEntry fresh{.return_address = return_address,
                   .frame_address = frame_address,
                   .python = max_frames > 1 ? PythonPosition() : 0,
                   .epoch = epoch};
#if defined(__x86_64__)
  LearnStack(frame_address);
#endif
  Cache* cache = thread_state.cache != nullptr ? thread_state.cache : MakeCache();
  if (max_frames <= 1 || cache == nullptr || !CaptureByWalk(cache, max_frames, &fresh)) {
    CaptureByUnwinder(max_frames, &fresh);
    if (cache != nullptr) Keep(cache, &fresh);
  }
  return fresh.site;
}

// Returns kUnknownSite if no entry of the cache matches.
SiteId FindWarm(Cache* cache, uintptr_t return_address, uintptr_t frame_address, uint32_t epoch,
                uint64_t python) {
  CacheSet& set = cache->sets[SetOf(return_address, frame_address, python)];
  const auto holds = [&](uint16_t place) {
    return Holds(cache->entries[place], return_address, frame_address, epoch, python);
  };
  uint16_t place = set.last;
  if (!holds(place)) {
    place = 0;
    for (const uint16_t way : set.ways) {
      if (way == set.last || !holds(way)) continue;
      place = set.last = way;
      break;
    }
  }
  if (place == 0) return kUnknownSite;
  cache->Arrive(place);
  return cache->entries[place].site;
}

}  // namespace

void SetThreadEndObserver(void (*observer)(uintptr_t frame)) {
  thread_end_observer.store(observer, std::memory_order_release);
}

SiteId CaptureSite(const void* return_address, const void* frame_address, int max_frames) {
  if (const SiteId warm = WarmSite(return_address, frame_address); warm != kUnknownSite) [[likely]]
    return warm;
  if (thread_state.capturing) return kUnknownSite;
  const auto caller = reinterpret_cast<uintptr_t>(return_address);
  const auto frame = reinterpret_cast<uintptr_t>(frame_address);
  const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
  thread_state.capturing = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  SiteId site = kUnknownSite;
  if (Cache* const cache = thread_state.cache; cache != nullptr) {
    const uint64_t python = max_frames > 1 ? cache->PythonPositionNow() : 0;
    site = FindWarm(cache, caller, frame, epoch, python);
  }
  if (site == kUnknownSite) site = CaptureCold(caller, frame, max_frames, epoch);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread_state.capturing = false;
  return site;
}

void HoldPythonFrames(SiteId last) {
  Cache* const cache = thread_state.cache;
  if (cache == nullptr || thread_state.capturing) return;
  const CacheEntry& entry = cache->entries[cache->here];
  if (entry.site == last) cache->held_python = entry.python;
}

void ReleasePythonFrames() {
  if (thread_state.cache != nullptr) thread_state.cache->held_python = 0;
}

SiteId InternStack(SiteFrame* frames, int count) { return Intern(frames, count, PythonPosition()); }

SiteId CaptureCaller(const void* return_address) { return CaptureSite(return_address, nullptr, 1); }

void ForgetUnloadedModules() {
  module_epoch.fetch_add(1, std::memory_order_acq_rel);
  ForgetUnloadedPython();
}

void ResetSitesAfterFork() {
  ResetModulesAfterFork();
  ResetSiteTableAfterFork();
  ResetFunctionsAfterFork();
}

}  // namespace gpusan
