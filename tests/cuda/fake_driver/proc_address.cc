// cuGetProcAddress: from a name, a version and flags to an entry point.
#include <cuda.h>

#include <cstring>

#include "entry_points.h"
#include "state.h"

using namespace fake;

namespace {

CUresult Find(const char* symbol, void** address, int version, cuuint64_t flags,
              CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || address == nullptr || version > kDriverVersion ||
      flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *address = nullptr;
  bool variants = false;
  for (const EntryPoint* entry = kEntryPoints; entry->root != nullptr; ++entry) {
    variants = variants || (entry->per_thread && std::strcmp(entry->root, symbol) == 0);
  }
  const bool per_thread = variants && flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  for (const EntryPoint* entry = kEntryPoints; entry->root != nullptr; ++entry) {
    if (entry->per_thread != per_thread || std::strcmp(entry->root, symbol) != 0) {
      continue;
    }
    if (entry->version <= version) {
      *address = entry->address;
      found = CU_GET_PROC_ADDRESS_SUCCESS;
    } else if (*address == nullptr) {
      found = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    }
  }
  if (status != nullptr) {  // which then says it, and the call succeeds
    *status = found;
    return CUDA_SUCCESS;
  }
  return found == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGetProcAddress(const char* symbol, void** address, int version,
                                  cuuint64_t flags) {
  return Find(symbol, address, version, flags, nullptr);
}

CUresult CUDAAPI cuGetProcAddress_v2(const char* symbol, void** address, int version,
                                     cuuint64_t flags, CUdriverProcAddressQueryResult* status) {
  return Find(symbol, address, version, flags, status);
}

CUresult CUDAAPI cuGetExportTable(const void** table, const CUuuid*) {
  if (table != nullptr) {
    *table = nullptr;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
