// The accesses of a launch through texture and surface objects.
#include "hooks/cuda/arrays/textures.h"
#include "hooks/cuda/kernels/launch_arguments.h"

namespace gpusan::cuda {
namespace {

// Returns the direction of accesses of which at least one surely happens; kUnknown: it is not
// known.
Direction DirectionOf(const LaunchUses& use) {
  if (use.atomics.possible) return Direction::kUnknown;
  if (use.writes.sure && !use.writes.unwaited)
    return use.reads.possible ? Direction::kReadWrite : Direction::kWrite;
  const bool reads = use.reads.sure && !use.reads.unwaited && !use.writes.possible;
  return reads ? Direction::kRead : Direction::kUnknown;
}

}  // namespace

void LaunchArguments::AddViews(CuCall& call, Function& function, const LaunchShape& shape) {
  const SharedUses uses = UsesByCode(call, function, shape);
  if (uses == nullptr) return;
  for (const int16_t number : function.views) {
    const LaunchUses& use = (*uses)[static_cast<size_t>(number)];
    if (!use.reads.sure && !use.writes.sure) continue;
    const KernelUses::Pointer& view = function.uses->pointers()[static_cast<size_t>(number)];
    const ObjectKind kind =
        view.view == ViewKind::kTexture ? ObjectKind::kTexture : ObjectKind::kSurface;
    const uintptr_t handle = needed_[view.handle].value;
    CheckViewUse(call, kind, handle,
                 absl::StrCat("argument ", view.word.parameter, " of ",
                              ObjectText(*function.kernel, call.words())));
    const Direction direction = DirectionOf(use);
    const ViewMemory memory = MemoryOfView(call, kind, handle);
    if (direction == Direction::kUnknown || memory.resource == nullptr) continue;
    Add(view.word.parameter, Parameter(), memory.resource, memory.offset, false);
    // Which texels it accesses is not known.
    LaunchArgument& added = arguments_.back();
    added.direction = direction;
    added.derived = added.sure = added.somewhere = added.may_offset = added.understood = true;
    added.ranged = memory.bytes != 0;
    added.last = memory.bytes;
    launch_.writable_arguments += direction != Direction::kRead;
  }
}

}  // namespace gpusan::cuda
