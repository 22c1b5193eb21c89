// See the header.
#include "hooks/cuda/graph_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "hooks/cuda/graph_order.h"
#include "hooks/cuda/pointers.h"
#include "hooks/cuda/stream_memory.h"

namespace gpusan::cuda {
namespace {

constexpr CallInfo kUnseenNode = {"a node of the graph", Api::kCuda};
// Different parts of one resource that are kept apart; more become one that is not exact.
constexpr size_t kMaxParts = 6;
// Host memory of so many copies is looked at.
constexpr size_t kMaxHostParts = 256;

bool SamePart(const Access& a, const Access& b) {
  return a.region == b.region && a.write == b.write && a.read == b.read &&
         a.sureness == b.sureness && a.may_offset == b.may_offset;
}

// Everything that both touch, as something whose bytes are not known exactly.
void Widen(Access* access, const Access& other) {
  const uint64_t begin = std::min(access->region.offset, other.region.offset);
  const uint64_t end = std::max(access->region.end(), other.region.end());
  access->region = Region::Linear(begin, end - begin);
  access->sureness = std::max({access->sureness, other.sureness, Sureness::kExtent});
  access->may_offset = true;
  access->write |= other.write;
  access->read |= other.read;
}

}  // namespace

bool SetLinearSides(CuCall& call, const CUDA_MEMCPY3D& copy, Transfer* transfer) {
  bool usable = copy.WidthInBytes != 0 && copy.Height != 0 && copy.Depth != 0;
  const auto side_of = [&](CUmemorytype type, const void* host, CUdeviceptr device, uint64_t x,
                           uint64_t y, uint64_t z, uint64_t pitch, uint64_t height,
                           const char* argument) {
    const uint64_t slice = SaturatingMultiply(pitch, height);
    const uint64_t offset =
        SaturatingAdd(SaturatingAdd(SaturatingMultiply(z, slice), SaturatingMultiply(y, pitch)), x);
    const Region region =
        Region::Strided(offset, copy.WidthInBytes, copy.Height, pitch, copy.Depth, slice);
    if (type == CU_MEMORYTYPE_HOST) return HostSide(call, host, region, argument, &usable);
    if (type == CU_MEMORYTYPE_DEVICE) return DeviceSide(call, device, region, argument, &usable);
    if (type == CU_MEMORYTYPE_UNIFIED) return AnySide(call, device, region, argument, &usable);
    usable = false;
    return Side();
  };
  if (!usable) return false;
  transfer->source = side_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcXInBytes,
                             copy.srcY, copy.srcZ, copy.srcPitch, copy.srcHeight, "src");
  transfer->destination =
      side_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstXInBytes, copy.dstY,
              copy.dstZ, copy.dstPitch, copy.dstHeight, "dst");
  transfer->kind = transfer->destination.is_host() ? TransferKind::kRead
                   : transfer->source.is_host()    ? TransferKind::kWrite
                                                   : TransferKind::kCopy;
  return usable;
}

void GraphPlan::Clear() {
  nodes_.clear();
  order_known_ = true;
  merged_ = judged_ = false;
}

void GraphPlan::Forget() {
  Clear();
  PlanNode& anything = nodes_.emplace_back();
  anything.runs_host_function = anything.waits_unseen = true;
  anything.signals_unseen = anything.writes_unseen = true;
}

void GraphPlan::Read(CuCall& call, CUgraph graph) {
  Clear();
  // What is freed or unknown now may be there when the graph runs: memory of the graph's own, above
  // all.
  QuietCall quiet(call);
  ReadGraph(quiet, graph, -1);
}

PlanNode* GraphPlan::Find(CUgraphNode handle) {
  for (PlanNode& node : nodes_) {
    if (node.handle == handle) return &node;
  }
  return nullptr;
}

