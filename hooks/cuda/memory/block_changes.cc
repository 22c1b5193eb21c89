// Blocks of allocators of the program, in the deferral queue.
#include "hooks/cuda/memory/block_changes.h"

#include <new>

#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {
namespace {

// The queue names commands by functions of the driver. The findings name BlockChange::call.
constexpr CuInfo kInfo = {{"block of an allocator", Api::kCuda}, Slot{}, false};

struct DeferredChange : DeferredCommand {
  const CallInfo* call;
  uintptr_t address;
  int64_t size;  // BlockChange::bytes
  decltype(BlockChange::apply) apply;
};

bool ProcessChange(DeferredCommand& command, const DeferredCommand*, ProcessedCommand*) {
  const auto& one = static_cast<const DeferredChange&>(command);
  Call call(*one.tracker, *one.call, Words(), nullptr, nullptr, one.site);
  call.SetThread(one.thread);
  one.apply(*one.tracker, call, one.address, one.size);
  call.Finish(0);
  return false;
}
constexpr DeferredKind kChange = {&ProcessChange};

}  // namespace

bool DeferBlockChange(Tracker& tracker, const BlockChange& change) {
  Context* const context = OnlyContext();
  FastCall call(tracker, kInfo, change.return_address, change.frame_address, AttachPath::kPreload);
  if (context == nullptr || !MayDefer(call)) return false;
  DeferredRoom room(sizeof(DeferredChange));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  new (room.get()) DeferredChange{{}, change.call, change.address, change.bytes, change.apply};
  room.Enqueue(call, &context->legacy, kChange, true, sizeof(DeferredChange));
  return true;
}

}  // namespace gpusan::cuda
