// The plan of an executable graph: its nodes, their order, and their accesses.
#include "hooks/cuda/graphs/graph_plan.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "hooks/cuda/arrays/shaped_copies.h"
#include "hooks/cuda/call/flaws.h"
#include "hooks/cuda/graphs/graph_host_functions.h"
#include "hooks/cuda/kernels/launches.h"
#include "hooks/cuda/streams/external_semaphores.h"
#include "hooks/cuda/streams/external_waits.h"
#include "tracker/order/waiting_kernels.h"

namespace gpusan::cuda {
namespace {

// Calls a query of the driver about a node. Returns false if the driver lacks the function, or if
// the query fails.
template <typename Function, typename Result>
bool Query(Function* query, CUgraphNode node, Result* result) {
  return query != nullptr && query(node, result) == CUDA_SUCCESS;
}

}  // namespace

std::vector<GraphHostFunction*> GraphPlan::TakeHostFunctions() {
  std::vector<GraphHostFunction*> taken;
  for (PlanNode& node : nodes_) {
    if (std::exchange(node.owns_host_function, false)) taken.push_back(node.host_function);
  }
  return taken;
}

void GraphPlan::RunUnseen() {
  for (const PlanNode& node : nodes_) {
    if (node.host_function != nullptr) node.host_function->MayRunUnseen();
  }
}

void GraphPlan::Clear() {
  for (GraphHostFunction* function : TakeHostFunctions()) function->LetGo();
  nodes_.clear();
  own_.clear();
  ++version_;
  order_.reset();
  order_known_ = true;
  merged_ = checked_ = kernels_changed_ = false;
  last_found_ = 0;
}

void GraphPlan::Forget() {
  RunUnseen();
  LoseExternalSemaphores();
  Clear();
  PlanNode& anything = nodes_.emplace_back();
  anything.waits_unseen = anything.signals_unseen = anything.writes_unseen = true;
}

void GraphPlan::Read(CuCall& call, CUgraph graph) {
  Clear();
  // Memory that is freed or unknown now may exist when the graph runs, above all the graph's own
  // memory.
  QuietCall quiet(call);
  ReadGraph(quiet, graph, -1);
  if (!order_known_) return;
  order_.emplace(nodes_);
  if (!order_->known()) order_.reset();
}

void GraphPlan::ReadUpdate(CuCall& call, CUgraph graph) {
  for (GraphHostFunction* function : TakeHostFunctions()) function->LetGo();
  const std::vector<PlanNode> before = std::move(nodes_);
  Read(call, graph);
  bool same = before.size() == nodes_.size();
  for (size_t i = 0; same && i < nodes_.size(); ++i) same = before[i].type == nodes_[i].type;
  if (!same) return;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].handle = before[i].handle;
    nodes_[i].enabled = before[i].enabled;
  }
}

bool GraphPlan::IsBuiltAs(const GraphPlan& graph, uint32_t begin) const {
  for (uint32_t i = 0; i < graph.nodes_.size(); ++i) {
    const PlanNode &ours = nodes_[begin + i], &theirs = graph.nodes_[i];
    if (ours.type != theirs.type || ours.inner != theirs.inner) return false;
    if (!order_known_ || !graph.order_known_) continue;
    std::vector<uint32_t> before = theirs.before, known = ours.before;
    for (uint32_t& node : before) node += begin;
    if (before.empty()) before.push_back(begin - 1);  // only the beginning of the child graph
    std::sort(before.begin(), before.end());
    std::sort(known.begin(), known.end());
    if (before != known) return false;
  }
  return true;
}

void GraphPlan::SetChild(CuCall& call, PlanNode* node, CUgraph graph) {
  GraphPlan fresh;
  fresh.own_ = own_;
  QuietCall quiet(call);
  fresh.ReadGraph(quiet, graph, -1);
  const uint32_t begin = static_cast<uint32_t>(node - nodes_.data()) + 1;
  // The next node is the end of the child graph.
  if (node->type != CU_GRAPH_NODE_TYPE_GRAPH || node->inner != fresh.nodes_.size() + 1 ||
      !IsBuiltAs(fresh, begin))
    return Forget();
  for (uint32_t i = 0; i < fresh.nodes_.size(); ++i) {
    PlanNode &old = nodes_[begin + i], &taken = fresh.nodes_[i];
    if (old.owns_host_function) old.host_function->LetGo();
    taken.handle = old.handle;
    taken.enabled = old.enabled;
    taken.before = std::move(old.before);
    if (taken.origin.call == nullptr) taken.origin = node->origin;
    for (PlanAccess& access : taken.accesses) access.node += begin;
    old = std::move(taken);
  }
  kernels_changed_ |= fresh.kernels_changed_;
  Change();
}

