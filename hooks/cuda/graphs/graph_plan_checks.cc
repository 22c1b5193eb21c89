// Checks of an executable graph at its launch (graph_plan.h).
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hooks/cuda/call/flaws.h"
#include "hooks/cuda/graphs/graph_plan.h"
#include "hooks/cuda/kernels/modules.h"
#include "hooks/cuda/memory/pointers.h"
#include "tracker/rules/events/freed_in_graph.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

constexpr CallInfo kUnseenNode = {"a node of the graph", Api::kCuda};
constexpr uint32_t kNoNode = UINT32_MAX;

}  // namespace

NodeOrigin OriginOrNone(const PlanNode& node) {
  NodeOrigin origin = node.origin;
  if (origin.call == nullptr) origin.call = &kUnseenNode;
  return origin;
}

Resource* GraphPlan::Resolve(CuCall& call, PlanAccess* access) {
  Resource* resource = access->resource.get();
  if (resource != nullptr && resource->live()) [[likely]]
    return resource;
  if (access->reported) return nullptr;
  // The address was that of a block when the node was added, not the end of the block before it.
  const bool was_block = resource != nullptr && resource->is_block();
  if (access->address != 0) {
    uint64_t offset = 0;
    resource = access->needed ? FindPointer(call, access->address, &offset)
                              : call.tracker().objects().FindAddress(access->address, &offset);
    const bool kernel = access->kernel != nullptr;
    const uint64_t bytes = kernel ? 0 : access->access.region.end() - access->access.region.offset;
    if (resource != nullptr && access->needed && IsFreedBlock(call, *resource, access->address))
      resource = nullptr;
    if (resource != nullptr && SaturatingAdd(offset, bytes) <= resource->bytes) {
      access->resource = WeakRef<Resource>(resource);
      access->access.region.offset = resource->root_offset + offset;
      access->bounded = false;
      // The extent of a kernel's accesses stays unknown.
      if (kernel)
        access->access.region =
            Region::Linear(resource->root_offset + offset, resource->bytes - offset);
      return resource;
    }
    // The end of a live allocation is an address, too.
    if (kernel && !was_block &&
        call.tracker().objects().FindAddress(access->address - 1, &offset) != nullptr)
      return nullptr;
  }
  access->reported = true;
  if (!access->needed) return nullptr;
  PlanNode& node = nodes_[access->node];
  const NodeOrigin origin = OriginOrNone(node);
  const size_t found = call.finding_count();
  StaleUse use;
  use.address = access->address;
  use.call = origin.call;
  use.site = origin.site;
  use.kernel = access->kernel;
  use.argument = access->argument;
  use.object = call.tracker().objects().FindReleased(use.address);
  rules::OnStaleUse(use, call);
  if (node.flaw.empty()) node.flaw = FlawsOf(call, found);
  return nullptr;
}

void GraphPlan::ReportStale(CuCall& call, PlanNode* node, const Object* object, uintptr_t address) {
  const NodeOrigin origin = OriginOrNone(*node);
  StaleUse use;
  use.address = address;
  use.call = origin.call;
  use.site = origin.site;
  use.object = object;
  rules::OnStaleUse(use, call);
  node->stale = true;
}

void GraphPlan::CheckLifetimes(CuCall& call) {
  if (const uint32_t unloads = ModuleUnloads(); unloads != unloads_) [[unlikely]] {
    unloads_ = unloads;
    for (PlanNode& node : nodes_) {
      const Kernel* kernel = node.enabled && !node.stale ? node.kernel.unloaded() : nullptr;
      if (kernel != nullptr) ReportStale(call, &node, kernel, kernel->handle);
    }
  }
  if (summary_.values.empty()) [[likely]]
    return;
  // The memory of the graph itself exists from the node on that allocates it.
  for (PlanNode& node : nodes_) {
    for (const MemoryOperation& value : node.values) {
      uint64_t offset = 0;
      const uintptr_t address = HandleOf(value.address);
      if (!node.enabled || node.stale ||
          call.tracker().objects().FindAddress(address, &offset) != nullptr || IsOwn(address))
        continue;
      const Object* freed = call.tracker().objects().FindReleased(address);
      if (freed != nullptr && FindPointer(call, address, &offset) == nullptr)
        ReportStale(call, &node, freed, address);
    }
  }
}

