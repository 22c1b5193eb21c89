// The checks of the arguments of a transfer.
#include "tracker/state/transfer_checks.h"

#include "tracker/memory/heap_chunks.h"
#include "tracker/memory/read_only_memory.h"
#include "tracker/rules/events/read_only_destination.h"
#include "tracker/rules/rules.h"

namespace gpusan {
namespace {

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// The approximate name of the pointer argument in the APIs.
const char* PointerName(const Transfer& transfer, const Side& side) {
  if (transfer.kind != TransferKind::kCopy) return "ptr";
  return &side == &transfer.source ? "src_ptr" : "dst_ptr";
}

// Sets the block at the pointer, if it is too small to be recorded and the bytes do not fit.
void FindSmallBlock(uint64_t bytes, Side* side) {
  const uintptr_t address = AddressOf(side->pointer);
  if (!MayExceedChunk(address, bytes)) [[likely]]
    return;
  side->block = {address, FindChunk(address), HostBlockKind::kHeap, kUnknownSite};
  side->block_known = side->block.bytes != 0 && side->block.bytes < bytes;
}

}  // namespace

void CheckTransferArguments(HostSide& host_side, Pointers& pointers, Call& call, Transfer& transfer,
                            CheckTime time) {
  for (Side* side : {&transfer.source, &transfer.destination}) {
    if (!side->is_host() || side->pointer == nullptr) continue;
    const uintptr_t address = AddressOf(side->pointer);
    const uint64_t needed = side->region.empty() ? 0 : side->region.end();
    side->block_known = host_side.memory().FindSpan(address, needed, &side->block);
    if (side->block_known) continue;
    if (!MayBeUnrecorded(needed) && host_side.memory().MayHaveReleased(address)) [[unlikely]]
      pointers.CheckReleasedBlock(call, *side, PointerName(transfer, *side));
    // A pointer to freed memory has its finding already, and another block may lie there now.
    if (time == CheckTime::kBeforeReturn && !call.has_error()) FindSmallBlock(needed, side);
  }
  rules::OnTransfer(transfer, call);
  const Side& to = transfer.destination;
  if (!to.is_host() || to.region.empty()) return;
  const uintptr_t first = AddressOf(to.pointer) + to.region.offset;
  if (MayBeReadOnly(first) && IsReadOnly(first)) [[unlikely]]
    rules::OnReadOnlyDestination({&to}, call);
}

}  // namespace gpusan