void GraphPlan::ReadGraph(CuCall& call, CUgraph graph, int64_t parent) {
  const std::vector<CUgraphNode> handles = NodesOf(graph);
  // A node with a child graph is its begin and its end, with the child's nodes between them.
  std::vector<uint32_t> entries, exits;
  const auto type_of = GPUSAN_CU_REAL(cuGraphNodeGetType);
  const auto child_of = GPUSAN_CU_REAL(cuGraphChildGraphNodeGetGraph);
  for (CUgraphNode handle : handles) {
    const uint32_t entry = static_cast<uint32_t>(nodes_.size());
    PlanNode& node = nodes_.emplace_back();
    node.handle = handle;
    node.origin = OriginOf(handle);
    if (node.origin.call == nullptr && parent >= 0)
      node.origin = nodes_[static_cast<size_t>(parent)].origin;
    if (type_of == nullptr || type_of(handle, &node.type) != CUDA_SUCCESS) {
      node.writes_unseen = true;
    } else {
      ReadNode(call, &node);
    }
    entries.push_back(entry);
    CUgraph child = nullptr;
    if (nodes_[entry].type == CU_GRAPH_NODE_TYPE_GRAPH) {
      if (child_of == nullptr || child_of(handle, &child) != CUDA_SUCCESS) {
        nodes_[entry].writes_unseen = true;
      } else {
        ReadGraph(call, child, entry);
        const uint32_t exit = static_cast<uint32_t>(nodes_.size());
        PlanNode& end = nodes_.emplace_back();
        for (uint32_t inner = entry; inner < exit; ++inner) end.before.push_back(inner);
      }
    }
    exits.push_back(static_cast<uint32_t>(nodes_.size()) - 1);
  }
  ReadEdges(graph, handles, entries, exits);
  if (parent < 0) return;
  for (uint32_t entry : entries) {
    if (nodes_[entry].before.empty()) nodes_[entry].before.push_back(static_cast<uint32_t>(parent));
  }
}

void GraphPlan::ReadEdges(CUgraph graph, const std::vector<CUgraphNode>& handles,
                          const std::vector<uint32_t>& entries,
                          const std::vector<uint32_t>& exits) {
  if (handles.size() < 2) return;
  using Older = CUresult (*)(CUgraph, CUgraphNode*, CUgraphNode*, size_t*);
  const auto ask =
      reinterpret_cast<decltype(&::cuGraphGetEdges)>(RealFunction(kSlot_cuGraphGetEdges_v2));
  const auto older = reinterpret_cast<Older>(RealFunction(kSlot_cuGraphGetEdges));
  std::vector<CUgraphNode> from, to;
  std::vector<CUgraphEdgeData> data;
  size_t count = 0;
  CUresult code = CUDA_ERROR_NOT_FOUND;
  if (ask != nullptr) {
    code = ask(graph, nullptr, nullptr, nullptr, &count);
  } else if (older != nullptr) {
    code = older(graph, nullptr, nullptr, &count);
  }
  if (code == CUDA_SUCCESS && count != 0) {
    from.resize(count), to.resize(count), data.resize(count);
    code = ask != nullptr ? ask(graph, from.data(), to.data(), data.data(), &count)
                          : older(graph, from.data(), to.data(), &count);
  }
  if (code != CUDA_SUCCESS) {
    order_known_ = false;
    return;
  }
  std::unordered_map<CUgraphNode, size_t> index;
  for (size_t i = 0; i < handles.size(); ++i) index[handles[i]] = i;
  for (size_t i = 0; i < std::min(count, from.size()); ++i) {
    auto source = index.find(from[i]), target = index.find(to[i]);
    if (source == index.end() || target == index.end()) continue;
    nodes_[entries[target->second]].before.push_back(exits[source->second]);
  }
}

