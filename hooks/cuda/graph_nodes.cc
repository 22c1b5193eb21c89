// See the header.
#include "hooks/cuda/graph_nodes.h"

#include <mutex>
#include <unordered_map>

#include "hooks/cuda/process_state.h"

namespace gpusan::cuda {
namespace {

struct State {
  SpinLock lock;
  std::unordered_map<CUgraphNode, NodeOrigin> origins;
};

constinit ProcessState<State> g_state;

State& TheState() { return g_state.Get(); }

// The graph in a child graph's node; nullptr for other nodes.
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

}  // namespace

void ForgetAllNodes() { g_state.Forget(); }

void NoteNode(CuCall& call, CUgraph, CUgraphNode node) {
  State& state = TheState();
  const NodeOrigin origin{&call.info(), call.site()};
  std::lock_guard lock(state.lock);
  state.origins.emplace(node, origin);
}

void NoteNewNode(CuCall& call, CUgraphNode node) {
  State& state = TheState();
  const NodeOrigin origin{&call.info(), call.site()};
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
  if (find == nullptr) return;
  State& state = TheState();
  for (CUgraphNode node : NodesOf(original)) {
    CUgraphNode copied = nullptr;
    if (find(&copied, node, copy) != CUDA_SUCCESS) continue;
    const NodeOrigin origin = OriginOf(node);
    if (origin.call == nullptr) continue;
    std::lock_guard lock(state.lock);
    state.origins[copied] = origin;
  }
}

std::vector<CUgraphNode> NodesOf(CUgraph graph) {
  const auto ask = GPUSAN_CU_REAL(cuGraphGetNodes);
  std::vector<CUgraphNode> nodes;
  size_t count = 0;
  if (ask == nullptr || ask(graph, nullptr, &count) != CUDA_SUCCESS || count == 0) return nodes;
  nodes.resize(count);
  if (ask(graph, nodes.data(), &count) != CUDA_SUCCESS) nodes.clear();
  if (count < nodes.size()) nodes.resize(count);
  return nodes;
}

}  // namespace gpusan::cuda
