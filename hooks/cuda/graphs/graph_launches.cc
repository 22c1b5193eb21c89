// Handlers: launches of executable graphs.
#include "hooks/cuda/graphs/graph_launches.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "hooks/cuda/graphs/graph_host_functions.h"
#include "hooks/cuda/memory/memory.h"
#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/external_waits.h"
#include "tracker/base/sampled.h"
#include "tracker/objects/command_log.h"
#include "tracker/order/waiting_kernels.h"

namespace gpusan::cuda {
namespace {

// Reports a copy node whose host block the program has freed.
void CheckHostBlock(CuCall& call, const Access& access) {
  const HostMemory& memory = call.tracker().host_side().memory();
  const uintptr_t address = access.region.offset;
  HostBlock block;
  if (!memory.MayHaveReleased(address) ||
      memory.FindSpan(address, access.region.end() - address, &block)) [[likely]]
    return;
  Side side;
  side.region = access.region;
  call.tracker().pointers().CheckReleasedBlock(
      call, side, access.write ? "the destination of a copy node" : "the source of a copy node");
}

}  // namespace

void GraphLaunchCommand::Begin(CuCall& call, CUgraphExec handle, Stream* stream) {
  exec_ = UseExec(call, handle);
  CheckUpdateOf(call, handle);
  if (stream == nullptr || exec_ == nullptr || IsCaptured(stream)) {
    unseen_ = exec_ == nullptr;
    if (unseen_) NoteHostFunction();  // the graph may contain one
    unwatched_ = std::exchange(exec_, nullptr);
    command_.Begin(call, stream);
    return;
  }
  Tracker& tracker = call.tracker();
  std::lock_guard lock(exec_->lock);
  GraphPlan& plan = exec_->plan;
  plan.LookAtKernels(call);
  GraphPlan::Summary& summary = plan.summary();
  // After the previous launch of the same executable graph, and after everything its nodes wait
  // for.
  exec_->last.With(
      [&](const Snapshot& point) { tracker.ordering().OrderBehind(*stream->queue, point); });
  for (uint32_t index : summary.waits) {
    const RecordedEvent* event = plan.node(index).waits_for.get();
    if (event == nullptr) continue;
    event->record.With(
        [&](const Snapshot& point) { tracker.ordering().OrderBehind(*stream->queue, point); });
  }
  if (summary.waits_unseen) [[unlikely]]
    WaitUnseen(call, stream);
  const bool runs_on_host = !summary.host_functions.empty();
  if (runs_on_host || !summary.records.empty()) BeginParts(call, stream, summary);
  command_.Launches({nullptr, exec_, plan.version()});
  command_.Begin(call, stream);
  for (PlanAccess& planned : summary.accesses) {
    Command& command = planned.part == 0 ? command_.command() : parts_[planned.part - 1];
    if (planned.resource.object == nullptr) {
      CheckHostBlock(call, planned.access);
      tracker.accesses().RecordHost(call, command, planned.access);
      continue;
    }
    Resource* resource = plan.Resolve(call, &planned);
    if (resource == nullptr) continue;
    // For memory that others access unseen only the lifetime is checked.
    if (planned.access.sureness != Sureness::kHeld &&
        (resource->has(kHostVisible) || resource->has(kImported)))
      continue;
    tracker.accesses().Record(call, command, resource, planned.access);
  }
  plan.CheckLifetimes(call);
  plan.Check(call);
  if (!summary.memory.empty()) FreeMemory(call);
  if (runs_on_host) AwaitHostFunctions(call, summary);
}

// The order between nodes is checked by graph_plan.h. Here each part follows the previous one.
void GraphLaunchCommand::BeginParts(CuCall& call, Stream* stream,
                                    const GraphPlan::Summary& summary) {
  Tracker& tracker = call.tracker();
  if (StreamGroup* group = stream->queue->group; group != nullptr) group->Join(*stream->queue);
  tracker.ordering().Snap(*stream->queue, &start_);
  if (summary.parts == 0) return;
  Snapshot reached = start_, parts;
  parts_.resize(summary.parts);
  for (size_t i = 0; i < parts_.size(); ++i) {
    Queue* branch = BranchOf(call, stream, i);
    tracker.ordering().OrderBehind(*branch, reached);
    tracker.ordering().Begin(call, parts_[i], branch, {});
    reached.clock.Join(parts_[i].epoch);
    parts.clock.Join(parts_[i].epoch);
  }
  if (tracker.ordering().command_log() != nullptr) [[unlikely]]
    LogParts(call, stream, summary);
  tracker.ordering().OrderBehind(*stream->queue, parts);
}

// Logs the parts with the graph's own order: some may run concurrently.
void GraphLaunchCommand::LogParts(CuCall& call, const Stream* stream,
                                  const GraphPlan::Summary& summary) {
  static constexpr CallInfo kNames[] = {
      {"cuGraphLaunch, part 1", Api::kCuda}, {"cuGraphLaunch, part 2", Api::kCuda},
      {"cuGraphLaunch, part 3", Api::kCuda}, {"cuGraphLaunch, part 4", Api::kCuda},
      {"cuGraphLaunch, part 5", Api::kCuda}, {"cuGraphLaunch, part 6", Api::kCuda},
      {"cuGraphLaunch, part 7", Api::kCuda}, {"cuGraphLaunch, part 8", Api::kCuda}};
  static_assert(std::size(kNames) == Stream::kMaxBranches);
  auto is_part = [&](Epoch epoch) {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Command& part) {
      return part.epoch.timeline() == epoch.timeline();
    });
  };
  for (size_t i = 0; i < parts_.size(); ++i) {
    Clock behind;
    for (size_t other = 0; other < parts_.size(); ++other) {
      if ((summary.behind[i] >> other & 1) != 0) behind.Join(parts_[other].epoch);
    }
    if (summary.behind[i] == 0) {
      // The launch of an earlier part is complete, or something after it is.
      for (Epoch epoch : start_.clock.epochs()) {
        if (!is_part(epoch)) behind.Join(epoch);
      }
    }
    call.tracker().ordering().command_log()->Part(*stream->queue, parts_[i].epoch, kNames[i],
                                                  parts_[i].site, behind);
  }
}

