// The states of command buffers by shadow object, and the record and replay of their commands.
#include "hooks/opencl/commands/pending_command_buffers.h"

#include <utility>

#include "absl/container/btree_map.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {
namespace {

std::mutex g_lock;
absl::btree_map<const Object*, CommandBufferPtr>& CommandBuffers() {
  static auto* const buffers = new absl::btree_map<const Object*, CommandBufferPtr>();
  return *buffers;
}

}  // namespace

Target UseCommandBuffer(ClCall& call, cl_command_buffer_khr handle) {
  Target target;
  if (IsNull(call, handle, kCommandBuffer, "command_buffer")) return target;
  target.object =
      call.tracker().objects().Use(call, HandleOf(handle), kCommandBuffer, "command_buffer");
  if (target.object == nullptr) return target;
  std::lock_guard lock(g_lock);
  const auto found = CommandBuffers().find(target.object);
  if (found != CommandBuffers().end()) target.buffer = found->second;
  return target;
}

void AdoptCommandBuffer(ClCall& call, cl_command_buffer_khr handle, Object* context,
                        CommandBufferPtr buffer) {
  const Object* object = call.tracker().objects().NewPlain(call, ObjectKind::kCommandBuffer,
                                                           HandleOf(handle), context);
  std::lock_guard lock(g_lock);
  CommandBuffers()[object] = std::move(buffer);
}

void ForgetCommandBuffer(const Object* object) {
  std::lock_guard lock(g_lock);
  CommandBuffers().erase(object);
}

void KeepSide(CommandBuffer& buffer, Side side, bool write, std::vector<RecordedAccess>* accesses) {
  if (side.region.empty()) return;
  RecordedSide recorded;
  recorded.write = write;
  if (side.resource != nullptr) {
    side.region = side.region.Shifted(side.resource->root_offset);
    side.resource = side.resource->root;
    recorded.root = WeakRef<Resource>(side.resource);
  } else if (side.pointer == nullptr) {
    return;
  }
  recorded.side = side;
  RecordedAccess one;
  one.root = recorded.root;
  one.access.write = write;
  one.access.read = !write;
  one.access.region =
      side.resource != nullptr ? side.region : side.region.Shifted(HandleOf(side.pointer));
  accesses->push_back(one);
  // A loop that records the same access again adds nothing.
  for (size_t i = buffer.sides.size(); i-- > 0 && buffer.sides.size() - i <= 8;) {
    const RecordedSide& known = buffer.sides[i];
    if (known.write == write && known.side.resource == side.resource &&
        known.side.pointer == side.pointer && known.side.region == side.region) {
      return;
    }
  }
  buffer.sides.push_back(std::move(recorded));
}

Transfer Replayed(const RecordedSide& recorded) {
  Transfer transfer;
  transfer.kind = recorded.write ? TransferKind::kFill : TransferKind::kRead;
  (recorded.write ? transfer.destination : transfer.source) = recorded.side;
  return transfer;
}

Launch Replayed(const RecordedLaunch& recorded, LaunchArguments* arguments) {
  for (size_t i = 0; i < recorded.arguments.size(); ++i) {
    Resource* resource = recorded.resources[i].get();
    if (resource == nullptr) continue;
    LaunchArgument argument = recorded.arguments[i];
    argument.resource = resource;
    if (!resource->live()) {
      // Only the command buffer still retains it. Its parent's bytes may have been written.
      argument.resource = resource->root;
      argument.indirect = true;
    }
    if (argument.resource->live()) arguments->push_back(argument);
  }
  Launch launch;
  launch.arguments = *arguments;
  launch.may_offset = recorded.may_offset;
  launch.writable_arguments = recorded.writable_arguments;
  return launch;
}

void ExplainState(ClCall& call, const Target& target) {
  if (target.buffer != nullptr && target.buffer->finalized) {
    call.FailureReason(
        "command_buffer is finalized; nothing more can be recorded (cl_khr_command_buffer, "
        "life cycle)");
  }
}

}  // namespace gpusan::opencl
#endif
