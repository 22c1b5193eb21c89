// Replay: commands, events and waits, as OpenCL and CUDA streams have them.
#include "tests/replay/player.h"

namespace gpusan::replay {

std::vector<Event*> Player::Waits(const Operation& operation) {
  std::vector<Event*> waits;
  for (const std::string& name : operation.all("wait")) {
    waits.push_back(static_cast<Event*>(Get(objects_, operation, name)));
  }
  return waits;
}

void Player::Enqueue(const Operation& operation, Call& call, Command& command, bool after_all,
                     bool barrier) {
  Queue* queue = GetQueue(operation);
  if (group_ != nullptr) group_->Join(*queue);
  fixture_.tracker.ordering().Begin(call, command, queue, Waits(operation), after_all, barrier);
  if (group_ != nullptr) group_->Began(*queue);
}

void Player::Finished(const Operation& operation, Call& call, Command& command) {
  if (operation.has("blocking")) fixture_.tracker.ordering().CommitBlocking(command);
  const std::string event = operation.one("->");
  if (!event.empty())
    objects_[event] =
        fixture_.tracker.objects().NewEvent(call, next_handle_ += 8, nullptr, command);
}

// write Q BUFFER OFFSET BYTES [from HOST], read ... [to HOST], copy Q FROM OFFSET TO OFFSET BYTES,
// fill Q BUFFER OFFSET BYTES, map Q BUFFER OFFSET BYTES read|write as NAME; all: [wait EVENT...]
// [-> EVENT] [blocking]
void Player::Transfer(const Operation& operation) {
  const std::string& kind = operation.words[0];
  gpusan::Transfer transfer;
  transfer.blocking = operation.has("blocking");
  auto device = [&](Side& side, size_t at, uint64_t bytes) {
    side.resource = GetBuffer(operation, operation.word(at));
    side.region = Region::Linear(operation.number(at + 1), bytes);
  };
  auto host = [&](Side& side, const std::string& name, uint64_t bytes) {
    side.region = Region::Linear(0, bytes);
    // Without a name: memory of its own that nothing is known of.
    side.pointer = reinterpret_cast<const void*>(
        name.empty() ? next_host_ += 1 << 24 : Get(host_blocks_, operation, name).block.begin);
  };
  const uint64_t bytes = operation.number(kind == "copy" ? 6 : 4);
  if (kind == "copy") {
    transfer.kind = TransferKind::kCopy;
    device(transfer.source, 2, bytes);
    device(transfer.destination, 4, bytes);
  } else if (kind == "read") {
    transfer.kind = TransferKind::kRead;
    device(transfer.source, 2, bytes);
    host(transfer.destination, operation.one("to"), bytes);
  } else if (kind == "map") {
    transfer.kind = TransferKind::kMap;
    device(transfer.source, 2, bytes);
    transfer.map_write = operation.has("write");
    transfer.map_read = operation.has("read");
  } else {
    transfer.kind = kind == "fill" ? TransferKind::kFill : TransferKind::kWrite;
    device(transfer.destination, 2, bytes);
    if (kind == "write") host(transfer.source, operation.one("from"), bytes);
  }
  InCall(operation, [&](Call& call) {
    Tracker& tracker = fixture_.tracker;
    Command command;
    Enqueue(operation, call, command);
    tracker.accesses().CheckTransfer(call, transfer);
    tracker.accesses().RecordTransfer(call, command, transfer);
    tracker.accesses().CommitTransfer(transfer);
    if (kind == "map") {
      const void* pointer = reinterpret_cast<const void*>(next_host_ += 1 << 24);
      tracker.accesses().AddMapping(call, command, transfer, pointer, 0);
      mappings_[operation.one("as")] = {transfer.source.resource, pointer};
    }
    Finished(operation, call, command);
  });
}

// unmap Q MAPPING
void Player::Unmap(const Operation& operation) {
  const Mapped mapped = Get(mappings_, operation, operation.word(2));
  InCall(operation, [&](Call& call) {
    Mapping mapping;
    if (!fixture_.tracker.accesses().RemoveMapping(call, mapped.resource, mapped.pointer, &mapping))
      return;
    gpusan::Transfer transfer;
    transfer.kind = TransferKind::kUnmap;
    transfer.source.resource = mapped.resource;
    transfer.source.region = mapping.region;
    transfer.source.region.offset -= mapped.resource->root_offset;
    transfer.map_write = mapping.write;
    Command command;
    Enqueue(operation, call, command);
    fixture_.tracker.accesses().RecordTransfer(call, command, transfer);
    Finished(operation, call, command);
  });
}

// kernel Q [read BUFFER...] [write BUFFER...] [maybe BUFFER...]; maybe: nothing is known of the
// direction
void Player::Kernel(const Operation& operation) {
  std::vector<LaunchArgument> arguments;
  gpusan::Kernel* kernel = nullptr;
  gpusan::Launch launch;
  auto add = [&](const char* option, Direction direction) {
    for (const std::string& name : operation.all(option)) {
      LaunchArgument argument;
      argument.index = static_cast<uint32_t>(arguments.size());
      argument.resource = GetBuffer(operation, name);
      argument.direction = direction;
      arguments.push_back(argument);
      if (direction != Direction::kRead) ++launch.writable_arguments;
    }
  };
  add("read", Direction::kRead);
  add("write", Direction::kWrite);
  add("maybe", Direction::kUnknown);
  InCall(operation, [&](Call& call) {
    Tracker& tracker = fixture_.tracker;
    if (objects_.count("(kernel)") == 0) {
      objects_["(kernel)"] =
          tracker.objects().NewKernel(call, next_handle_ += 8, nullptr, nullptr, "kernel");
    }
    kernel = static_cast<gpusan::Kernel*>(objects_["(kernel)"]);
    kernel->MarkAdopted();
    launch.kernel = kernel;
    launch.arguments = arguments;
    Command command;
    Enqueue(operation, call, command);
    tracker.accesses().CheckLaunch(call, launch);
    tracker.accesses().RecordLaunch(call, command, launch);
    tracker.accesses().CommitLaunch(launch);
    Finished(operation, call, command);
  });
}

// marker Q, barrier Q: behind the wait list, or behind everything before
void Player::Marker(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    Command command;
    Enqueue(operation, call, command, !operation.has("wait"), operation.words[0] == "barrier");
    Finished(operation, call, command);
  });
}

