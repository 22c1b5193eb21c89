// Page guards: protected pages of the program, whose first access is detected at the instruction.
#include "hooks/host/page_guard.h"

namespace gpusan::page_guard_internal {
constinit std::atomic<int> guards{0};
}

#if defined(__x86_64__) && defined(__linux__)

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <iterator>
#include <mutex>
#include <span>

#include "hooks/common/guard.h"
#include "hooks/common/sites/modules.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

constexpr uintptr_t kPage = 4096;

struct Entry {
  uintptr_t begin = 0, end = 0;   // whole pages; 0: free
  uintptr_t first = 0, last = 0;  // the guarded bytes [first, last) of the pages
  uint64_t tag = 0;
  uint32_t state = 0;
  bool reads = false;
  bool suspended = false;  // its pages are open

  bool Touches(uintptr_t from, uintptr_t to) const { return begin < to && from < end; }
  bool Covers(uintptr_t from, uintptr_t to) const { return first < to && from < last; }
  int protection() const { return reads ? PROT_NONE : PROT_READ; }
};

struct Range {
  uintptr_t begin, end;
};

// No holder accesses a guarded page.
constinit SpinLock g_lock;
constinit Entry g_guards[PageGuards::kMaxGuards];
constinit size_t g_end = 0;  // the entries from this one on are free
constinit GuardedAccess g_accesses[PageGuards::kMaxAccesses];
constinit int g_access_count = 0;
// The ranges of recently removed guards: another thread may have faulted before the removal.
constinit Range g_gone[2 * PageGuards::kMaxGuards] = {};
constinit unsigned g_gone_count = 0;
constinit std::atomic<bool> g_noticed{false};
constinit std::atomic<bool> g_suspended{false};  // some guard

constinit struct sigaction g_next = {};  // the previously installed handler

// The last fault that was retried, and how often. In one word: thread-local storage is scarce.
struct Retried {
  uint64_t address : 52;  // its low bits; 0: none
  uint64_t count : 12;
};
// Initial-exec: a dynamic TLS access could allocate.
__attribute__((tls_model("initial-exec"))) constinit thread_local Retried t_retried = {};
// The last call of the previous handler, which may leave by a jump instead of a return.
__attribute__((tls_model("initial-exec"))) constinit thread_local struct {
  const void* context;
  uintptr_t frame;
} t_chained = {};

// mprotect without the hook of this library, which is not async-signal-safe.
void Protect(uintptr_t begin, uintptr_t end, int protection) {
  syscall(SYS_mprotect, begin, end - begin, protection);
}

// Requires g_lock.
std::span<Entry> Guards() { return {g_guards, g_end}; }

// Returns whether a guard other than `self` protects the pages of `self` as well as `self` does.
// Requires g_lock.
bool IsProtectedByOthers(const Entry& self) {
  return std::ranges::any_of(Guards(), [&](const Entry& guard) {
    return guard.begin != 0 && &guard != &self && !guard.suspended && guard.begin <= self.begin &&
           self.end <= guard.end && (guard.reads || !self.reads);
  });
}

// Opens a range from which a guard was removed, and protects again what other guards of it cover.
// Requires g_lock.
void Open(uintptr_t begin, uintptr_t end) {
  Protect(begin, end, PROT_READ | PROT_WRITE);
  for (bool reads : {false, true}) {
    for (const Entry& guard : Guards()) {
      if (guard.begin == 0 || guard.suspended || guard.reads != reads || !guard.Touches(begin, end))
        continue;
      Protect(guard.begin, guard.end, guard.protection());
    }
  }
}

// Remembers that the guard's pages may be opened. Requires g_lock.
void NoteGone(const Entry& guard) {
  g_gone[g_gone_count++ % std::size(g_gone)] = {guard.begin, guard.end};
}

// Requires g_lock.
void Drop(Entry* guard) {
  const Entry dropped = *guard;
  *guard = Entry();
  if (page_guard_internal::guards.fetch_sub(1, std::memory_order_relaxed) == 1) g_end = 0;
  if (dropped.suspended) return;
  NoteGone(dropped);
  if (!IsProtectedByOthers(dropped)) Open(dropped.begin, dropped.end);
}

// Requires g_lock.
void Suspend(Entry* guard) {
  NoteGone(*guard);
  guard->suspended = true;
  g_suspended.store(true, std::memory_order_relaxed);
  if (!IsProtectedByOthers(*guard)) Open(guard->begin, guard->end);
}

// Protects the pages of a guard that does not protect them yet. Requires g_lock.
void Close(Entry* guard) {
  guard->suspended = false;
  if (!IsProtectedByOthers(*guard)) Open(guard->begin, guard->end);
}

struct Unwinding {
  uintptr_t instruction;
  int count = 0;
  SiteFrame frames[kMaxSiteFrames];
};

