// The order among the commands of one command buffer (cl_khr_command_buffer).
#include "hooks/opencl/commands/command_buffer_order.h"

#include <utility>

#include "tracker/order/node_order.h"
#include "tracker/rules/rules.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

void CommandBufferOrder::Add(ClCall& call, const CommandDependencies& dependencies,
                             std::vector<RecordedAccess> accesses) {
  if (unknown_ || nodes_.size() >= kMaxCommands) return;
  if (dependencies.queue == nullptr) {
    unknown_ = true;
    return;
  }
  const auto index = static_cast<uint32_t>(nodes_.size());
  Node node;
  if (last_barrier_ != 0) node.before.push_back(last_barrier_ - 1);
  for (cl_sync_point_khr point : dependencies.waits) {
    const auto found = points_.find(point);
    if (found == points_.end()) {
      unknown_ = true;
      return;
    }
    node.before.push_back(found->second);
  }
  if (dependencies.barrier) {
    if (dependencies.waits.empty()) {
      for (uint32_t i = last_barrier_; i < index; ++i) node.before.push_back(i);
    }
    last_barrier_ = index + 1;
  }
  if (dependencies.queue->in_order) {
    const auto [last, first] = last_of_queue_.try_emplace(dependencies.queue, index);
    if (!first) node.before.push_back(std::exchange(last->second, index));
  }
  nodes_.push_back(std::move(node));
  if (dependencies.point != nullptr) points_[*dependencies.point] = index;
  for (RecordedAccess& access : accesses) {
    access.command = index;
    access.access.call = &call.info();
    access.access.site = call.site();
    accesses_.push_back(std::move(access));
  }
}

void CommandBufferOrder::ForgetAccesses() { accesses_.clear(); }

void CommandBufferOrder::Check(ClCall& call) {
  if (checked_ || unknown_) return;
  checked_ = true;
  const NodeOrder order(nodes_);
  if (!order.known() || order.total()) return;
  absl::btree_map<const Resource*, std::vector<const RecordedAccess*>> by_root;
  for (const RecordedAccess& access : accesses_) {
    const Resource* root = access.root.get();
    if (access.root.object != nullptr && (root == nullptr || !root->live())) continue;
    by_root[root].push_back(&access);
  }
  constexpr size_t kMaxCompared = 512;
  for (auto& [root, accesses] : by_root) {
    if (accesses.size() > kMaxCompared) accesses.resize(kMaxCompared);
    const size_t found = call.finding_count();  // one finding for each memory object is enough
    for (size_t i = 0; i < accesses.size() && call.finding_count() == found; ++i) {
      for (size_t j = i + 1; j < accesses.size() && call.finding_count() == found; ++j) {
        const RecordedAccess &first = *accesses[i], &second = *accesses[j];
        if (!first.access.write && !second.access.write) continue;
        if (order.Ordered(first.command, second.command) || first.command == second.command)
          continue;
        if (!Overlaps(first.access.region, second.access.region)) continue;
        rules::OnConflict({root, &first.access, &second.access, true}, call);
      }
    }
  }
}

}  // namespace gpusan::opencl
#endif