PlanNode* GraphPlan::Find(CUgraphNode handle) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const size_t at = (last_found_ + i) % nodes_.size();
    if (nodes_[at].handle != handle) continue;
    last_found_ = at;
    return &nodes_[at];
  }
  return nullptr;
}

void GraphPlan::ReadGraph(CuCall& call, CUgraph graph, int64_t parent) {
  const std::vector<CUgraphNode> handles = NodesOf(graph);
  // A child graph node is a beginning and an end with the child's nodes between them.
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
    const bool known = type_of != nullptr && type_of(handle, &node.type) == CUDA_SUCCESS;
    node.writes_unseen = !known;
    if (known && node.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) ReadNode(call, &node);
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
        nodes_[entry].inner = exit - entry;
      }
    }
    exits.push_back(static_cast<uint32_t>(nodes_.size()) - 1);
  }
  // After the nodes that allocate the memory of the graph.
  for (uint32_t entry : entries) {
    PlanNode& node = nodes_[entry];
    if (!node.writes_unseen && node.type != CU_GRAPH_NODE_TYPE_MEM_ALLOC) ReadNode(call, &node);
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
  const auto query =
      reinterpret_cast<decltype(&::cuGraphGetEdges)>(RealFunction(kSlot_cuGraphGetEdges_v2));
  const auto older = reinterpret_cast<Older>(RealFunction(kSlot_cuGraphGetEdges));
  std::vector<CUgraphNode> from, to;
  std::vector<CUgraphEdgeData> data;
  size_t count = 0;
  CUresult code = CUDA_ERROR_NOT_FOUND;
  if (query != nullptr) {
    code = query(graph, nullptr, nullptr, nullptr, &count);
  } else if (older != nullptr) {
    code = older(graph, nullptr, nullptr, &count);
  }
  if (code == CUDA_SUCCESS && count != 0) {
    from.resize(count), to.resize(count), data.resize(count);
    code = query != nullptr ? query(graph, from.data(), to.data(), data.data(), &count)
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

void GraphPlan::SetAllocation(CuCall& call, PlanNode* node,
                              const CUDA_MEM_ALLOC_NODE_PARAMS& params) {
  node->allocates = params.dptr;
  node->bytes = params.bytesize;
  own_.push_back({node->allocates, node->bytes});
  uint64_t offset = 0;
  const Resource* captured = call.tracker().objects().FindAddress(params.dptr, &offset);
  if (node->origin.call == nullptr && captured != nullptr && captured->adopted)
    node->origin = {LoadSampled(captured->creator), LoadSampled(captured->created)};
  call.tracker().objects().ForgetReleased(params.dptr, params.bytesize);
}

void GraphPlan::ReadNode(CuCall& call, PlanNode* node) {
  CUgraphNode handle = node->handle;
  bool known = true;
  switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const auto get = reinterpret_cast<decltype(&::cuGraphKernelNodeGetParams)>(
          RealFunction(kSlot_cuGraphKernelNodeGetParams_v2));
      CUDA_KERNEL_NODE_PARAMS params{};
      known = Query(get, handle, &params);
      if (known) SetKernel(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      CUDA_MEMCPY3D params{};
      known = Query(GPUSAN_CU_REAL(cuGraphMemcpyNodeGetParams), handle, &params);
      if (known) SetCopy(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      CUDA_MEMSET_NODE_PARAMS params{};
      known = Query(GPUSAN_CU_REAL(cuGraphMemsetNodeGetParams), handle, &params);
      if (known) SetFill(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_HOST:
      NoteHostFunction();
      SetHostFunction(node, HostFunctionOf(handle), false);
      break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
    case CU_GRAPH_NODE_TYPE_EMPTY:
      break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: {
      const bool record = node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
      const auto get = record ? GPUSAN_CU_REAL(cuGraphEventRecordNodeGetEvent)
                              : GPUSAN_CU_REAL(cuGraphEventWaitNodeGetEvent);
      CUevent event = nullptr;
      if (Query(get, handle, &event)) SetEvent(call, node, event, record);
      break;
    }
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
      LoseExternalSemaphores();
      node->signals_unseen = true;
      break;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      LoseExternalSemaphores();
      node->waits_unseen = true;
      break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
      CUDA_MEM_ALLOC_NODE_PARAMS params{};
      known = Query(GPUSAN_CU_REAL(cuGraphMemAllocNodeGetParams), handle, &params);
      if (known) SetAllocation(call, node, params);
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEM_FREE: {
      CUdeviceptr pointer = 0;
      if (Query(GPUSAN_CU_REAL(cuGraphMemFreeNodeGetParams), handle, &pointer))
        node->frees = pointer;
      break;
    }
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      CUDA_BATCH_MEM_OP_NODE_PARAMS params{};
      if (Query(GPUSAN_CU_REAL(cuGraphBatchMemOpNodeGetParams), handle, &params)) {
        SetOperations(node, params.paramArray, params.count);
      } else {
        node->waits_unseen = node->signals_unseen = node->writes_unseen = true;
      }
      break;
    }
    default:  // the body of a conditional node may do anything
      known = false;
      LoseExternalSemaphores();
      node->waits_unseen = node->signals_unseen = true;
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

bool GraphPlan::IsOwn(uintptr_t address) const {
  return std::any_of(own_.begin(), own_.end(), [&](const AddressRange& range) {
    return address - range.begin < range.bytes;
  });
}

void GraphPlan::SetCopy(CuCall& call, PlanNode* node, const CUDA_MEMCPY3D& copy) {
  node->accesses.clear();
  node->own.clear();
  Change();
  CopyState state;
  QuietCall quiet(call);
  ShapedCopy shaped = Shaped(copy);
  bool own[2] = {};
  for (const bool write : {false, true}) {
    ShapedSide& side = write ? shaped.destination : shaped.source;
    own[write] = (side.type == CU_MEMORYTYPE_DEVICE || side.type == CU_MEMORYTYPE_UNIFIED) &&
                 IsOwn(HandleOf(side.device));
    if (!own[write]) continue;
    side.type = CU_MEMORYTYPE_HOST;  // a NULL pointer, which causes no access
    side.host = nullptr;
  }
  SetSides(quiet, shaped, &state);
  node->writes_unseen = !state.usable;
  if (!state.usable) return;
  for (const bool write : {false, true}) {
    const Side& side = write ? state.transfer.destination : state.transfer.source;
    if (own[write]) {
      const CUdeviceptr base = write ? copy.dstDevice : copy.srcDevice;
      node->own.push_back({HandleOf(base) + side.region.offset, write});
    } else {
      Add(node, side, write);
    }
  }
}

void GraphPlan::SetFill(CuCall& call, PlanNode* node, const CUDA_MEMSET_NODE_PARAMS& fill) {
  node->accesses.clear();
  node->own.clear();
  Change();
  if (IsOwn(HandleOf(fill.dst))) {
    if (fill.width != 0 && fill.height != 0) node->own.push_back({HandleOf(fill.dst), true});
    return;
  }
  bool usable = true;
  QuietCall quiet(call);
  const uint64_t row = SaturatingMultiply(fill.width, fill.elementSize);
  const Side side =
      DeviceSide(quiet, fill.dst,
                 Region::Strided(0, row, fill.height, fill.height > 1 ? fill.pitch : row, 1, 0),
                 "dst", &usable);
  if (usable) Add(node, side, true);
}

void GraphPlan::SetKernel(CuCall& call, PlanNode* node, const CUDA_KERNEL_NODE_PARAMS& kernel) {
  node->kernel.Set(call, kernel);
  node->stale = false;
  unloads_ = 0;
  node->kernel_changed = kernels_changed_ = true;
  node->accesses.clear();
  node->own.clear();
  Change();
}

void GraphPlan::LookAtKernels(CuCall& call) {
  if (!kernels_changed_) [[likely]]
    return;
  kernels_changed_ = false;
  LookAtLibraries();
  for (PlanNode& node : nodes_) {
    if (!node.kernel_changed || !node.enabled) continue;
    LaunchArguments arguments;
    const size_t found = call.finding_count();
    node.kernel.Collect(call, OriginOrNone(node), own_, &arguments);
    node.flaw = FlawsOf(call, found);
    node.null_arguments = arguments.nulls();
    node.writes_unseen = arguments.reaches_unseen();
    node.kernel_changed = false;
    node.content_checked = false;
    node.accesses.clear();
    node.own.assign(arguments.own_uses().begin(), arguments.own_uses().end());
    const Launch& launch = arguments.launch();
    for (const LaunchArgument& argument : launch.arguments) {
      const uintptr_t address = argument.resource->handle + argument.offset;
      if (argument.resource->by_address() && IsOwn(address)) {
        continue;  // a placeholder of the capture, or the memory of an earlier launch
      }
      PlanAccess& added = node.accesses.emplace_back();
      added.node = static_cast<uint32_t>(&node - nodes_.data());
      added.resource = WeakRef<Resource>(argument.resource);
      if (argument.resource->by_address()) added.address = address;
      added.access = AccessOf(launch, argument);
      added.kernel = launch.kernel;
      added.argument = argument.index;
      added.needed = node.kernel.IsPointer(argument.index);
      if (argument.bounds != 0 && !argument.indirect) {
        added.bounded = true;
        added.written = launch.write_bounds[argument.bounds - 1u];
        added.written.begin += argument.resource->root_offset;
        added.written.end += argument.resource->root_offset;
      }
    }
    AddLibraryUses(call, &node);
    Change();
  }
}

void GraphPlan::LookAtLibraries() {
  std::set<const CapturedUses*> changed;
  for (const PlanNode& node : nodes_) {
    const CapturedUses* uses = node.origin.uses.get();
    if (uses == nullptr) continue;
    if (!uses->complete.load(std::memory_order_acquire) || !node.enabled ||
        node.kernel.Digest() != uses->kernels[node.origin.part])
      changed.insert(uses);
  }
  for (PlanNode& node : nodes_) {
    if (node.origin.uses == nullptr) continue;
    const bool now = changed.count(node.origin.uses.get()) != 0;
    if (std::exchange(node.library_changed, now) != now) node.kernel_changed = true;
  }
}

void GraphPlan::AddLibraryUses(CuCall& call, PlanNode* node) {
  const CapturedUses* uses = node->origin.uses.get();
  if (uses == nullptr || node->library_changed || node->origin.part + 1 != uses->kernels.size())
    return;
  Objects& objects = call.tracker().objects();
  for (const LibraryAccess& use : uses->accesses) {
    PlanAccess added;
    added.node = static_cast<uint32_t>(node - nodes_.data());
    added.address = use.address + use.region.offset;
    added.access.region = use.region;
    added.access.region.offset = 0;
    added.access.read = use.read;
    added.access.write = use.write;
    added.access.sureness = Sureness::kDerived;
    added.needed = use.sure;
    if (IsOwn(added.address)) {
      node->own.push_back({added.address, use.write});
      continue;
    }
    uint64_t offset = 0;
    const Resource* found = objects.FindAddress(added.address, &offset);
    if (found == nullptr ? objects.FindReleased(added.address) == nullptr
                         : added.access.region.end() > found->bytes - offset)
      continue;  // memory that gpusan does not know, or an access past the end
    const Resource* resource = Resolve(call, &added);
    if (resource != nullptr && resource->image == nullptr && !resource->has(kHostVisible) &&
        !resource->has(kImported) && !resource->has(kMappedHost))
      node->accesses.push_back(added);
  }
}

void GraphPlan::SetOperations(PlanNode* node, const CUstreamBatchMemOpParams* operations,
                              unsigned count) {
  node->waits_unseen = node->signals_unseen = node->writes_unseen = false;
  node->values.clear();
  node->stale = false;
  for (unsigned i = 0; operations != nullptr && i < count; ++i) {
    const MemoryOperation operation = ReadMemoryOperation(operations[i]);
    node->waits_unseen |= operation.waits;
    node->signals_unseen |= operation.writes;
    node->writes_unseen |= operation.writes && operation.bytes == 0;
    if (operation.writes && operation.bytes != 0) node->values.push_back(operation);
  }
  Change();
}

void GraphPlan::SetHostFunction(PlanNode* node, GraphHostFunction* function, bool owned) {
  node->runs_on_host = true;
  if (function != node->host_function) {
    if (node->owns_host_function) node->host_function->LetGo();
    node->host_function = function;
    node->owns_host_function = owned;
  }
  Change();
}

void GraphPlan::SetEvent(CuCall& call, PlanNode* node, CUevent event, bool record) {
  Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(event));
  auto* recorded = object != nullptr && object->kind == ObjectKind::kRecordedEvent
                       ? static_cast<RecordedEvent*>(object)
                       : nullptr;
  (record ? node->records : node->waits_for) = WeakRef<RecordedEvent>(recorded);
  Change();
}

}  // namespace gpusan::cuda