void GraphLaunchCommand::AwaitHostFunctions(CuCall& call, const GraphPlan::Summary& summary) {
  for (const GraphPlan::Summary::HostFunction& host : summary.host_functions) {
    AwaitedRun run{exec_, command_.command().epoch, host.runs, start_};
    for (size_t i = 0; i < parts_.size(); ++i) {
      if ((host.parts >> i & 1) != 0) run.before.clock.Join(parts_[i].epoch);
    }
    if (host.function != nullptr) {
      host.function->Await(std::move(run));
    } else {
      // gpusan will not see when the function runs or which thread it signals.
      call.tracker().ordering().WaitSnapshot(run.before);
    }
  }
}

// A node frees memory of other graphs or of cuMemAllocAsync.
void GraphLaunchCommand::FreeMemory(CuCall& call) {
  for (uint32_t index : exec_->plan.summary().memory) {
    const PlanNode& node = exec_->plan.node(index);
    if (node.frees == 0) continue;
    uint64_t offset = 0;
    Resource* resource = call.tracker().objects().FindAddress(node.frees, &offset);
    if (resource == nullptr || offset != 0) continue;
    call.tracker().objects().Release(call, resource, true);
    freed_.push_back(resource);
  }
}

void GraphLaunchCommand::CommitMemory(CuCall& call) {
  for (uint32_t index : exec_->plan.summary().memory) {
    const PlanNode& node = exec_->plan.node(index);
    if (node.allocates == 0) continue;
    uint64_t offset = 0;
    const Resource* known = call.tracker().objects().FindAddress(node.allocates, &offset);
    // The call that captured the allocation has adopted the memory.
    if (known != nullptr && !known->adopted) continue;
    Resource* resource = NewLinear(call, ObjectKind::kDeviceMemory, node.allocates, node.bytes,
                                   kStreamOrdered | kOutlivesContext);
    if (resource == nullptr) continue;
    if (node.origin.call != nullptr) {
      StoreSampled(resource->created, node.origin.site);
      StoreSampled(resource->creator, node.origin.call);
    }
    // Other streams have to be ordered after the launch, which contains the allocation.
    call.tracker().accesses().RecordLifetime(call, command_.command(), resource,
                                             AccessRole::kAllocation);
    // The bytes that the graph's own nodes wrote are not tracked separately.
    call.tracker().accesses().MarkWritten(resource, Region::Linear(0, node.bytes));
  }
}

void GraphLaunchCommand::End(CuCall& call, CUresult code) {
  command_.End(call, code);
  Stream* stream = command_.stream();
  Tracker& tracker = call.tracker();
  if (unseen_ && code == CUDA_SUCCESS) tracker.objects().NoteUnseenWrites();
  if (unwatched_ != nullptr && code == CUDA_SUCCESS) {
    std::lock_guard lock(unwatched_->lock);
    unwatched_->plan.RunUnseen();
  }
  if (exec_ == nullptr) return;
  std::lock_guard lock(exec_->lock);
  GraphPlan::Summary& summary = exec_->plan.summary();
  if (code != CUDA_SUCCESS) {
    for (Resource* resource : freed_) tracker.objects().UndoRelease(resource);
    for (Command& part : parts_) tracker.accesses().Rollback(part);
    for (const GraphPlan::Summary::HostFunction& host : summary.host_functions) {
      if (host.function != nullptr) host.function->Cancel(command_.command().epoch);
    }
    return;
  }
  for (const PlanAccess& planned : summary.accesses) {
    if (!planned.access.write) continue;
    Resource* resource = planned.resource.get();
    if (resource == nullptr || !resource->live()) continue;
    const bool exact = planned.access.sureness == Sureness::kCertain;
    if (planned.bounded && !exact) {
      tracker.accesses().MarkWrittenByKernel(
          resource->root,
          Region::Linear(planned.written.begin, planned.written.end - planned.written.begin));
      continue;
    }
    tracker.accesses().MarkWritten(
        resource, exact ? planned.access.region : Region::Linear(0, resource->root->bytes));
  }
  for (const MemoryOperation& value : summary.values) MarkValueWritten(tracker, value);
  if (!summary.memory.empty()) CommitMemory(call);
  if (summary.writes_unseen) tracker.objects().NoteUnseenWrites();
  exec_->last.RecordWith([&](Snapshot* point) { tracker.ordering().Snap(*stream->queue, point); });
  for (const GraphPlan::Summary::Record& record : summary.records) {
    RecordedEvent* event = exec_->plan.node(record.node).records.get();
    if (event == nullptr) continue;
    Snapshot point = start_;
    for (size_t part = 0; part < parts_.size(); ++part) {
      if ((record.parts >> part & 1) != 0) point.clock.Join(parts_[part].epoch);
    }
    event->record.Record(point);
    event->native.store(nullptr, std::memory_order_relaxed);
  }
  if (summary.signals_unseen) SignalUnseen(call, stream);
}

}  // namespace gpusan::cuda