// wait EVENT: the host does
void Player::Wait(const Operation& operation) {
  fixture_.tracker.ordering().WaitEvent(
      *static_cast<Event*>(Get(objects_, operation, operation.word(1))));
}

// finish Q, stream-sync S
void Player::Finish(const Operation& operation) {
  Queue* queue = GetQueue(operation);
  if (group_ != nullptr) {
    group_->Wait(*queue);
  } else {
    fixture_.tracker.ordering().WaitQueue(*queue);
  }
}

// signal USER-EVENT STATUS
void Player::Signal(const Operation& operation) {
  Event* event = static_cast<Event*>(Get(objects_, operation, operation.word(1)));
  const int32_t status = static_cast<int32_t>(std::stoi(operation.word(2)));
  InCall(operation,
         [&](Call& call) { fixture_.tracker.ordering().SignalUserEvent(call, *event, status); });
}

// event-record EVENT S
void Player::RecordEvent(const Operation& operation) {
  Queue* queue = GetQueue(operation, 2);
  if (group_ != nullptr) group_->Join(*queue);
  records_[operation.word(1)].Record(fixture_.tracker.ordering().Snap(*queue));
}

// stream-wait S EVENT
void Player::WaitRecord(const Operation& operation) {
  Queue* queue = GetQueue(operation);
  Snapshot point;
  if (!records_[operation.word(2)].Get(&point)) return;
  fixture_.tracker.ordering().OrderBehind(*queue, point);
  if (group_ != nullptr) group_->Began(*queue);
}

// event-sync EVENT
void Player::SyncRecord(const Operation& operation) {
  Snapshot point;
  if (records_[operation.word(1)].Get(&point)) fixture_.tracker.ordering().WaitSnapshot(point);
}

// host-function S FUNCTION
void Player::EnqueueHostFunction(const Operation& operation) {
  Queue* queue = GetQueue(operation);
  if (group_ != nullptr) group_->Join(*queue);
  InCall(operation, [&](Call& call) {
    functions_[operation.word(2)].Enqueue(fixture_.tracker.ordering(), call, *queue);
    if (group_ != nullptr) group_->Began(*queue);
  });
}

// run FUNCTION: the driver calls it
void Player::RunHostFunction(const Operation& operation) {
  Get(functions_, operation, operation.word(1)).Start(fixture_.tracker.ordering());
}

// context-sync
void Player::SyncAll(const Operation&) {
  for (Queue* queue : queues_) fixture_.tracker.ordering().WaitQueue(*queue);
}

}  // namespace gpusan::replay
