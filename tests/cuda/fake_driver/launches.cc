// Kernel launches in all forms.
#include "launches.h"

#include <algorithm>
#include <cstring>

#include "graphs.h"
#include "memory.h"
#include "operations.h"

namespace fake {
namespace {

constexpr unsigned kGridLimits[3] = {0x7fffffff, 65535, 65535};
constexpr unsigned kBlockLimits[3] = {1024, 1024, 64};

size_t ArgumentBytes(const EntryText& text) {
  return text.parameters.empty() ? 0 : text.parameters.back().offset + text.parameters.back().bytes;
}

}  // namespace

CUresult CheckLaunch(const Launch& launch) {
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.grid[i] > kGridLimits[i] || launch.block[i] == 0 ||
        launch.block[i] > kBlockLimits[i]) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (threads > kMaxThreadsPerBlock ||
      launch.shared_bytes > static_cast<unsigned>(launch.function->max_dynamic_shared_bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult TakeArguments(Launch& launch, void** kernel_parameters, void** extra) {
  const EntryText& text = launch.function->text;
  const size_t bytes = ArgumentBytes(text);
  launch.arguments.assign(bytes, 0);
  if (kernel_parameters != nullptr && extra != nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (extra != nullptr) {
    const void* buffer = nullptr;
    size_t given = 0;
    for (size_t i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
      if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = extra[i + 1];
      } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
        given = *static_cast<size_t*>(extra[i + 1]);
      } else {
        return CUDA_ERROR_INVALID_VALUE;
      }
    }
    if (given > bytes) {
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    }
    if (given > 0 && buffer == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::copy_n(static_cast<const unsigned char*>(buffer), given, launch.arguments.begin());
    return CUDA_SUCCESS;
  }
  if (kernel_parameters == nullptr) {
    return bytes == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  for (size_t i = 0; i < text.parameters.size(); ++i) {
    if (kernel_parameters[i] == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::memcpy(launch.arguments.data() + text.parameters[i].offset, kernel_parameters[i],
                text.parameters[i].bytes);
  }
  return CUDA_SUCCESS;
}

}  // namespace fake

using namespace fake;

namespace {

CUresult LaunchIn(CUfunction handle, const unsigned (&grid)[3], const unsigned (&block)[3],
                  unsigned shared_bytes, CUstream stream_handle, void** parameters, void** extra) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(stream_handle);
    if (stream == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_KERNEL;
    Launch& launch = operation.launch;
    launch.handle = handle;
    launch.function = FindFunction(handle);
    if (launch.function == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    std::shared_ptr<Module> module = launch.function->module.lock();
    if (module == nullptr || module->context.lock() != stream->context.lock()) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    std::copy(std::begin(grid), std::end(grid), launch.grid);
    std::copy(std::begin(block), std::end(block), launch.block);
    launch.shared_bytes = shared_bytes;
    if (CUresult error = CheckLaunch(launch); error != CUDA_SUCCESS) {
      return error;
    }
    if (CUresult error = TakeArguments(launch, parameters, extra); error != CUDA_SUCCESS) {
      return error;
    }
    return Enqueue(*stream, operation);
  });
}

// A grid is divided into whole clusters, of at most 8 blocks on every device that has clusters.
bool ClusterFits(const CUlaunchConfig& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    if (attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& size = attribute.value.clusterDim;
    if (size.x == 0 || size.y == 0 || size.z == 0 || config.gridDimX % size.x != 0 ||
        config.gridDimY % size.y != 0 || config.gridDimZ % size.z != 0 ||
        uint64_t{size.x} * size.y * size.z > 8)
      return false;
  }
  return true;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                void** parameters, void** extra) {
  return LaunchIn(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes,
                  stream, parameters, extra);
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function,
                                  void** parameters, void** extra) {
  if (config == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!ClusterFits(*config)) {
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  return LaunchIn(function, {config->gridDimX, config->gridDimY, config->gridDimZ},
                  {config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes,
                  config->hStream, parameters, extra);
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x,
                                           unsigned int grid_y, unsigned int grid_z,
                                           unsigned int block_x, unsigned int block_y,
                                           unsigned int block_z, unsigned int shared_bytes,
                                           CUstream stream, void** parameters) {
  constexpr uint64_t kResident = uint64_t{132} * 2048;  // threads that the device holds at once
  if (uint64_t{grid_x} * grid_y * grid_z * block_x * block_y * block_z > kResident) {
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  return LaunchIn(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes,
                  stream, parameters, nullptr);
}

}  // extern "C"
