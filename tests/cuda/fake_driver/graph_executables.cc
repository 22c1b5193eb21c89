// Executable graphs: instantiation, updates and launches.
#include <cuda.h>

#include <cstring>

#include "graphs.h"

using namespace fake;

namespace {

constexpr unsigned long long kKnownFlags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

CUresult Instantiate(CUgraphExec* handle, CUgraph graph_handle, unsigned long long flags) {
  return WithContext([&](Context& context) {
    std::shared_ptr<Graph> graph = graphs.Find(graph_handle);
    if (graph == nullptr || handle == nullptr || (flags & ~kKnownFlags) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!graph->nodes.empty() && Ordered(*graph).empty()) {
      return CUDA_ERROR_INVALID_VALUE;  // a cycle
    }
    auto exec = std::make_shared<GraphExec>();
    exec->graph = Clone(*graph, nullptr);
    exec->context = contexts.Find(reinterpret_cast<CUcontext>(&context));
    exec->flags = flags;
    *handle = graph_execs.Add(exec);
    return CUDA_SUCCESS;
  });
}

Node* FindClone(const Graph& graph, CUgraphNode original) {
  for (const std::shared_ptr<Node>& node : graph.nodes) {
    if (node->origin == reinterpret_cast<const Node*>(original)) {
      return node.get();
    }
    if (node->operation.child != nullptr) {
      if (Node* inner = FindClone(*node->operation.child, original)) {
        return inner;
      }
    }
  }
  return nullptr;
}

// Runs `body(exec, the node's copy in it)`.
template <typename Body>
CUresult WithExecNode(CUgraphExec handle, CUgraphNode original, Body body) {
  return WithDriver([&] {
    std::shared_ptr<GraphExec> exec = graph_execs.Find(handle);
    Node* node = exec == nullptr ? nullptr : FindClone(*exec->graph, original);
    return node == nullptr ? CUDA_ERROR_INVALID_VALUE : body(*exec, *node);
  });
}

CUresult SetNode(CUgraphExec handle, CUgraphNode original, CUgraphNodeParams parameters) {
  return WithExecNode(handle, original, [&](GraphExec&, Node& node) {
    if (node.operation.type != parameters.type) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Operation operation;
    CUresult error = OperationOf(&parameters, &operation);
    if (error == CUDA_SUCCESS) {
      node.operation = std::move(operation);
    }
    return error;
  });
}

// Nodes are paired in the order in which they were added (CUDA driver API, cuGraphExecUpdate).
CUgraphExecUpdateResult Compare(const Graph& old, const Graph& fresh, Node** different) {
  if (old.nodes.size() != fresh.nodes.size()) {
    return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  }
  std::map<const Node*, const Node*> pair;
  for (size_t i = 0; i < old.nodes.size(); ++i) {
    pair[fresh.nodes[i].get()] = old.nodes[i].get();
  }
  for (size_t i = 0; i < old.nodes.size(); ++i) {
    const Node& before = *old.nodes[i];
    Node& after = *fresh.nodes[i];
    *different = &after;
    if (before.operation.type != after.operation.type) {
      return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    }
    if (before.dependencies.size() != after.dependencies.size()) {
      return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    }
    for (size_t n = 0; n < before.dependencies.size(); ++n) {
      if (pair[after.dependencies[n]] != before.dependencies[n]) {
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
      }
    }
    if (before.operation.child != nullptr) {
      CUgraphExecUpdateResult inner =
          Compare(*before.operation.child, *after.operation.child, different);
      if (inner != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        return inner;
      }
    }
  }
  *different = nullptr;
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

void Replace(Graph& old, const Graph& fresh) {
  old.references = fresh.references;
  for (size_t i = 0; i < old.nodes.size(); ++i) {
    Operation& operation = old.nodes[i]->operation;
    if (operation.child != nullptr) {
      Replace(*operation.child, *fresh.nodes[i]->operation.child);
    } else {
      operation = fresh.nodes[i]->operation;
    }
  }
}

// References that are about to be replaced last as long as launches that are pending, and no longer
// than the next launch, which somebody waits for.
void KeepUntilLaunched(GraphExec& exec) {
  TaskPtr task = Marker();
  task->run = [kept = Clone(*exec.graph, nullptr)]() mutable {
    kept.reset();
    return CUDA_SUCCESS;
  };
  Submit(exec.lanes[0], task, {exec.last});
  exec.last = task;
}

CUresult SetChild(CUgraphExec handle, CUgraphNode original, CUgraph child) {
  return WithExecNode(handle, original, [&](GraphExec& exec, Node& node) {
    std::shared_ptr<Graph> fresh = graphs.Find(child);
    Node* different = nullptr;
    if (fresh == nullptr || node.operation.child == nullptr ||
        Compare(*node.operation.child, *fresh, &different) != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    KeepUntilLaunched(exec);
    Replace(*node.operation.child, *fresh);
    return CUDA_SUCCESS;
  });
}

CUresult Update(CUgraphExec handle, CUgraph graph_handle, CUgraphExecUpdateResult* result,
                CUgraphNode* different) {
  return WithDriver([&] {
    std::shared_ptr<GraphExec> exec = graph_execs.Find(handle);
    std::shared_ptr<Graph> graph = graphs.Find(graph_handle);
    if (exec == nullptr || graph == nullptr) {
      *result = CU_GRAPH_EXEC_UPDATE_ERROR;
      return CUDA_ERROR_INVALID_VALUE;
    }
    Node* node = nullptr;
    *result = Compare(*exec->graph, *graph, &node);
    *different = reinterpret_cast<CUgraphNode>(node);
    if (*result != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
      return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    }
    KeepUntilLaunched(*exec);
    Replace(*exec->graph, *graph);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, CUgraphNode* error, char* log,
                                    size_t bytes) {
  if (error != nullptr) {
    *error = nullptr;
  }
  if (log != nullptr && bytes > 0) {
    *log = 0;
  }
  return Instantiate(exec, graph, 0);
}
CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* error,
                                       char* log, size_t bytes) {
  return cuGraphInstantiate(exec, graph, error, log, bytes);
}
CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph,
                                             unsigned long long flags) {
  return Instantiate(exec, graph, flags);
}
CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  if (parameters == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult result = Instantiate(exec, graph, parameters->flags);
  parameters->hErrNode_out = nullptr;
  parameters->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}

CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec handle) {
  return WithDriver([&] {
    // A launch that is pending runs on.
    return graph_execs.Remove(handle) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags) {
  return WithDriver([&] {
    std::shared_ptr<GraphExec> exec = graph_execs.Find(handle);
    if (exec == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *flags = exec->flags;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<GraphExec> exec = graph_execs.Find(handle);
    StreamPtr stream = FindStream(stream_handle);
    if (exec == nullptr || stream == nullptr) {
      return exec == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    }
    if (stream->capture != nullptr) {
      Invalidate(*stream->capture);
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;  // as a driver 580 has it
    }
    return LaunchGraph(*exec, *stream);
  });
}

CUresult CUDAAPI cuGraphUpload(CUgraphExec handle, CUstream stream_handle) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(stream_handle);
    if (graph_execs.Find(handle) == nullptr || stream == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return Enqueue(*stream, Operation{});
  });
}

CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* different,
                                   CUgraphExecUpdateResult* result) {
  return different == nullptr || result == nullptr ? CUDA_ERROR_INVALID_VALUE
                                                   : Update(exec, graph, result, different);
}
CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                                      CUgraphExecUpdateResultInfo* info) {
  if (info == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::memset(info, 0, sizeof *info);
  return Update(exec, graph, &info->result, &info->errorNode);
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                          CUgraphNodeParams* parameters) {
  if (parameters == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return parameters->type == CU_GRAPH_NODE_TYPE_GRAPH
             ? SetChild(exec, node, parameters->graph.graph)
             : SetNode(exec, node, *parameters);
}
CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_KERNEL_NODE_PARAMS_v1* kernel) {
  return kernel == nullptr ? CUDA_ERROR_INVALID_VALUE
                           : SetNode(exec, node, DescribeKernel(*kernel));
}
CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS* kernel) {
  return kernel == nullptr ? CUDA_ERROR_INVALID_VALUE
                           : SetNode(exec, node, DescribeKernel(*kernel));
}
CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_MEMCPY3D* copy, CUcontext) {
  return copy == nullptr ? CUDA_ERROR_INVALID_VALUE : SetNode(exec, node, DescribeCopy(*copy));
}
CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext) {
  return fill == nullptr ? CUDA_ERROR_INVALID_VALUE : SetNode(exec, node, DescribeFill(*fill));
}
CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                              const CUDA_HOST_NODE_PARAMS* host) {
  return host == nullptr ? CUDA_ERROR_INVALID_VALUE : SetNode(exec, node, DescribeHost(*host));
}
CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                                    CUevent event) {
  return SetNode(exec, node, DescribeEvent(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}
CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                                  CUevent event) {
  return SetNode(exec, node, DescribeEvent(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                    CUgraph child) {
  return SetChild(exec, node, child);
}

CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec handle, CUgraphNode original,
                                       unsigned int enabled) {
  return WithExecNode(handle, original, [&](GraphExec&, Node& node) {
    const CUgraphNodeType type = node.operation.type;
    if (type != CU_GRAPH_NODE_TYPE_KERNEL && type != CU_GRAPH_NODE_TYPE_MEMSET &&
        type != CU_GRAPH_NODE_TYPE_MEMCPY) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    node.enabled = enabled != 0;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec handle, CUgraphNode original,
                                       unsigned int* enabled) {
  return WithExecNode(handle, original, [&](GraphExec&, Node& node) {
    *enabled = node.enabled;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
