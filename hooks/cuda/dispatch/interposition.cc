// The table of real functions, and the wrapper of each of them.
#include "hooks/cuda/dispatch/interposition.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "hooks/common/base/fork_reset.h"
#include "hooks/common/base/next_symbol.h"
#include "hooks/cuda/dispatch/wrapper.h"
#include "hooks/cuda/guards/guards.h"
#include "hooks/cuda/streams/pinned_guards.h"
#include "tracker/base/slab.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda {

constinit std::atomic<Tracker*> g_trackers[kAttachPathCount] = {};
constinit CallCounter g_calls[kAttachPathCount];

namespace {

constexpr const char* kNames[] = {
#include "cuda_names.inc"
};

constinit std::atomic<bool> g_adopted{false};
SpinLock g_adopt_lock;

// Maps the address of a real function to its wrapper. A table is complete when it is published, and
// read-only afterwards. The table of a driver that was unloaded stays: another thread may read it.
struct KnownAddress {
  void* real;
  void* wrapper;
};
constinit std::atomic<const std::vector<KnownAddress>*> g_addresses{nullptr};

struct EntryIndex {
  const Entry* of[kSlotCount] = {};
  EntryIndex() {
    for (const Entry* const* table = kEntryTables; *table != nullptr; ++table) {
      for (const Entry* entry = *table; entry->info != nullptr; ++entry)
        of[entry->info->slot] = entry;
    }
  }
};
const EntryIndex& Index() {
  static const EntryIndex* const index = new EntryIndex;
  return *index;
}

int SlotOf(const char* name) {
  for (int slot = 0; slot < kSlotCount; ++slot) {
    if (std::strcmp(kNames[slot], name) == 0) return slot;
  }
  return -1;
}

void Prepare() {
  // The caller may be a static initializer that runs before those of this library.
  if (driver_internal::hooks.next_symbol == nullptr && gpusan_prepare_cuda != nullptr)
    gpusan_prepare_cuda();
}

void DropTrackers() {
  for (std::atomic<Tracker*>& tracker : g_trackers)
    tracker.store(nullptr, std::memory_order_release);
}

}  // namespace

[[gnu::noinline, gnu::cold]] Tracker* OpenTracker(AttachPath path) {
  if (driver_internal::hooks.tracker == nullptr) return nullptr;
  if (path != AttachPath::kCupti && !driver_internal::hooks.preload) return nullptr;
  ReentryGuard guard;
  Tracker* tracker = driver_internal::hooks.tracker(path);
  if (GuardsPinned() && tracker != nullptr) {
    // The tracker is not kept, so that each call comes here.
    StopDeferral();
    SettlePinnedGuards(*tracker);
    return tracker;
  }
  g_trackers[static_cast<int>(path)].store(tracker, std::memory_order_release);
  return tracker;
}

void SetHooks(const Hooks& hooks) {
  driver_internal::hooks = hooks;
  DropTrackers();
}

void ForgetTracker() {
  DropTrackers();
  ForkReset::RunAll();
}

const char* NameOf(Slot slot) { return kNames[slot]; }
const Entry* EntryOf(Slot slot) { return Index().of[slot]; }

void AdoptDriver(const void* function) {
  if (g_adopted.load(std::memory_order_acquire)) return;
  Prepare();
  if (driver_internal::hooks.symbol_beside == nullptr || function == nullptr) return;
  ReentryGuard guard;
  std::lock_guard lock(g_adopt_lock);
  if (g_adopted.load(std::memory_order_acquire)) return;
  auto* addresses = new std::vector<KnownAddress>;
  for (int slot = 0; slot < kSlotCount; ++slot) {
    void* real = driver_internal::hooks.symbol_beside(kNames[slot], function);
    if (real == nullptr) continue;
    driver_internal::real[slot].store(GuardedFunction(static_cast<Slot>(slot), real),
                                      std::memory_order_release);
    const Entry* entry = Index().of[slot];
    void* const query = GuardedQuery(static_cast<Slot>(slot));
    if (entry != nullptr || query != nullptr)
      addresses->push_back({real, entry != nullptr ? entry->wrapper : query});
  }
  std::sort(addresses->begin(), addresses->end(),
            [](const KnownAddress& a, const KnownAddress& b) { return a.real < b.real; });
  g_addresses.store(addresses, std::memory_order_release);
  g_adopted.store(true, std::memory_order_release);
}

bool FindReal(Slot slot, const void* return_address) {
  Prepare();
  if (driver_internal::hooks.next_symbol == nullptr) return false;
  void* real = driver_internal::hooks.next_symbol(kNames[slot], return_address);
  if (real == nullptr) return false;
  AdoptDriver(real);
  void* none = nullptr;
  driver_internal::real[slot].compare_exchange_strong(none, GuardedFunction(slot, real),
                                                      std::memory_order_acq_rel);
  return true;
}

void ForgetUnloadedFunctions() {
  bool unloaded = false;
  for (int i = 0; i < kSlotCount; ++i) {
    std::atomic<void*>& slot = driver_internal::real[i];
    void* function = slot.load(std::memory_order_relaxed);
    if (function == nullptr || IsLoadedFunction(DriverFunctionAt(static_cast<Slot>(i)))) continue;
    slot.compare_exchange_strong(function, nullptr, std::memory_order_acq_rel);
    unloaded = true;
  }
  // The next driver is adopted as the first one was.
  if (unloaded) g_adopted.store(false, std::memory_order_release);
}

void* WrapperForSymbol(const char* name, void* real) {
  if (name[0] != 'c' || name[1] != 'u' || !driver_internal::hooks.preload) return nullptr;
  const int slot = SlotOf(name);
  if (slot < 0) return nullptr;
  const Entry* const entry = Index().of[slot];
  void* const wrapper = entry != nullptr ? entry->wrapper : GuardedQuery(static_cast<Slot>(slot));
  if (wrapper == nullptr) return nullptr;
  AdoptDriver(real);
  // Another library's function of that name.
  if (DriverFunctionAt(static_cast<Slot>(slot)) != real) return nullptr;
  return wrapper;
}

void* WrapperForAddress(void* real) {
  if (!g_adopted.load(std::memory_order_acquire) || !driver_internal::hooks.preload) return real;
  const std::vector<KnownAddress>* addresses = g_addresses.load(std::memory_order_acquire);
  if (addresses == nullptr) return real;
  const auto it = std::lower_bound(
      addresses->begin(), addresses->end(), real,
      [](const KnownAddress& known, const void* address) { return known.real < address; });
  return it != addresses->end() && it->real == real ? it->wrapper : real;
}

uint64_t PreloadCallsSeen() { return g_calls[static_cast<int>(AttachPath::kPreload)].total(); }
uint64_t CallsSeen() {
  return PreloadCallsSeen() + g_calls[static_cast<int>(AttachPath::kCupti)].total();
}

}  // namespace gpusan::cuda
