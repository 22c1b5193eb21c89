// The state behind a command buffer of cl_khr_command_buffer: what its commands will access when it
// is enqueued.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/commands/launch.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

inline constexpr KindMask kCommandBuffer = MaskOf(ObjectKind::kCommandBuffer);

// One side of a recorded transfer, in terms of the root resource: the buffer keeps what it
// recorded, so that the program may release a sub-buffer and go on.
struct RecordedSide {
  WeakRef<Resource> root;  // empty: host memory
  Side side;
  bool write = false;
};

struct RecordedLaunch {
  std::vector<LaunchArgument> arguments;
  std::vector<WeakRef<Resource>> resources;  // of the arguments
  bool may_offset = false;
  int writable_arguments = 0;
};

// What a command buffer will do when it is enqueued. Guarded by `lock` once it is adopted.
struct CommandBuffer {
  std::mutex lock;
  std::vector<WeakRef<Queue>> queues;
  std::vector<RecordedSide> sides;
  std::vector<RecordedLaunch> launches;
  bool finalized = false;
  // Arguments were replaced (mutable dispatch), or nobody knows what was recorded: its commands may
  // touch anything.
  bool unknown = false;
};

using CommandBufferPtr = std::shared_ptr<CommandBuffer>;

struct Target {
  Object* object = nullptr;
  CommandBufferPtr buffer;  // nullptr: not known, nothing is kept
};

// The state of a live command buffer. Adds a finding when the handle is not usable.
Target UseCommandBuffer(ClCall& call, cl_command_buffer_khr handle);
// A new handle gets its shadow and its state; the last release forgets the state.
void AdoptCommandBuffer(ClCall& call, cl_command_buffer_khr handle, Object* context,
                        CommandBufferPtr buffer);
void ForgetCommandBuffer(const Object* object);

// Keeps an access of a recorded transfer. The buffer's lock is held.
void KeepSide(CommandBuffer& buffer, Side side, bool write);

// One recorded access as an operation of its own, and one recorded launch; `arguments` is what its
// span refers to.
Transfer Replayed(const RecordedSide& recorded);
Launch Replayed(const RecordedLaunch& recorded, LaunchArguments* arguments);

// Calls `transfer(const Transfer&)` and `launch(const Launch&)` for all that the buffer does to
// live objects.
template <typename OnTransfer, typename OnLaunch>
void Replay(const CommandBuffer& buffer, OnTransfer transfer, OnLaunch launch) {
  for (const RecordedSide& side : buffer.sides) {
    if (side.side.resource != nullptr) {
      const Resource* root = side.root.get();
      if (root == nullptr || !root->live()) continue;
    }
    transfer(Replayed(side));
  }
  for (const RecordedLaunch& recorded : buffer.launches) {
    LaunchArguments arguments;
    launch(Replayed(recorded, &arguments));
  }
}

// Why a recording call or the end of recording fails, as far as it follows from the buffer's state.
// Its lock is held.
void ExplainState(ClCall& call, const Target& target);

}  // namespace gpusan::opencl
#endif
