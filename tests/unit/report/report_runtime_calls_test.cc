// Findings in the words of the CUDA runtime.
#include <catch2/catch.hpp>

#include "report/text/runtime_calls.h"

namespace gpusan {
namespace {

TextFinding MissingKernel(const char* runtime) {
  TextFinding finding;
  finding.rule = "module-invalid";
  finding.call = "cuLibraryGetKernel";
  finding.what = "cuLibraryGetKernel finds no code";
  TextFrame inner, own;
  inner.function = runtime;
  own.function = "main";
  own.file = "main.cc";
  finding.frames = {inner, own};
  return finding;
}

TEST_CASE("a launch of a kernel that has no code for the device stays an error") {
  for (const char* call :
       {"cudaLaunchKernel_ptsz", "__cudaLaunchKernel", "__cudaLaunchKernel_ptsz"}) {
    TextFinding finding = MissingKernel(call);
    NameRuntimeCalls(&finding);
    CHECK(finding.call == "cudaLaunchKernel");
    CHECK(finding.what == "cudaLaunchKernel finds no code");
    CHECK(finding.severity == Severity::kError);
  }
}

TEST_CASE("a question about a kernel that has no code for the device is a note") {
  for (const char* call : {"cudaFuncGetAttributes", "cudaOccupancyMaxPotentialClusterSize",
                           "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"}) {
    TextFinding finding = MissingKernel(call);
    NameRuntimeCalls(&finding);
    CHECK(finding.call == call);
    CHECK(finding.severity == Severity::kNote);
  }
}

TEST_CASE("the parameters of the runtime's functions have their own names") {
  TextFinding finding = MissingKernel("cudaMemcpyAsync");
  finding.rule = "copy-direction";
  finding.call = "cuMemcpyHtoDAsync_v2";
  finding.what = "srcHost points into device allocation #1, on hStream";
  finding.fix = "pass a host pointer as srcHost, and wait by cuStreamSynchronize";
  NameRuntimeCalls(&finding);
  CHECK(finding.call == "cudaMemcpyAsync");
  CHECK(finding.what == "src points into device allocation #1, on stream");
  CHECK(finding.fix == "pass a host pointer as src, and wait by cudaStreamSynchronize");
}

TEST_CASE("two calls of one function of the runtime are told apart") {
  TextFinding finding = MissingKernel("cudaMemcpyAsync");
  finding.rule = "race";
  finding.call = "cuMemcpyHtoDAsync_v2";
  finding.what =
      "cuMemcpyHtoDAsync_v2 reads the block, but nothing orders it after cuMemcpyDtoHAsync_v2";
  finding.fix = "let the stream of cuMemcpyHtoDAsync_v2 wait for cuMemcpyDtoHAsync_v2";
  finding.parties.emplace_back();
  finding.parties[0].role = "pending-command";
  finding.parties[0].text = "cuMemcpyDtoHAsync_v2 writes it";
  finding.parties[0].frames = finding.frames;
  NameRuntimeCalls(&finding);
  CHECK(finding.what ==
        "cudaMemcpyAsync reads the block, but nothing orders it after an earlier cudaMemcpyAsync");
  CHECK(finding.fix ==
        "let the stream of the later cudaMemcpyAsync wait for the earlier cudaMemcpyAsync");
  CHECK(finding.parties[0].text == "cudaMemcpyAsync writes it");
}

TEST_CASE("calls of the runtime have its codes, except launches that the driver rejects") {
  TextFinding finding = MissingKernel("cudaMalloc");
  finding.rule = "out-of-memory";
  finding.call = "cuMemAlloc_v2";
  finding.what = "cuMemAlloc_v2 of 4 TiB failed with CUDA_ERROR_OUT_OF_MEMORY (2)";
  NameRuntimeCalls(&finding);
  CHECK(finding.what == "cudaMalloc of 4 TiB failed with cudaErrorMemoryAllocation (2)");
  CHECK(CodeNameFor("cudaMalloc", "CUDA_ERROR_OUT_OF_MEMORY") == "cudaErrorMemoryAllocation");
  CHECK(CodeNameFor("cuMemAlloc_v2", "CUDA_ERROR_OUT_OF_MEMORY") == "CUDA_ERROR_OUT_OF_MEMORY");
  CHECK(CodeNameFor("cudaMalloc", "CUDA_ERROR_OF_LATER") == "CUDA_ERROR_OF_LATER");
  CHECK(CodeNameFor("cudaLaunchKernel", "CUDA_ERROR_INVALID_VALUE") == "CUDA_ERROR_INVALID_VALUE");
}

TEST_CASE("a look-up that the program makes itself keeps its name and severity") {
  TextFinding finding = MissingKernel("LoadKernels");
  NameRuntimeCalls(&finding);
  CHECK(finding.call == "cuLibraryGetKernel");
  CHECK(finding.severity == Severity::kError);
}

}  // namespace
}  // namespace gpusan
