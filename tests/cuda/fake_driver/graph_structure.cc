// What a graph consists of: its nodes and edges, and the graphs themselves.
#include <cuda.h>

#include <algorithm>
#include <cstring>

#include "graphs.h"

using namespace fake;

namespace {

// The driver's way to return a list: a null list asks for the number, a longer one is filled with
// nulls.
template <typename Handle>
void Return(const std::vector<Handle>& values, Handle* list, size_t* count) {
  if (list != nullptr) {
    for (size_t i = 0; i < *count; ++i) {
      list[i] = i < values.size() ? values[i] : nullptr;
    }
    *count = std::min(*count, values.size());
  } else {
    *count = values.size();
  }
}

CUgraphNode HandleOf(Node* node) { return reinterpret_cast<CUgraphNode>(node); }

CUresult Nodes(CUgraph handle, CUgraphNode* list, size_t* count, bool roots) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || count == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<CUgraphNode> found;
    for (const std::shared_ptr<Node>& node : graph->nodes) {
      if (!roots || node->dependencies.empty()) {
        found.push_back(HandleOf(node.get()));
      }
    }
    Return(found, list, count);
    return CUDA_SUCCESS;
  });
}

CUresult Edges(CUgraph handle, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
               size_t* count) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<CUgraphNode> sources;
    std::vector<CUgraphNode> targets;
    for (const std::shared_ptr<Node>& node : graph->nodes) {
      for (Node* dependency : node->dependencies) {
        sources.push_back(HandleOf(dependency));
        targets.push_back(HandleOf(node.get()));
      }
    }
    size_t room = *count;
    if (data != nullptr) {
      std::memset(data, 0, room * sizeof *data);
    }
    Return(sources, from, count);
    Return(targets, to, &room);
    return CUDA_SUCCESS;
  });
}

CUresult Dependencies(CUgraphNode handle, CUgraphNode* list, size_t* count) {
  return WithDriver([&] {
    std::shared_ptr<Node> node = nodes.Find(handle);
    if (node == nullptr || count == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<CUgraphNode> found;
    for (Node* dependency : node->dependencies) {
      found.push_back(HandleOf(dependency));
    }
    Return(found, list, count);
    return CUDA_SUCCESS;
  });
}

CUresult Dependents(CUgraphNode handle, CUgraphNode* list, size_t* count) {
  return WithDriver([&] {
    std::shared_ptr<Node> node = nodes.Find(handle);
    if (node == nullptr || count == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<CUgraphNode> found;
    for (const std::shared_ptr<Node>& other : node->graph->nodes) {
      if (std::count(other->dependencies.begin(), other->dependencies.end(), node.get()) != 0) {
        found.push_back(HandleOf(other.get()));
      }
    }
    Return(found, list, count);
    return CUDA_SUCCESS;
  });
}

CUresult ChangeEdges(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to, size_t count,
                     bool add) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr))) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; ++i) {
      std::shared_ptr<Node> source = nodes.Find(from[i]);
      std::shared_ptr<Node> target = nodes.Find(to[i]);
      if (source == nullptr || target == nullptr || source == target ||
          source->graph != graph.get() || target->graph != graph.get()) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      std::vector<Node*>& edges = target->dependencies;
      const bool known = std::count(edges.begin(), edges.end(), source.get()) != 0;
      if (known == add) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      if (add) {
        edges.push_back(source.get());
      } else {
        std::erase(edges, source.get());
      }
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGraphCreate(CUgraph* graph, unsigned int flags) {
  return WithDriver([&] {
    if (graph == nullptr || flags != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *graph = graphs.Add(std::make_shared<Graph>());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphDestroy(CUgraph handle) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || graph->is_child) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Forget(*graph);
    graphs.Remove(handle);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphClone(CUgraph* clone, CUgraph handle) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || clone == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::shared_ptr<Graph> copy = Clone(*graph, nullptr);
    Publish(*copy);
    *clone = graphs.Add(copy);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(clone);
    if (graph == nullptr || node == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    for (const std::shared_ptr<Node>& copy : graph->nodes) {
      if (copy->origin == reinterpret_cast<const Node*>(original)) {
        *node = HandleOf(copy.get());
        return CUDA_SUCCESS;
      }
    }
    return CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* type) {
  return WithDriver([&] {
    std::shared_ptr<Node> node = nodes.Find(handle);
    if (node == nullptr || type == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *type = node->operation.type;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode handle) {
  return WithDriver([&] {
    std::shared_ptr<Node> node = nodes.Remove(handle);
    if (node == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Graph& graph = *node->graph;
    std::erase(graph.nodes, node);
    for (const std::shared_ptr<Node>& other : graph.nodes) {
      std::erase(other->dependencies, node.get());
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphGetNodes(CUgraph graph, CUgraphNode* list, size_t* count) {
  return Nodes(graph, list, count, false);
}
CUresult CUDAAPI cuGraphGetRootNodes(CUgraph graph, CUgraphNode* list, size_t* count) {
  return Nodes(graph, list, count, true);
}
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return Edges(graph, from, to, nullptr, count);
}
CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                    CUgraphEdgeData* data, size_t* count) {
  return Edges(graph, from, to, data, count);
}
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* list, size_t* count) {
  return Dependencies(node, list, count);
}
CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* list,
                                               CUgraphEdgeData*, size_t* count) {
  return Dependencies(node, list, count);
}
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* list, size_t* count) {
  return Dependents(node, list, count);
}
CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* list,
                                                 CUgraphEdgeData*, size_t* count) {
  return Dependents(node, list, count);
}
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from,
                                        const CUgraphNode* to, size_t count) {
  return ChangeEdges(graph, from, to, count, true);
}
CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from,
                                           const CUgraphNode* to, const CUgraphEdgeData*,
                                           size_t count) {
  return ChangeEdges(graph, from, to, count, true);
}
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from,
                                           const CUgraphNode* to, size_t count) {
  return ChangeEdges(graph, from, to, count, false);
}
CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from,
                                              const CUgraphNode* to, const CUgraphEdgeData*,
                                              size_t count) {
  return ChangeEdges(graph, from, to, count, false);
}

}  // extern "C"
