// The nodes of a graph, type by type, and their parameters.
#include <cuda.h>

#include <cstring>

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
    // As the real driver: the function in the context, even if the program launched a kernel.
    parameters->func = functions.Of(launch.function);
    if constexpr (requires { parameters->kern; }) {
      const auto kernel = reinterpret_cast<CUkernel>(launch.handle);
      if (kernels.Find(kernel) != nullptr) parameters->kern = kernel;
    }
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

}  // namespace

extern "C" {

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

CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                                                CUDA_BATCH_MEM_OP_NODE_PARAMS* out) {
  return WithNode(node, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, [&](Node& found) {
    std::vector<CUstreamBatchMemOpParams>& operations = found.operation.memory_operations;
    *out = {};
    out->count = static_cast<unsigned>(operations.size());
    out->paramArray = operations.data();
  });
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

#undef FAKE_NODE_PARAMETERS

}  // extern "C"