// Checks only memory that no node writes, so that the order of the nodes does not matter.
void GraphPlan::CheckContent(CuCall& call) {
  if (summary_.writes_unseen) return;
  std::set<const Resource*> written;
  for (const PlanAccess& planned : summary_.accesses) {
    if (const Resource* resource = planned.resource.get(); resource && planned.access.write)
      written.insert(resource->root);
  }
  for (const MemoryOperation& value : summary_.values) {
    uint64_t offset = 0;
    if (const Resource* resource =
            call.tracker().objects().FindAddress(HandleOf(value.address), &offset))
      written.insert(resource->root);
  }
  for (const PlanAccess& planned : summary_.accesses) {
    Resource* resource = planned.resource.get();
    if (resource == nullptr || !resource->live() || resource->image != nullptr ||
        planned.access.sureness != Sureness::kCertain || written.count(resource->root) != 0)
      continue;
    // The content goes to the host, or is only copied.
    static const char host = 0;
    bool to_host = false;
    for (const PlanAccess& other : nodes_[planned.node].accesses) {
      to_host |= other.access.write &&
                 (other.resource.object == nullptr || other.resource.object->host_addressable());
    }
    Transfer read;
    read.kind = to_host ? TransferKind::kRead : TransferKind::kCopy;
    read.source.resource = resource;
    read.source.region = planned.access.region;
    read.source.region.offset -= resource->root_offset;
    if (to_host) {
      read.destination.pointer = &host;  // of no bytes
    } else {
      read.destination.resource = resource;
    }
    call.tracker().accesses().CheckTransfer(call, read);
  }
  CheckKernelContent(call, written);
}

// As for a single launch, except for memory that other nodes may have written before.
void GraphPlan::CheckKernelContent(CuCall& call, const std::set<const Resource*>& written) {
  for (PlanNode& node : nodes_) {
    if (node.content_checked || !node.enabled) continue;
    node.content_checked = true;
    LaunchArguments arguments;
    QuietCall quiet(call);
    node.kernel.Collect(quiet, OriginOrNone(node), {}, &arguments);
    Launch launch = arguments.launch();
    std::vector<LaunchArgument> unwritten;
    for (const LaunchArgument& argument : launch.arguments) {
      // A write has no content to check, but may be denied.
      const bool denied =
          argument.direction == Direction::kWrite && argument.resource->has(kKernelReadOnly);
      if (denied || written.count(argument.resource->root) == 0) unwritten.push_back(argument);
    }
    launch.arguments = unwritten;
    if (!unwritten.empty()) call.tracker().accesses().CheckLaunch(call, launch);
  }
}

void GraphPlan::CheckProtection(CuCall& call) {
  for (const PlanAccess& planned : summary_.accesses) {
    Resource* resource = planned.resource.get();
    if (resource == nullptr || !resource->live() || !resource->has(kHostReadOnly) ||
        !planned.access.write || planned.access.sureness != Sureness::kCertain)
      continue;
    Transfer written;
    written.kind = TransferKind::kFill;
    written.destination.resource = resource;
    written.destination.region = planned.access.region;
    written.destination.region.offset -= resource->root_offset;
    call.tracker().accesses().CheckTransfer(call, written);
  }
}

void GraphPlan::Check(CuCall& call) {
  if (checked_) return;
  checked_ = true;
  CheckProtection(call);
  CheckContent(call);
  if (order_.has_value()) CheckOwnMemory(call);
  if (order_.has_value() && !order_->total()) CheckOrder(call);
}

