// What lies behind failing calls of the CUDA driver.
#include <catch2/catch.hpp>

#include <cuda.h>

#include <fstream>
#include <string>
#include <vector>

#include "hooks/cuda/explain/failure_clauses.h"

namespace gpusan::cuda {
namespace {

std::vector<std::string> Exports() {
  std::ifstream file(EXPORTED_NAMES);
  std::vector<std::string> names;
  for (std::string name; std::getline(file, name);) {
    if (name.substr(0, 2) == "cu") names.push_back(name);
  }
  return names;
}

struct Row {
  std::string functions;
  CUresult code;
  std::string text;
};
const std::vector<Row> kRows = {
#define GPUSAN_CU_CLAUSE(functions, code, text) {functions, code, text},
#include "hooks/cuda/explain/failure_clauses.def"
#undef GPUSAN_CU_CLAUSE
};

TEST_CASE("every clause belongs to a function that the driver exports") {
  const std::vector<std::string> names = Exports();
  REQUIRE(names.size() > 400);
  for (const Row& row : kRows) {
    bool found = false;
    for (const std::string& name : names) found |= ClausesFor(name.c_str(), row.code) == row.text;
    INFO(row.functions << " " << row.code << ": " << row.text);
    CHECK(found);
  }
}

TEST_CASE("all versions of a function have its clauses, and no other function has them") {
  const std::string launch = ClausesFor("cuLaunchKernel", CUDA_ERROR_INVALID_VALUE);
  CHECK(launch == ClausesFor("cuLaunchKernelEx_ptsz", CUDA_ERROR_INVALID_VALUE));
  CHECK(launch != ClausesFor("cuMemFree_v2", CUDA_ERROR_INVALID_VALUE));
  CHECK(ClausesFor("cuArray3DCreate_v2", CUDA_ERROR_INVALID_VALUE) ==
        ClausesFor("cuArrayCreate", CUDA_ERROR_INVALID_VALUE));
  CHECK(ClausesFor("cuMemcpy2DUnaligned_v2_ptds", CUDA_ERROR_INVALID_VALUE) ==
        ClausesFor("cuMemcpy2D_v2", CUDA_ERROR_INVALID_VALUE));
  CHECK(ClausesFor("cuEventQuery", CUDA_ERROR_ALREADY_ACQUIRED).empty());
}

TEST_CASE("codes that correct programs query deliberately are tolerated") {
  CHECK(IsTolerated("cuStreamQuery_ptsz", CUDA_ERROR_NOT_READY));
  CHECK(IsTolerated("cuCtxEnablePeerAccess", CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED));
  CHECK(IsTolerated("cuModuleGetGlobal_v2", CUDA_ERROR_NOT_FOUND));
  CHECK(IsTolerated("cuDeviceGet", CUDA_ERROR_INVALID_DEVICE));
  CHECK_FALSE(IsTolerated("cuModuleGetFunction", CUDA_ERROR_NOT_FOUND));
  CHECK_FALSE(IsTolerated("cuCtxCreate_v4", CUDA_ERROR_INVALID_DEVICE));
  CHECK_FALSE(IsTolerated("cuMemFree_v2", CUDA_ERROR_INVALID_VALUE));
}

}  // namespace
}  // namespace gpusan::cuda
