// Graphs as the program builds them: nodes, edges, parameters, queries.
#include <cuda.h>

#include <algorithm>
#include <cstring>

#include "arrays.h"
#include "graphs.h"

using namespace fake;

namespace {

CUresult Add(CUgraphNode* handle, CUgraph graph_handle, const CUgraphNode* dependencies,
             size_t count, CUgraphNodeParams* parameters) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(graph_handle);
    if (graph == nullptr || handle == nullptr || (count > 0 && dependencies == nullptr)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<Node*> before;
    for (size_t i = 0; i < count; ++i) {
      before.push_back(nodes.Find(dependencies[i]).get());
    }
    Operation operation;
    if (CUresult error = OperationOf(parameters, &operation); error != CUDA_SUCCESS) {
      return error;
    }
    Node* node = nullptr;
    CUresult error = AddNode(*graph, std::move(operation), before, &node);
    if (error == CUDA_SUCCESS) {
      *handle = reinterpret_cast<CUgraphNode>(node);
    }
    return error;
  });
}

CUresult Set(CUgraphNode handle, CUgraphNodeParams parameters) {
  return WithDriver([&] {
    std::shared_ptr<Node> node = nodes.Find(handle);
    if (node == nullptr || node->operation.type != parameters.type) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Operation operation;
    CUresult error = OperationOf(&parameters, &operation);
    if (error == CUDA_SUCCESS) {
      node->operation = std::move(operation);
    }
    return error;
  });
}

// Runs `body(node)` when the handle is a node of that type.
template <typename Body>
CUresult WithNode(CUgraphNode handle, CUgraphNodeType type, Body body) {
  return WithDriver([&] {
    std::shared_ptr<Node> node = nodes.Find(handle);
    if (node == nullptr || node->operation.type != type) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    body(*node);
    return CUDA_SUCCESS;
  });
}

template <typename Parameters>
CUresult GetKernel(CUgraphNode handle, Parameters* parameters) {
  return WithNode(handle, CU_GRAPH_NODE_TYPE_KERNEL, [&](Node& node) {
    Launch& launch = node.operation.launch;
    *parameters = Parameters{};
    parameters->func = launch.handle;
    parameters->gridDimX = launch.grid[0];
    parameters->gridDimY = launch.grid[1];
    parameters->gridDimZ = launch.grid[2];
    parameters->blockDimX = launch.block[0];
    parameters->blockDimY = launch.block[1];
    parameters->blockDimZ = launch.block[2];
    parameters->sharedMemBytes = launch.shared_bytes;
    node.argument_pointers.clear();
    for (const Parameter& parameter : launch.function->text.parameters) {
      node.argument_pointers.push_back(launch.arguments.data() + parameter.offset);
    }
    parameters->kernelParams = node.argument_pointers.data();
  });
}

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
    for (const std::shared_ptr<Node>& node : copy->nodes) {
      nodes.Add(node);
    }
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

CUresult CUDAAPI cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUgraphNodeParams* parameters) {
  return Add(node, graph, dependencies, count, parameters);
}
CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, const CUgraphEdgeData*,
                                   size_t count, CUgraphNodeParams* parameters) {
  return Add(node, graph, dependencies, count, parameters);
}
CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  return parameters == nullptr ? CUDA_ERROR_INVALID_VALUE : Set(node, *parameters);
}

#define FAKE_NODE_PARAMETERS \
  CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count

CUresult CUDAAPI cuGraphAddEmptyNode(FAKE_NODE_PARAMETERS) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
  return Add(node, graph, before, count, &parameters);
}

CUresult CUDAAPI cuGraphAddKernelNode(FAKE_NODE_PARAMETERS,
                                      const CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
  if (kernel == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters = DescribeKernel(*kernel);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphAddKernelNode_v2(FAKE_NODE_PARAMETERS,
                                         const CUDA_KERNEL_NODE_PARAMS* kernel) {
  if (kernel == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters = DescribeKernel(*kernel);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* out) {
  return GetKernel(node, out);
}
CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* out) {
  return GetKernel(node, out);
}
CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode node,
                                            const CUDA_KERNEL_NODE_PARAMS_v1* in) {
  return in == nullptr ? CUDA_ERROR_INVALID_VALUE : Set(node, DescribeKernel(*in));
}
CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                               const CUDA_KERNEL_NODE_PARAMS* in) {
  return in == nullptr ? CUDA_ERROR_INVALID_VALUE : Set(node, DescribeKernel(*in));
}