void GraphPlan::CheckOwnMemory(CuCall& call) {
  struct Allocation {
    uintptr_t begin = 0, end = 0;
    uint32_t node = 0;
    uint32_t free = kNoNode;  // the node that frees it
    bool reused = false;      // another node allocates some of the addresses
    uint32_t user = kNoNode;  // the first node that uses it and that need not precede the free
    bool writes = false;      // of `user`
  };
  std::vector<Allocation> allocations;  // by begin
  std::map<uintptr_t, uint32_t> frees;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const PlanNode& node = nodes_[i];
    if (node.allocates != 0)
      allocations.push_back({node.allocates, node.allocates + node.bytes, i});
    if (node.frees != 0 && node.enabled) frees[node.frees] = i;
  }
  if (allocations.empty() || frees.empty()) return;
  std::sort(allocations.begin(), allocations.end(), [](const Allocation& a, const Allocation& b) {
    return std::pair(a.begin, a.node) < std::pair(b.begin, b.node);
  });
  uintptr_t last_end = 0;
  for (size_t i = 0; i < allocations.size(); ++i) {
    Allocation& one = allocations[i];
    one.reused =
        last_end > one.begin || (i + 1 < allocations.size() && allocations[i + 1].begin < one.end);
    last_end = std::max(last_end, one.end);
    const auto free = frees.find(one.begin);
    if (free != frees.end() && nodes_[one.node].enabled) one.free = free->second;
  }
  const auto use = [&](uint32_t node, uintptr_t address, bool write) {
    const auto next =
        std::upper_bound(allocations.begin(), allocations.end(), address,
                         [](uintptr_t value, const Allocation& one) { return value < one.begin; });
    if (next == allocations.begin()) return;
    Allocation& used = *std::prev(next);
    if (address >= used.end || used.reused || used.free == kNoNode || used.user != kNoNode ||
        order_->Before(node, used.free))
      return;
    used.user = node;
    used.writes = write;
  };
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].enabled) continue;
    for (const OwnUse& own : nodes_[i].own) use(i, own.address, own.write);
    for (const PlanAccess& access : nodes_[i].accesses) {
      // Memory that the driver knows already. Without a resource the region has absolute addresses.
      if (access.kernel != nullptr || (access.address == 0 && access.resource.object != nullptr))
        continue;
      use(i, access.address != 0 ? access.address : access.access.region.offset,
          access.access.write);
    }
  }
  std::sort(allocations.begin(), allocations.end(),
            [](const Allocation& a, const Allocation& b) { return a.node < b.node; });
  for (const Allocation& one : allocations) {
    if (one.user == kNoNode) continue;
    const NodeOrigin user = OriginOrNone(nodes_[one.user]);
    const NodeOrigin freer = OriginOrNone(nodes_[one.free]);
    rules::OnFreedInGraph({one.begin, one.end - one.begin, user.call, freer.call, user.site,
                           freer.site, one.writes, order_->Before(one.free, one.user)},
                          call);
  }
}

void GraphPlan::CheckOrder(CuCall& call) {
  std::map<const Resource*, std::vector<const PlanAccess*>> by_resource;
  for (const PlanNode& node : nodes_) {
    if (!node.enabled) continue;
    for (const PlanAccess& access : node.accesses) {
      if (access.access.sureness == Sureness::kHeld) continue;
      const Resource* resource = access.resource.get();
      if (resource != nullptr &&
          (!resource->live() || resource->has(kHostVisible) || resource->has(kImported)))
        continue;
      if (resource == nullptr && access.resource.object != nullptr) continue;
      by_resource[resource != nullptr ? resource->root : nullptr].push_back(&access);
    }
  }
  constexpr size_t kMaxCompared = 512;
  for (auto& [root, accesses] : by_resource) {
    if (accesses.size() > kMaxCompared) accesses.resize(kMaxCompared);
    const size_t found = call.finding_count();  // one finding for each resource is enough
    for (size_t i = 0; i < accesses.size() && call.finding_count() == found; ++i) {
      for (size_t j = i + 1; j < accesses.size() && call.finding_count() == found; ++j) {
        const PlanAccess &first = *accesses[i], &second = *accesses[j];
        if (!first.access.write && !second.access.write) continue;
        if (first.node == second.node || order_->Ordered(first.node, second.node)) continue;
        // A library orders its own work, also by more streams than one.
        const CapturedUses* library = nodes_[first.node].origin.uses.get();
        if (library != nullptr && library == nodes_[second.node].origin.uses.get()) continue;
        if (!Overlaps(first.access.region, second.access.region)) continue;
        Access pair[2] = {first.access, second.access};
        for (int k = 0; k < 2; ++k) {
          const NodeOrigin origin = OriginOrNone(nodes_[k == 0 ? first.node : second.node]);
          pair[k].call = origin.call;
          pair[k].site = origin.site;
        }
        Conflict conflict{first.resource.get(), &pair[0], &pair[1], true};
        conflict.earlier_kernel = first.kernel;
        conflict.later_kernel = second.kernel;
        rules::OnConflict(conflict, call);
      }
    }
  }
}

}  // namespace gpusan::cuda