_Unwind_Reason_Code OnFrame(_Unwind_Context* context, void* argument) {
  auto* unwinding = static_cast<Unwinding*>(argument);
  int before = 0;
  const uintptr_t at = _Unwind_GetIPInfo(context, &before);
  if (at == 0) return _URC_END_OF_STACK;
  // The first frames are the handler's.
  if (unwinding->count == 0 && at != unwinding->instruction) return _URC_NO_REASON;
  // Sites hold return addresses, which follow the instruction.
  unwinding->frames[unwinding->count++] = ResolveFrame(at + (before != 0 ? 1 : 0));
  return unwinding->count < kMaxSiteFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// The site of an instruction, without its callers.
SiteId OwnSiteOf(uintptr_t instruction) {
  SiteFrame frame = ResolveFrame(instruction + 1);
  return InternStack(&frame, 1);
}

SiteId SiteOf(uintptr_t instruction) {
  Unwinding unwinding{.instruction = instruction};
  _Unwind_Backtrace(OnFrame, &unwinding);
  if (unwinding.count == 0) return OwnSiteOf(instruction);
  return InternStack(unwinding.frames, unwinding.count);
}

// Whether the access is to be recorded.
bool IsGuarded(uintptr_t address, bool write) {
  std::lock_guard lock(g_lock);
  return std::ranges::any_of(Guards(), [&](const Entry& guard) {
    return guard.begin != 0 && !guard.suspended && (write || guard.reads) &&
           guard.Covers(address, address + 1);
  });
}

// Handles a fault. Returns whether the instruction is to run again.
bool Serve(uintptr_t address, bool write, uintptr_t instruction) {
  bool found = false, recorded = false;
  // Another thread may take the access before its stack is known.
  const SiteId own_site =
      IsGuarded(address, write) && !ReentryGuard::Active() ? OwnSiteOf(instruction) : kUnknownSite;
  {
    std::lock_guard lock(g_lock);
    for (Entry& guard : Guards()) {
      if (address < guard.begin || address >= guard.end || guard.suspended ||
          (!write && !guard.reads))
        continue;
      found = true;
      if (!guard.Covers(address, address + 1)) {
        Suspend(&guard);
        continue;
      }
      recorded = true;
      if (!ReentryGuard::Active() && g_access_count < PageGuards::kMaxAccesses) {
        g_accesses[g_access_count++] = {guard.tag, guard.state, address, write, own_site};
        g_noticed.store(true, std::memory_order_release);
      }
      Drop(&guard);
    }
  }
  if (!found) {
    // After so many retries it is a fault of another kind.
    constexpr unsigned kMaxRetries = 1000;
    const uint64_t low = address & (~uint64_t{0} >> 12);
    if (t_retried.address != low) t_retried.count = 0;
    if (t_retried.count > kMaxRetries) return false;
    ++t_retried.count;
    std::lock_guard lock(g_lock);
    for (const Range& range : g_gone) {
      if (address < range.begin || address >= range.end) continue;
      t_retried.address = low;
      return true;  // the thread that removed the guard may be about to open the page
    }
    return false;
  }
  t_retried = {};
  if (!recorded || ReentryGuard::Active()) return true;
  const SiteId site = SiteOf(instruction);
  std::lock_guard lock(g_lock);
  for (int i = 0; i < g_access_count; ++i) {
    if (g_accesses[i].address == address && g_accesses[i].site == own_site)
      g_accesses[i].site = site;
  }
  return true;
}

// `frame`: of the handler.
void Chain(int signal, siginfo_t* info, void* context, uintptr_t frame) {
  const struct sigaction next = g_next;
  const bool function = (next.sa_flags & SA_SIGINFO) != 0 ||
                        (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN);
  // The previous handler may have chained this one.
  const bool circle = t_chained.context == context && frame < t_chained.frame;
  if (!function || circle) {
    // The instruction runs again and ends the process as it would without gpusan.
    struct sigaction fallback = {};
    fallback.sa_handler = SIG_DFL;
    sigaction(signal, &fallback, nullptr);
    return;
  }
  t_chained = {context, frame};
  if ((next.sa_flags & SA_SIGINFO) != 0) {
    next.sa_sigaction(signal, info, context);
  } else {
    next.sa_handler(signal);
  }
  t_chained = {};
}

void OnFault(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto* machine = static_cast<const ucontext_t*>(context);
  constexpr greg_t kWriteBit = 2;  // of the page fault's error code
  const bool write = (machine->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
  const auto instruction = static_cast<uintptr_t>(machine->uc_mcontext.gregs[REG_RIP]);
  if (info->si_code != SEGV_ACCERR ||
      !Serve(reinterpret_cast<uintptr_t>(info->si_addr), write, instruction))
    Chain(signal, info, context, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  errno = saved_errno;
}

// The lock is held.
bool Install() {
  struct sigaction now;
  if (sigaction(SIGSEGV, nullptr, &now) != 0) return false;
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &OnFault) return true;
  g_next = now;
  struct sigaction ours = {};
  ours.sa_sigaction = &OnFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_NODEFER);
  ours.sa_mask = now.sa_mask;
  return sigaction(SIGSEGV, &ours, nullptr) == 0;
}

}  // namespace

