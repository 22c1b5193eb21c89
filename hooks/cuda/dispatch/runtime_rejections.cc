// Copies that the CUDA runtime rejects before it calls the driver.
#include "hooks/cuda/dispatch/runtime_rejections.h"

#include "hooks/common/guard.h"
#include "hooks/cuda/call/call.h"
#include "hooks/cuda/dispatch/wrapper.h"

namespace gpusan::cuda {
namespace {

// A side without bytes: the runtime copies nothing.
Side SideOf(const Tracker& tracker, const void* pointer, size_t pitch,
            const RuntimeRectangle& copy) {
  Side side;
  uint64_t offset = 0;
  side.resource = tracker.objects().FindAddress(HandleOf(pointer), &offset);
  side.pointer = pointer;
  side.pitches_given = true;
  side.row_pitch = pitch;
  side.row_bytes = copy.width;
  side.rows = copy.height;
  return side;
}

// Calls `describe(const Tracker&, Transfer*)` and checks the transfer, unless it returns false.
template <typename Describe>
void Explain(const CallInfo& info, const void* return_address, const void* frame_address,
             Describe describe) {
  if (ReentryGuard::Active() || !CurrentHooks().preload) return;
  ReentryGuard guard;
  Tracker* tracker = Admit(AttachPath::kPreload);
  if (tracker == nullptr) return;
  Call call(*tracker, info, Words(), return_address, frame_address);
  Transfer transfer;
  if (describe(*tracker, &transfer)) tracker->accesses().CheckTransfer(call, transfer);
}

}  // namespace

void ExplainRejection(const CallInfo& info, const RuntimeRectangle& copy,
                      const void* return_address, const void* frame_address) {
  Explain(info, return_address, frame_address, [&](const Tracker& tracker, Transfer* transfer) {
    transfer->source = SideOf(tracker, copy.source, copy.source_pitch, copy);
    transfer->destination = SideOf(tracker, copy.destination, copy.destination_pitch, copy);
    return true;
  });
}

void ExplainRejection(const CallInfo& info, const RuntimeVariableCopy& copy,
                      const void* return_address, const void* frame_address) {
  Explain(info, return_address, frame_address, [&](const Tracker& tracker, Transfer* transfer) {
    transfer->kind = copy.write ? TransferKind::kWrite : TransferKind::kRead;
    Side& variable = copy.write ? transfer->destination : transfer->source;
    Side& memory = copy.write ? transfer->source : transfer->destination;
    uint64_t offset = 0;
    variable.resource = tracker.objects().FindAddress(HandleOf(copy.variable), &offset);
    variable.region = Region::Linear(copy.offset, copy.bytes);
    memory.pointer = copy.memory;
    return variable.resource != nullptr && offset == 0;
  });
}

}  // namespace gpusan::cuda
