// The documented causes of failed driver calls (failure_clauses.def).
#include "hooks/cuda/explain/failure_clauses.h"

#include <string_view>

namespace gpusan::cuda {
namespace {

struct Row {
  std::string_view functions;
  CUresult code;
  const char* text;
};
constexpr Row kRows[] = {
#define GPUSAN_CU_CLAUSE(functions, code, text) {functions, code, text},
#include "hooks/cuda/explain/failure_clauses.def"
#undef GPUSAN_CU_CLAUSE
};

std::string_view WithoutVersion(std::string_view name) {
  for (const std::string_view suffix : {"_ptsz", "_ptds"}) {
    if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
      name.remove_suffix(suffix.size());
  }
  const size_t at = name.rfind("_v");
  if (at != std::string_view::npos &&
      name.find_first_not_of("0123456789", at + 2) == std::string_view::npos)
    name = name.substr(0, at);
  return name;
}

// '*' matches any characters.
bool Fits(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t at = star; at <= name.size(); ++at) {
    if (Fits(rest, name.substr(at))) return true;
  }
  return false;
}

}  // namespace

std::string ClausesFor(const char* function, CUresult code) {
  const std::string_view name = WithoutVersion(function);
  for (const Row& row : kRows) {
    if (row.code == code && (row.functions.empty() || Fits(row.functions, name))) return row.text;
  }
  return "";
}

bool IsTolerated(const char* function, CUresult code) {
  const std::string_view name = WithoutVersion(function);
  switch (code) {
    // Queries for which the code is a regular answer.
    case CUDA_ERROR_NOT_READY:
    case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE:
    // Another part of the program was first; the state is as requested.
    case CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED:
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
    // Static objects release their resources after the driver has shut down.
    case CUDA_ERROR_DEINITIALIZED:
    // Programs find out what a device or driver can do by trying.
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_NO_DEVICE:
      return true;
    case CUDA_ERROR_NOT_FOUND:
      // Programs probe for variables and entry points. A missing kernel was meant to run.
      return name != "cuModuleGetFunction" && name != "cuLibraryGetKernel";
    case CUDA_ERROR_INVALID_VALUE:
      // Programs ask what kind of memory a pointer has: mapped, shareable, of a pool.
      return name == "cuMemRetainAllocationHandle" || name == "cuMemGetHandleForAddressRange" ||
             name == "cuIpcGetMemHandle" || name == "cuPointerSetAttribute" ||
             name == "cuMemHostGetDevicePointer" ||
             // Bindings for other languages look up functions of a version above the driver's.
             name == "cuGetProcAddress";
    case CUDA_ERROR_NOT_PERMITTED:
      // The kinds of handles for other processes are tried one after the other.
      return name == "cuMemCreate";
    // The state is as requested.
    case CUDA_ERROR_PEER_ACCESS_NOT_ENABLED:
      return name == "cuCtxDisablePeerAccess";
    case CUDA_ERROR_INVALID_DEVICE:
      return name == "cuDeviceGet";
    case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
      return name == "cuCtxEnablePeerAccess";
    default:
      return false;
  }
}

}  // namespace gpusan::cuda