void GraphPlan::ReadNode(CuCall& call, PlanNode* node) {
  CUgraphNode handle = node->handle;
  bool known = true;
  switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const auto ask = reinterpret_cast<decltype(&::cuGraphKernelNodeGetParams)>(
          RealFunction(kSlot_cuGraphKernelNodeGetParams_v2));
      CUDA_KERNEL_NODE_PARAMS params{};
      known = ask != nullptr && ask(handle, &params) == CUDA_SUCCESS;
      if (known) SetKernel(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      const auto ask = GPUSAN_CU_REAL(cuGraphMemcpyNodeGetParams);
      CUDA_MEMCPY3D params{};
      known = ask != nullptr && ask(handle, &params) == CUDA_SUCCESS;
      if (known) SetCopy(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const auto ask = GPUSAN_CU_REAL(cuGraphMemsetNodeGetParams);
      CUDA_MEMSET_NODE_PARAMS params{};
      known = ask != nullptr && ask(handle, &params) == CUDA_SUCCESS;
      if (known) SetFill(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_HOST:
      node->runs_host_function = true;
      break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
    case CU_GRAPH_NODE_TYPE_EMPTY:
      break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: {
      const bool record = node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
      const auto ask = record ? GPUSAN_CU_REAL(cuGraphEventRecordNodeGetEvent)
                              : GPUSAN_CU_REAL(cuGraphEventWaitNodeGetEvent);
      CUevent event = nullptr;
      if (ask != nullptr && ask(handle, &event) == CUDA_SUCCESS)
        SetEvent(call, node, event, record);
      break;
    }
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
      node->signals_unseen = true;
      break;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      node->waits_unseen = true;
      break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
      const auto ask = GPUSAN_CU_REAL(cuGraphMemAllocNodeGetParams);
      CUDA_MEM_ALLOC_NODE_PARAMS params{};
      known = ask != nullptr && ask(handle, &params) == CUDA_SUCCESS;
      if (known) {
        node->allocates = params.dptr;
        node->bytes = params.bytesize;
        call.tracker().ForgetReleased(params.dptr, params.bytesize);
      }
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEM_FREE: {
      const auto ask = GPUSAN_CU_REAL(cuGraphMemFreeNodeGetParams);
      CUdeviceptr pointer = 0;
      if (ask != nullptr && ask(handle, &pointer) == CUDA_SUCCESS) node->frees = pointer;
      break;
    }
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      const auto ask = GPUSAN_CU_REAL(cuGraphBatchMemOpNodeGetParams);
      CUDA_BATCH_MEM_OP_NODE_PARAMS params{};
      if (ask != nullptr && ask(handle, &params) == CUDA_SUCCESS) {
        SetOperations(node, params.paramArray, params.count);
      } else {
        node->waits_unseen = node->signals_unseen = true;
      }
      break;
    }
    default:  // a conditional body may do anything
      known = false;
      node->runs_host_function = node->waits_unseen = node->signals_unseen = true;
      break;
  }
  if (!known) node->writes_unseen = true;
}

void GraphPlan::Add(PlanNode* node, const Side& side, bool write) {
  if (side.region.empty()) return;
  PlanAccess added;
  added.node = static_cast<uint32_t>(node - nodes_.data());
  added.access.write = write;
  added.access.read = !write;
  if (side.is_host()) {
    if (side.pointer == nullptr) return;
    added.access.region = side.region.Shifted(reinterpret_cast<uintptr_t>(side.pointer));
  } else {
    Resource* resource = side.resource;
    added.resource = WeakRef<Resource>(resource);
    added.access.region = side.region.Shifted(resource->root_offset);
    if (resource->by_address()) added.address = resource->handle + side.region.offset;
  }
  node->accesses.push_back(added);
}

void GraphPlan::SetCopy(CuCall& call, PlanNode* node, const CUDA_MEMCPY3D& copy) {
  node->accesses.clear();
  Change();
  Transfer transfer;
  QuietCall quiet(call);
  node->writes_unseen = !SetLinearSides(quiet, copy, &transfer);
  if (node->writes_unseen) return;
  Add(node, transfer.source, false);
  Add(node, transfer.destination, true);
}

void GraphPlan::SetFill(CuCall& call, PlanNode* node, const CUDA_MEMSET_NODE_PARAMS& fill) {
  node->accesses.clear();
  Change();
  bool usable = true;
  QuietCall quiet(call);
  const uint64_t row = SaturatingMultiply(fill.width, fill.elementSize);
  const Side side =
      DeviceSide(quiet, fill.dst,
                 Region::Strided(0, row, fill.height, fill.height > 1 ? fill.pitch : row, 1, 0),
                 "dst", &usable);
  if (usable) Add(node, side, true);
}

void GraphPlan::SetKernel(CuCall&, PlanNode* node, const CUDA_KERNEL_NODE_PARAMS&) {
  node->accesses.clear();
  node->writes_unseen = true;
  Change();
}

void GraphPlan::SetOperations(PlanNode* node, const CUstreamBatchMemOpParams* operations,
                              unsigned count) {
  node->waits_unseen = node->signals_unseen = false;
  FindMemoryOperations(operations, count, &node->waits_unseen, &node->signals_unseen);
  Change();
}

void GraphPlan::SetEvent(CuCall& call, PlanNode* node, CUevent event, bool record) {
  Object* object = call.tracker().Find(Api::kCuda, HandleOf(event));
  auto* recorded = object != nullptr && object->kind == ObjectKind::kRecordedEvent
                       ? static_cast<RecordedEvent*>(object)
                       : nullptr;
  (record ? node->records : node->waits_for) = WeakRef<RecordedEvent>(recorded);
  Change();
}

GraphPlan::Summary& GraphPlan::summary() {
  if (!merged_) Merge();
  return summary_;
}

void GraphPlan::Merge() {
  summary_ = Summary();
  merged_ = true;
  judged_ = false;
  std::map<const Resource*, std::vector<PlanAccess>> parts;
  std::vector<uintptr_t> freed;
  for (const PlanNode& node : nodes_) {
    if (node.frees != 0 && node.enabled) freed.push_back(node.frees);
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const PlanNode& node = nodes_[i];
    if (!node.enabled) continue;
    summary_.runs_host_function |= node.runs_host_function;
    summary_.waits_unseen |= node.waits_unseen;
    summary_.signals_unseen |= node.signals_unseen;
    summary_.writes_unseen |= node.writes_unseen;
    if (node.records.object != nullptr || node.waits_for.object != nullptr)
      summary_.events.push_back(i);
    // What is allocated and freed within is nobody else's.
    const bool inner_allocation =
        node.allocates != 0 && std::find(freed.begin(), freed.end(), node.allocates) != freed.end();
    bool inner_free = false;
    if (node.frees != 0) {
      for (const PlanNode& other : nodes_) inner_free |= other.allocates == node.frees;
    }
    if ((node.allocates != 0 && !inner_allocation) || (node.frees != 0 && !inner_free))
      summary_.memory.push_back(i);
    for (const PlanAccess& access : node.accesses) {
      std::vector<PlanAccess>& known = parts[access.resource.object];
      bool placed = false;
      for (PlanAccess& part : known) {
        if (!SamePart(part.access, access.access)) continue;
        placed = true;
        break;
      }
      if (placed || known.size() >= kMaxHostParts) continue;
      if (known.size() >= kMaxParts && access.resource.object != nullptr) {
        const bool first = known.back().access.region.offset <= access.access.region.offset;
        if (!first) known.back().address = access.address;
        Widen(&known.back().access, access.access);
      } else {
        known.push_back(access);
      }
    }
  }
  // In the order of the nodes, so that findings come in that order, too.
  for (auto& [resource, known] : parts) {
    for (PlanAccess& part : known) summary_.accesses.push_back(part);
  }
  std::stable_sort(summary_.accesses.begin(), summary_.accesses.end(),
                   [](const PlanAccess& a, const PlanAccess& b) { return a.node < b.node; });
}

Resource* GraphPlan::Resolve(CuCall& call, PlanAccess* access) {
  Resource* resource = access->resource.get();
  if (resource != nullptr && resource->live()) [[likely]]
    return resource;
  if (access->reported) return nullptr;
  const uint64_t bytes = access->access.region.end() - access->access.region.offset;
  if (access->address != 0) {
    uint64_t offset = 0;
    resource = FindPointer(call, access->address, &offset);
    if (resource != nullptr && SaturatingAdd(offset, bytes) <= resource->bytes) {
      access->resource = WeakRef<Resource>(resource);
      access->access.region.offset = resource->root_offset + offset;
      return resource;
    }
  }
  access->reported = true;
  const PlanNode& node = nodes_[access->node];
  StaleUse use;
  use.resource = access->resource.get();
  use.address = access->address;
  use.call = node.origin.call != nullptr ? node.origin.call : &kUnseenNode;
  use.site = node.origin.site;
  call.tracker().CheckStaleUse(call, use);
  return nullptr;
}

// Only of what no node writes: the order of the nodes then does not matter.
void GraphPlan::JudgeContent(CuCall& call) {
  if (summary_.writes_unseen) return;
  std::set<const Resource*> written;
  for (const PlanAccess& planned : summary_.accesses) {
    if (const Resource* resource = planned.resource.get(); resource && planned.access.write)
      written.insert(resource->root);
  }
  for (const PlanAccess& planned : summary_.accesses) {
    Resource* resource = planned.resource.get();
    if (resource == nullptr || !resource->live() || resource->image != nullptr ||
        planned.access.sureness != Sureness::kCertain || written.count(resource->root) != 0)
      continue;
    // Handed to the host, or only moved on.
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
    call.tracker().CheckTransfer(call, read);
  }
}

void GraphPlan::Judge(CuCall& call) {
  if (judged_) return;
  judged_ = true;
  JudgeContent(call);
  if (!order_known_) return;
  NodeOrder order(nodes_);
  if (!order.known()) return;
  std::map<const Resource*, std::vector<const PlanAccess*>> by_resource;
  for (const PlanNode& node : nodes_) {
    if (!node.enabled) continue;
    for (const PlanAccess& access : node.accesses) {
      if (access.access.sureness != Sureness::kCertain) continue;
      const Resource* resource = access.resource.get();
      if (resource != nullptr &&
          (!resource->live() || resource->has(kHostVisible) || resource->has(kImported)))
        continue;
      if (resource == nullptr && access.resource.object != nullptr) continue;
      by_resource[resource != nullptr ? resource->root : nullptr].push_back(&access);
    }
  }
  constexpr size_t kMaxCompared = 1024;
  for (auto& [root, accesses] : by_resource) {
    if (accesses.size() > kMaxCompared) accesses.resize(kMaxCompared);
    bool found = false;
    for (size_t i = 0; i < accesses.size() && !found; ++i) {
      for (size_t j = i + 1; j < accesses.size() && !found; ++j) {
        const PlanAccess &first = *accesses[i], &second = *accesses[j];
        if (!first.access.write && !second.access.write) continue;
        if (first.node == second.node || order.Ordered(first.node, second.node)) continue;
        if (!Overlaps(first.access.region, second.access.region)) continue;
        Access pair[2] = {first.access, second.access};
        for (int k = 0; k < 2; ++k) {
          const NodeOrigin& origin = nodes_[k == 0 ? first.node : second.node].origin;
          pair[k].call = origin.call != nullptr ? origin.call : &kUnseenNode;
          pair[k].site = origin.site;
        }
        call.tracker().CheckConflict(call, {first.resource.get(), &pair[0], &pair[1], true});
        found = true;  // one finding a resource
      }
    }
  }
}

}  // namespace gpusan::cuda
