// How a graph is built, copied and run.
#include "graphs.h"

#include <algorithm>
#include <set>

#include "memory.h"

namespace fake {
namespace {

// The tasks that nothing of the graph waits for.
struct Submitted {
  std::vector<TaskPtr> ends;
};

CUresult SubmitNodes(GraphExec& exec, const Graph& graph, const std::vector<TaskPtr>& start,
                     const ContextPtr& context, int* branch, Submitted* submitted) {
  std::map<const Node*, std::vector<TaskPtr>> done;
  std::set<const Node*> followed;
  for (Node* node : Ordered(graph)) {
    std::vector<TaskPtr> before;
    for (Node* dependency : node->dependencies) {
      followed.insert(dependency);
      const std::vector<TaskPtr>& tasks = done[dependency];
      before.insert(before.end(), tasks.begin(), tasks.end());
    }
    if (node->dependencies.empty()) {
      before = start;
    }
    Operation& operation = node->operation;
    if (operation.type == CU_GRAPH_NODE_TYPE_GRAPH && operation.child != nullptr) {
      Submitted inner;
      CUresult error = SubmitNodes(exec, *operation.child, before, context, branch, &inner);
      if (error != CUDA_SUCCESS) {
        return error;
      }
      done[node] = inner.ends.empty() ? before : inner.ends;
      continue;
    }
    if (operation.type == CU_GRAPH_NODE_TYPE_WAIT_EVENT) {
      before.push_back(operation.event->record);
    }
    TaskPtr task = node->enabled ? TaskOf(operation, false) : Marker();
    task->context = context;
    Submit(exec.lanes[(*branch)++ % kBranches], task, before);
    if (operation.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) {
      operation.event->record = task;
      operation.event->recorded = true;
      operation.event->capture = nullptr;
    }
    done[node] = {task};
  }
  for (const auto& [node, tasks] : done) {
    if (followed.count(node) == 0) {
      submitted->ends.insert(submitted->ends.end(), tasks.begin(), tasks.end());
    }
  }
  return CUDA_SUCCESS;
}

void CollectMemory(const Graph& graph, std::set<CUdeviceptr>* allocated,
                   std::set<CUdeviceptr>* freed) {
  for (const std::shared_ptr<Node>& node : graph.nodes) {
    const Operation& operation = node->operation;
    if (operation.child != nullptr) {
      CollectMemory(*operation.child, allocated, freed);
    } else if (operation.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
      allocated->insert(operation.allocation.dptr);
    } else if (operation.type == CU_GRAPH_NODE_TYPE_MEM_FREE) {
      freed->insert(operation.allocation.dptr);
    }
  }
}

// What the memory nodes of a launch do to allocations that outlive it. A graph cannot run while
// what it allocated exists, unless it was instantiated to free that.
CUresult LaunchMemory(const GraphExec& exec) {
  std::set<CUdeviceptr> allocated, freed;
  CollectMemory(*exec.graph, &allocated, &freed);
  const bool frees_itself = (exec.flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
  for (CUdeviceptr address : allocated) {
    const Region* region = FindRegion(address);
    if (region != nullptr && region->graph_allocated && !frees_itself) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  for (CUdeviceptr address : allocated) {
    if (Region* region = FindRegion(address); region != nullptr) region->graph_allocated = true;
  }
  for (CUdeviceptr address : freed) {
    if (Region* region = FindRegion(address); region != nullptr) region->graph_allocated = false;
  }
  return CUDA_SUCCESS;
}

}  // namespace

Handles<CUgraph, Graph>& graphs = *new Handles<CUgraph, Graph>;
Handles<CUgraphNode, Node>& nodes = *new Handles<CUgraphNode, Node>;
Handles<CUgraphExec, GraphExec>& graph_execs = *new Handles<CUgraphExec, GraphExec>;

CUresult AddNode(Graph& graph, Operation operation, const std::vector<Node*>& dependencies,
                 Node** node) {
  for (Node* dependency : dependencies) {
    if (dependency == nullptr || dependency->graph != &graph ||
        std::count(dependencies.begin(), dependencies.end(), dependency) != 1) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  auto made = std::make_shared<Node>();
  made->operation = std::move(operation);
  made->graph = &graph;
  made->dependencies = dependencies;
  graph.nodes.push_back(made);
  nodes.Add(made);
  *node = made.get();
  return CUDA_SUCCESS;
}

std::shared_ptr<Graph> Clone(const Graph& graph, std::map<const Node*, Node*>* copies) {
  auto clone = std::make_shared<Graph>();
  clone->references = graph.references;
  std::map<const Node*, Node*> local;
  for (const std::shared_ptr<Node>& node : graph.nodes) {
    auto copy = std::make_shared<Node>(*node);
    copy->graph = clone.get();
    copy->origin = node.get();
    if (copy->operation.child != nullptr) {
      copy->operation.child = Clone(*copy->operation.child, copies);
      copy->operation.child->is_child = true;
    }
    local[node.get()] = copy.get();
    clone->nodes.push_back(copy);
  }
  for (const std::shared_ptr<Node>& node : clone->nodes) {
    for (Node*& dependency : node->dependencies) {
      dependency = local[dependency];
    }
  }
  if (copies != nullptr) {
    copies->insert(local.begin(), local.end());
  }
  return clone;
}

void Publish(const Graph& graph) {
  for (const std::shared_ptr<Node>& node : graph.nodes) {
    nodes.Add(node);
    if (node->operation.child != nullptr) {
      graphs.Add(node->operation.child);
      Publish(*node->operation.child);
    }
  }
}

void Forget(Graph& graph) {
  for (const std::shared_ptr<Node>& node : graph.nodes) {
    nodes.Remove(nodes.Of(node));
    if (node->operation.child != nullptr) {
      Forget(*node->operation.child);
      graphs.Remove(graphs.Of(node->operation.child));
    }
  }
}

std::vector<Node*> Ordered(const Graph& graph) {
  std::vector<Node*> order;
  std::set<const Node*> placed;
  bool progress = true;
  while (progress && order.size() < graph.nodes.size()) {
    progress = false;
    for (const std::shared_ptr<Node>& node : graph.nodes) {
      const bool ready = std::all_of(node->dependencies.begin(), node->dependencies.end(),
                                     [&](Node* before) { return placed.count(before) != 0; });
      if (ready && placed.insert(node.get()).second) {
        order.push_back(node.get());
        progress = true;
      }
    }
  }
  return order.size() == graph.nodes.size() ? order : std::vector<Node*>{};
}

CUresult AllocateForGraph(Context& context, size_t bytes, CUdeviceptr* pointer) {
  Region* region = nullptr;
  CUresult error = AllocateRegion(context, bytes, Kind::kDevice, 0, &region);
  if (error == CUDA_SUCCESS) {
    region->graph_allocation = true;
    region->accessible = false;
    *pointer = region->base;
  }
  return error;
}

CUresult LaunchGraph(GraphExec& exec, Stream& stream) {
  if (CUresult error = CheckImplicit(stream); error != CUDA_SUCCESS) {
    return error;
  }
  if (CUresult error = LaunchMemory(exec); error != CUDA_SUCCESS) {
    return error;
  }
  std::vector<TaskPtr> start = Predecessors(stream);
  start.push_back(exec.last);
  int branch = 0;
  Submitted submitted;
  CUresult error =
      SubmitNodes(exec, *exec.graph, start, stream.context.lock(), &branch, &submitted);
  if (error != CUDA_SUCCESS) {
    return error;
  }
  submitted.ends.push_back(exec.last);
  TaskPtr end = Marker();
  // What the graph keeps alive lives until then, whatever becomes of the graph.
  end->run = [kept = exec.graph]() mutable {
    kept.reset();
    return CUDA_SUCCESS;
  };
  exec.last = SubmitTo(stream, end, submitted.ends);
  return CUDA_SUCCESS;
}

}  // namespace fake