bool PageGuards::Guard(uintptr_t begin, uintptr_t end, bool reads, uint64_t tag, bool parts) {
  Entry made = {.begin = (begin + kPage - 1) / kPage * kPage,
                .end = end / kPage * kPage,
                .tag = tag,
                .reads = reads};
  made.first = made.begin;
  made.last = made.end;
  if (made.begin >= made.end) {
    if (!parts || begin >= end) return false;
    made.begin = begin / kPage * kPage;
    made.end = (end + kPage - 1) / kPage * kPage;
    made.first = begin;
    made.last = end;
  }
  std::lock_guard lock(g_lock);
  if (!Install()) return false;
  for (Entry& guard : g_guards) {
    if (guard.begin != 0) continue;
    guard = made;
    g_end = std::max(g_end, static_cast<size_t>(&guard - g_guards) + 1);
    page_guard_internal::guards.fetch_add(1, std::memory_order_relaxed);
    Close(&guard);
    return true;
  }
  return false;
}

void PageGuards::Resume() {
  if (!g_suspended.load(std::memory_order_relaxed)) return;
  std::lock_guard lock(g_lock);
  g_suspended.store(false, std::memory_order_relaxed);
  for (Entry& guard : Guards()) {
    if (guard.begin != 0 && guard.suspended) Close(&guard);
  }
}

bool PageGuards::SetState(uint64_t tag, uint32_t state) {
  bool found = false;
  std::lock_guard lock(g_lock);
  for (Entry& guard : Guards()) {
    if (guard.begin == 0 || guard.tag != tag) continue;
    guard.state = state;
    if (guard.suspended) Close(&guard);
    found = true;
  }
  return found;
}

void PageGuards::Remove(uint64_t tag) {
  std::lock_guard lock(g_lock);
  for (Entry& guard : Guards()) {
    if (guard.begin != 0 && guard.tag == tag) Drop(&guard);
  }
}

void PageGuards::RemoveIn(uintptr_t begin, uintptr_t end) {
  std::lock_guard lock(g_lock);
  for (Entry& guard : Guards()) {
    if (guard.begin != 0 && guard.Touches(begin, end)) Drop(&guard);
  }
}

void PageGuards::NoteAccess(uintptr_t begin, uint64_t bytes, bool write, const void* caller) {
  if (ReentryGuard::Active() || bytes == 0) return;
  const ReentryGuard inside;
  const int saved_errno = errno;
  const uintptr_t end = bytes > ~begin ? ~uintptr_t{0} : begin + bytes;
  GuardedAccess noted[8];
  int count = 0;
  {
    std::lock_guard lock(g_lock);
    for (Entry& guard : Guards()) {
      if (guard.begin == 0 || !guard.Touches(begin, end) || (!write && !guard.reads)) continue;
      if (!guard.Covers(begin, end)) {
        if (!guard.suspended) Suspend(&guard);
        continue;
      }
      if (count < static_cast<int>(std::size(noted)))
        noted[count++] = {guard.tag, guard.state, std::max(begin, guard.first), write,
                          kUnknownSite};
      Drop(&guard);
    }
  }
  if (count != 0) {
    const SiteId site = SiteOf(reinterpret_cast<uintptr_t>(caller));
    std::lock_guard lock(g_lock);
    for (int i = 0; i < count && g_access_count < kMaxAccesses; ++i) {
      noted[i].site = site;
      g_accesses[g_access_count++] = noted[i];
    }
    g_noticed.store(true, std::memory_order_release);
  }
  errno = saved_errno;
}

std::vector<GuardedAccess> PageGuards::Take(uint64_t owner) {
  std::vector<GuardedAccess> taken;
  taken.reserve(kMaxAccesses);
  std::lock_guard lock(g_lock);
  int left = 0;
  for (int i = 0; i < g_access_count; ++i) {
    if (g_accesses[i].tag >> 56 == owner >> 56) {
      taken.push_back(g_accesses[i]);
    } else {
      g_accesses[left++] = g_accesses[i];
    }
  }
  g_access_count = left;
  g_noticed.store(left != 0, std::memory_order_release);
  return taken;
}

bool PageGuards::Noticed() { return g_noticed.load(std::memory_order_acquire); }

}  // namespace gpusan

#else

namespace gpusan {

bool PageGuards::Guard(uintptr_t, uintptr_t, bool, uint64_t, bool) { return false; }
void PageGuards::Resume() {}
bool PageGuards::SetState(uint64_t, uint32_t) { return false; }
void PageGuards::Remove(uint64_t) {}
void PageGuards::RemoveIn(uintptr_t, uintptr_t) {}
void PageGuards::NoteAccess(uintptr_t, uint64_t, bool, const void*) {}
std::vector<GuardedAccess> PageGuards::Take(uint64_t) { return {}; }
bool PageGuards::Noticed() { return false; }

}  // namespace gpusan

#endif
