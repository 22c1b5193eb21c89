// The state of a command buffer of cl_khr_command_buffer: what its commands access when the program
// enqueues it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "hooks/opencl/commands/command_buffer_order.h"
#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/kernels/launch.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

inline constexpr KindMask kCommandBuffer = MaskOf(ObjectKind::kCommandBuffer);

// One side of a recorded transfer, in terms of the root resource. The command buffer retains what
// it recorded, so that the program may release a recorded sub-buffer.
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

// The recorded commands of one command buffer. `lock` guards all fields after AdoptCommandBuffer.
struct CommandBuffer {
  std::mutex lock;
  std::vector<WeakRef<Queue>> queues;
  std::vector<RecordedSide> sides;
  std::vector<RecordedLaunch> launches;
  CommandBufferOrder order;
  bool mutable_arguments = false;  // arguments of its kernels may be replaced after the recording
  bool finalized = false;
  // The commands may access any resource of the context: arguments were replaced (mutable
  // dispatch), or a recorded command is not known.
  bool unknown = false;
};

using CommandBufferPtr = std::shared_ptr<CommandBuffer>;

struct Target {
  Object* object = nullptr;
  CommandBufferPtr buffer;  // nullptr: gpusan has not seen its creation
};

// Returns the state of a live command buffer. Adds a finding if the handle is not usable.
Target UseCommandBuffer(ClCall& call, cl_command_buffer_khr handle);
// Creates the shadow object of a new handle and attaches its state; ForgetCommandBuffer drops the
// state at the last release.
void AdoptCommandBuffer(ClCall& call, cl_command_buffer_khr handle, Object* context,
                        CommandBufferPtr buffer);
void ForgetCommandBuffer(const Object* object);

// Appends an access of a recorded transfer to the buffer and to the command's list of `accesses`.
// Requires `buffer.lock`.
void KeepSide(CommandBuffer& buffer, Side side, bool write, std::vector<RecordedAccess>* accesses);

// Returns one recorded access, or one recorded launch, as an operation for the tracker. `arguments`
// is the storage of the launch's span.
Transfer Replayed(const RecordedSide& recorded);
Launch Replayed(const RecordedLaunch& recorded, LaunchArguments* arguments);

// Calls `transfer(const Transfer&)` for each recorded access to a live object or to host memory,
// and `launch(const Launch&)` for each recorded launch.
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

// Adds to the call why recording or finalizing failed, if the state of the buffer explains it.
// Requires the buffer's lock.
void ExplainState(ClCall& call, const Target& target);

}  // namespace gpusan::opencl
#endif
