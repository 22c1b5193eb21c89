// The origin of graph nodes: the call that created each of them.
#include "hooks/cuda/graphs/graph_nodes.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/flaws.h"
#include "hooks/cuda/graphs/graph_kernels.h"
#include "hooks/cuda/streams/capture.h"

namespace gpusan::cuda {
namespace {

struct State {
  SpinLock lock;
  std::unordered_map<CUgraphNode, NodeOrigin> origins;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

State& TheState() { return g_state.Get(); }

// Returns the graph in a child graph node; nullptr for other nodes.
CUgraph ChildOf(CUgraphNode node) {
  const auto type_of = GPUSAN_CU_REAL(cuGraphNodeGetType);
  const auto graph_of = GPUSAN_CU_REAL(cuGraphChildGraphNodeGetGraph);
  CUgraphNodeType type;
  CUgraph child = nullptr;
  if (type_of == nullptr || graph_of == nullptr || type_of(node, &type) != CUDA_SUCCESS ||
      type != CU_GRAPH_NODE_TYPE_GRAPH || graph_of(node, &child) != CUDA_SUCCESS)
    return nullptr;
  return child;
}

bool AreOfOneType(const std::vector<CUgraphNode>& some, const std::vector<CUgraphNode>& others) {
  const auto type_of = GPUSAN_CU_REAL(cuGraphNodeGetType);
  if (type_of == nullptr || some.size() != others.size()) return false;
  for (size_t i = 0; i < some.size(); ++i) {
    CUgraphNodeType one, other;
    if (type_of(some[i], &one) != CUDA_SUCCESS || type_of(others[i], &other) != CUDA_SUCCESS ||
        one != other)
      return false;
  }
  return true;
}

// Sets the digest of the parameters of a kernel node. Returns false for other nodes.
bool DigestOf(CuCall& call, CUgraphNode node, uint64_t* digest) {
  const auto type_of = GPUSAN_CU_REAL(cuGraphNodeGetType);
  const auto get = reinterpret_cast<decltype(&::cuGraphKernelNodeGetParams)>(
      RealFunction(kSlot_cuGraphKernelNodeGetParams_v2));
  CUgraphNodeType type;
  CUDA_KERNEL_NODE_PARAMS params{};
  if (type_of == nullptr || get == nullptr || type_of(node, &type) != CUDA_SUCCESS ||
      type != CU_GRAPH_NODE_TYPE_KERNEL || get(node, &params) != CUDA_SUCCESS)
    return false;
  KernelNode kernel;
  QuietCall quiet(call);
  kernel.Set(quiet, params);
  *digest = kernel.Digest();
  return true;
}

void NoteLibraryNode(CuCall& call, CUgraphNode node, const std::shared_ptr<CapturedUses>& uses) {
  if (OriginOf(node).call != nullptr) return;
  NodeOrigin origin{uses->call, uses->site, nullptr, uses->kernels.size()};
  uint64_t digest = 0;
  if (DigestOf(call, node, &digest)) {
    origin.uses = uses;
    uses->kernels.push_back(digest);
  }
  State& state = TheState();
  std::lock_guard lock(state.lock);
  state.origins.emplace(node, std::move(origin));
}

}  // namespace

void NoteNode(CuCall& call, CUgraphNode node) {
  if (captured_uses != nullptr) return NoteLibraryNode(call, node, *captured_uses);
  State& state = TheState();
  const NodeOrigin origin{&call.info(), call.site(), nullptr, 0};
  std::lock_guard lock(state.lock);
  state.origins.emplace(node, origin);
}

namespace {

const Observing g_on_capture(node_captured, &NoteNode);

}  // namespace

void NoteNewNode(CuCall& call, CUgraphNode node) {
  State& state = TheState();
  const NodeOrigin origin{&call.info(), call.site(), nullptr, 0};
  std::lock_guard lock(state.lock);
  state.origins[node] = origin;
}

NodeOrigin OriginOf(CUgraphNode node) {
  State& state = TheState();
  std::lock_guard lock(state.lock);
  auto it = state.origins.find(node);
  return it != state.origins.end() ? it->second : NodeOrigin();
}

void ForgetNode(CUgraphNode node) {
  if (CUgraph child = ChildOf(node); child != nullptr) ForgetNodesOf(child);
  State& state = TheState();
  std::lock_guard lock(state.lock);
  state.origins.erase(node);
}

void ForgetNodesOf(CUgraph graph) {
  for (CUgraphNode node : NodesOf(graph)) ForgetNode(node);
}

void CopyOrigins(CUgraph original, CUgraph copy) {
  const auto find = GPUSAN_CU_REAL(cuGraphNodeFindInClone);
  const std::vector<CUgraphNode> nodes = NodesOf(original), copies = NodesOf(copy);
  // Drivers find nodes in clones but not in the copy of a child graph: there the positions must
  // match.
  const bool alike = AreOfOneType(nodes, copies);
  State& state = TheState();
  for (size_t i = 0; i < nodes.size(); ++i) {
    CUgraphNode copied = nullptr;
    if (find == nullptr || find(&copied, nodes[i], copy) != CUDA_SUCCESS) {
      if (!alike) continue;
      copied = copies[i];
    }
    if (const NodeOrigin origin = OriginOf(nodes[i]); origin.call != nullptr) {
      std::lock_guard lock(state.lock);
      state.origins[copied] = origin;
    }
    if (CUgraph child = ChildOf(nodes[i]); child != nullptr) CopyOriginsOfChild(child, copied);
  }
}

void CopyOriginsOfChild(CUgraph child, CUgraphNode node) {
  CUgraph copy = ChildOf(node);
  if (copy != nullptr && copy != child) CopyOrigins(child, copy);
}

std::vector<CUgraphNode> NodesOf(CUgraph graph) {
  const auto query = GPUSAN_CU_REAL(cuGraphGetNodes);
  std::vector<CUgraphNode> nodes;
  size_t count = 0;
  if (query == nullptr || query(graph, nullptr, &count) != CUDA_SUCCESS || count == 0) return nodes;
  nodes.resize(count);
  if (query(graph, nodes.data(), &count) != CUDA_SUCCESS) nodes.clear();
  if (count < nodes.size()) nodes.resize(count);
  return nodes;
}

}  // namespace gpusan::cuda