CUresult CUDAAPI cuGraphAddMemcpyNode(FAKE_NODE_PARAMETERS, const CUDA_MEMCPY3D* copy, CUcontext) {
  if (copy == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters = DescribeCopy(*copy);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_MEMCPY,
                  [&](Node& found) { *out = Describe(found.operation.copy); });
}
CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* in) {
  return in == nullptr ? CUDA_ERROR_INVALID_VALUE : Set(node, DescribeCopy(*in));
}

CUresult CUDAAPI cuGraphAddMemsetNode(FAKE_NODE_PARAMETERS, const CUDA_MEMSET_NODE_PARAMS* fill,
                                      CUcontext) {
  if (fill == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters = DescribeFill(*fill);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_MEMSET, [&](Node& found) {
    const Fill& fill = found.operation.fill;
    *out = {fill.address, fill.pitch, fill.value, fill.element, fill.width, fill.height};
  });
}
CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* in) {
  return in == nullptr ? CUDA_ERROR_INVALID_VALUE : Set(node, DescribeFill(*in));
}

CUresult CUDAAPI cuGraphAddHostNode(FAKE_NODE_PARAMETERS, const CUDA_HOST_NODE_PARAMS* host) {
  if (host == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters = DescribeHost(*host);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_HOST, [&](Node& found) {
    out->fn = found.operation.host_function;
    out->userData = found.operation.host_data;
  });
}
CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* in) {
  return in == nullptr ? CUDA_ERROR_INVALID_VALUE : Set(node, DescribeHost(*in));
}

CUresult CUDAAPI cuGraphAddEventRecordNode(FAKE_NODE_PARAMETERS, CUevent event) {
  CUgraphNodeParams parameters = DescribeEvent(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphAddEventWaitNode(FAKE_NODE_PARAMETERS, CUevent event) {
  CUgraphNodeParams parameters = DescribeEvent(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                  [&](Node& found) { *out = events.Of(found.operation.event); });
}
CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                  [&](Node& found) { *out = events.Of(found.operation.event); });
}
CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return Set(node, DescribeEvent(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}
CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return Set(node, DescribeEvent(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult CUDAAPI cuGraphAddChildGraphNode(FAKE_NODE_PARAMETERS, CUgraph child) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_GRAPH;
  parameters.graph.graph = child;
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_GRAPH,
                  [&](Node& found) { *out = graphs.Of(found.operation.child); });
}

CUresult CUDAAPI cuGraphAddMemAllocNode(FAKE_NODE_PARAMETERS,
                                        CUDA_MEM_ALLOC_NODE_PARAMS* allocation) {
  if (allocation == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  std::memcpy(&parameters.alloc, allocation, sizeof *allocation);
  CUresult result = Add(node, graph, before, count, &parameters);
  allocation->dptr = parameters.alloc.dptr;
  return result;
}
CUresult CUDAAPI cuGraphAddMemFreeNode(FAKE_NODE_PARAMETERS, CUdeviceptr pointer) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  parameters.free.dptr = pointer;
  return Add(node, graph, before, count, &parameters);
}
CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                  [&](Node& found) { *out = found.operation.allocation; });
}
CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_MEM_FREE,
                  [&](Node& found) { *out = found.operation.allocation.dptr; });
}

CUresult CUDAAPI cuGraphAddBatchMemOpNode(FAKE_NODE_PARAMETERS,
                                          const CUDA_BATCH_MEM_OP_NODE_PARAMS* batch) {
  if (batch == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  std::memcpy(&parameters.memOp, batch, sizeof *batch);
  return Add(node, graph, before, count, &parameters);
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
