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

}  // namespace

void ExplainRejection(const CallInfo& info, const RuntimeRectangle& copy,
                      const void* return_address, const void* frame_address) {
  if (ReentryGuard::Active() || !CurrentHooks().preload) return;
  ReentryGuard guard;
  Tracker* tracker = Admit(AttachPath::kPreload);
  if (tracker == nullptr) return;
  Call call(*tracker, info, Words(), return_address, frame_address);
  Transfer transfer;
  transfer.source = SideOf(*tracker, copy.source, copy.source_pitch, copy);
  transfer.destination = SideOf(*tracker, copy.destination, copy.destination_pitch, copy);
  tracker->accesses().CheckTransfer(call, transfer);
}

}  // namespace gpusan::cuda
