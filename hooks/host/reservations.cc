// The address ranges that the program has reserved without access rights.
#include "hooks/host/reservations.h"

#include <algorithm>
#include <new>

#include "tracker/base/pages.h"

namespace gpusan::host_hooks {
namespace {

constinit std::atomic<HostMemory*> reservations{nullptr};

// Returns the table, or nullptr if there is no memory for it.
HostMemory* Reservations() {
  HostMemory* known = reservations.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  void* memory = AllocatePages(sizeof(HostMemory));
  if (memory == nullptr) return nullptr;
  HostMemory* fresh = new (memory) HostMemory;
  // If another thread wins, this table leaks, as in HostBlocks.
  return reservations.compare_exchange_strong(known, fresh, std::memory_order_acq_rel) ? fresh
                                                                                       : known;
}

}  // namespace

void NoteReserved(void* memory, size_t bytes, Caller caller) {
  if (host_block_min.load(std::memory_order_relaxed) == SIZE_MAX) return;
  if (HostMemory* table = Reservations(); table != nullptr) {
    table->Add({reinterpret_cast<uintptr_t>(memory), bytes, HostBlockKind::kMapping,
                CaptureCaller(caller.return_address)});
  }
}

void ForgetReserved(void* memory, size_t bytes) {
  HostMemory* table = reservations.load(std::memory_order_acquire);
  if (table == nullptr || HostMemory::BusyOnThisThread()) return;
  table->RemoveMapping(reinterpret_cast<uintptr_t>(memory), bytes);
}

void NoteAccessible(void* memory, size_t bytes, Caller caller) {
  HostMemory* table = reservations.load(std::memory_order_acquire);
  if (table == nullptr || HostMemory::BusyOnThisThread()) return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t end = begin + bytes;
  HostBlock reserved;
  for (uintptr_t at = begin; at < end && table->Find(at, &reserved); at = reserved.end()) {
    const size_t part = std::min(end, reserved.end()) - at;
    table->RemoveMapping(at, part);
    NoteAcquired(reinterpret_cast<void*>(at), part, HostBlockKind::kMapping, caller);
  }
}

void ResetReservationsAfterFork() { reservations.store(nullptr, std::memory_order_release); }

}  // namespace gpusan::host_hooks
