// From the driver's descriptions of graph nodes to operations.
#include <cstring>

#include "graphs.h"
#include "memory.h"

namespace fake {
namespace {

template <typename Parameters>
CUresult KernelOperation(const Parameters& parameters, CUfunction handle, Operation* operation) {
  Launch& launch = operation->launch;
  launch.handle = handle;
  launch.function = FindFunction(handle);
  if (launch.function == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  launch.grid[0] = parameters.gridDimX;
  launch.grid[1] = parameters.gridDimY;
  launch.grid[2] = parameters.gridDimZ;
  launch.block[0] = parameters.blockDimX;
  launch.block[1] = parameters.blockDimY;
  launch.block[2] = parameters.blockDimZ;
  launch.shared_bytes = parameters.sharedMemBytes;
  if (CUresult error = CheckLaunch(launch); error != CUDA_SUCCESS) {
    return error;
  }
  return TakeArguments(launch, parameters.kernelParams, parameters.extra);
}

CUresult FillOperation(const CUDA_MEMSET_NODE_PARAMS_v2& parameters, Operation* operation) {
  Fill& fill = operation->fill;
  if (parameters.elementSize != 1 && parameters.elementSize != 2 && parameters.elementSize != 4) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  fill.address = parameters.dst;
  fill.pitch = parameters.pitch;
  fill.value = parameters.value;
  fill.element = parameters.elementSize;
  fill.width = parameters.width;
  fill.height = parameters.height;
  return fill.width == 0 || fill.height == 0 ? CUDA_ERROR_INVALID_VALUE : Check(fill);
}

CUresult AllocationOperation(CUDA_MEM_ALLOC_NODE_PARAMS_v2* parameters, Operation* operation) {
  ContextPtr context = CurrentContext();
  if (context == nullptr || parameters->bytesize == 0) {
    return context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  }
  CUdeviceptr pointer = 0;
  CUresult error = AllocateForGraph(*context, parameters->bytesize, &pointer);
  parameters->dptr = pointer;
  std::memcpy(&operation->allocation, parameters, sizeof operation->allocation);
  return error;
}

}  // namespace

CUresult OperationOf(CUgraphNodeParams* parameters, Operation* operation) {
  if (parameters == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  operation->type = parameters->type;
  switch (parameters->type) {
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const auto& kernel = parameters->kernel;
      CUfunction handle =
          kernel.func != nullptr ? kernel.func : reinterpret_cast<CUfunction>(kernel.kern);
      return KernelOperation(kernel, handle, operation);
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      CUresult error = CopyOf(&parameters->memcpy.copyParams, &operation->copy);
      return error != CUDA_SUCCESS ? error : Check(operation->copy);
    }
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return FillOperation(parameters->memset, operation);
    case CU_GRAPH_NODE_TYPE_HOST:
      operation->host_function = parameters->host.fn;
      operation->host_data = parameters->host.userData;
      return parameters->host.fn == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      operation->event = events.Find(parameters->eventWait.event);
      return operation->event == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      operation->event = events.Find(parameters->eventRecord.event);
      return operation->event == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH: {
      std::shared_ptr<Graph> child = graphs.Find(parameters->graph.graph);
      if (child == nullptr) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      operation->child = Clone(*child, nullptr);
      operation->child->is_child = true;
      Publish(*operation->child);
      graphs.Add(operation->child);
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return AllocationOperation(&parameters->alloc, operation);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: {
      operation->allocation.dptr = parameters->free.dptr;
      Region* region = FindRegion(parameters->free.dptr);
      const bool ok =
          region != nullptr && region->base == parameters->free.dptr && region->graph_allocation;
      return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      const auto& batch = parameters->memOp;
      if (batch.count == 0 || batch.paramArray == nullptr) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      operation->memory_operations.assign(batch.paramArray, batch.paramArray + batch.count);
      return CUDA_SUCCESS;
    }
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

CUgraphNodeParams DescribeKernel(const CUDA_KERNEL_NODE_PARAMS_v1& kernel) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_KERNEL;
  std::memcpy(&parameters.kernel, &kernel, sizeof kernel);
  return parameters;
}

CUgraphNodeParams DescribeKernel(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_KERNEL;
  std::memcpy(&parameters.kernel, &kernel, sizeof kernel);
  return parameters;
}

CUgraphNodeParams DescribeCopy(const CUDA_MEMCPY3D& copy) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  parameters.memcpy.copyParams = copy;
  return parameters;
}

CUgraphNodeParams DescribeFill(const CUDA_MEMSET_NODE_PARAMS& fill) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_MEMSET;
  std::memcpy(&parameters.memset, &fill, sizeof fill);
  return parameters;
}

CUgraphNodeParams DescribeHost(const CUDA_HOST_NODE_PARAMS& host) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_HOST;
  parameters.host.fn = host.fn;
  parameters.host.userData = host.userData;
  return parameters;
}

CUgraphNodeParams DescribeEvent(CUgraphNodeType type, CUevent event) {
  CUgraphNodeParams parameters{};
  parameters.type = type;
  (type == CU_GRAPH_NODE_TYPE_WAIT_EVENT ? parameters.eventWait.event
                                         : parameters.eventRecord.event) = event;
  return parameters;
}

}  // namespace fake
