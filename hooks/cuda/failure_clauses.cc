// See the header.
#include "hooks/cuda/failure_clauses.h"

#include <cstring>

namespace gpusan::cuda {

std::string ClausesFor(const char*, CUresult code) {
  switch (code) {
    case CUDA_ERROR_NOT_INITIALIZED:
      return "cuInit has not been called";
    case CUDA_ERROR_INVALID_CONTEXT:
      return "no context is current on this thread, or the current one has been destroyed";
    default:
      return "";
  }
}

bool IsTolerated(CuCall&, CUresult code) {
  switch (code) {
    case CUDA_ERROR_NOT_READY:
    case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED:
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_NO_DEVICE:
      return true;
    default:
      return false;
  }
}

}  // namespace gpusan::cuda
