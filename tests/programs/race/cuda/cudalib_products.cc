// Defect: Products and sums of cuBLAS, and copies of their operands and results on another stream.
// Fix: The later stream waits for the earlier one.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Defect: The second operand of a product of cuBLAS, of which the library's launches do not tell the
// parameters, is uploaded on another stream.
// Fix: The product waits for an event behind the upload.
// EXPECT error race cublasSgemm_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
// EXPECT-FACT argument=B
static void GemmOperandUploaded() {
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* data = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float one = 1;
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(b, data, kBytes, second));
#ifndef DEFECT
  CUevent uploaded = NewEvent();
  OK(cuEventRecord(uploaded, second));
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &one, (float*)c, kSize));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuEventDestroy(uploaded));
#endif
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(data));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Release(second, first);
}

// Defect: The result of a matrix product of cuBLAS is downloaded on another stream than that of the
// product.
// Fix: The download is enqueued to the stream of the product.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_2
// EXPECT-PARTY pending-command at PRODUCT
// EXPECT-FACT hazard=RAW
static void GemmResultDownloaded() {
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* result = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float one = 1, zero = 0;
  // @PRODUCT
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, kSize));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE_2
  OK(cuMemcpyDtoHAsync(result, c, kBytes, stream));
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(result));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Release(second, first);
}

// Defect: A sum of cuBLAS, by the function with 64-bit counts, reads a vector that an upload on
// another stream writes.
// Fix: The library's stream waits for the upload.
// EXPECT error race cublasSaxpy_v2_64 at HERE_3
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=RAW
static void SumOfLongCounts() {
  constexpr int64_t kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr x = NewZeros(kBytes), y = NewZeros(kBytes);
  char* data = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float two = 2;
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(x, data, kBytes, second));
#ifndef DEFECT
  OK(cuStreamSynchronize(second));
#endif
  // @HERE_3
  DONE(cublasSaxpy_v2_64(handle, kCount, &two, (float*)x, 1, (float*)y, 1));
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  Release(data, y, x, second, first);
}

// Defect: A product of cuBLASLt writes the whole matrix, because its layout has been given all
// columns, while another stream uploads the second half of the matrix.
// Fix: The layout has the columns of the first half in both products.
// EXPECT error race cublasLtMatmul at HERE_4
// EXPECT-PARTY pending-command at UPLOAD_3
// EXPECT-FACT hazard=WAW
// EXPECT-FACT argument=D
static void LayoutWithMoreColumns() {
  constexpr uint64_t kSize = 64, kHalf = kSize / 2;
  constexpr size_t kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* rest = NewPinned(kBytes / 2);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  const float one = 1, zero = 0;
  const int description = 0;
  LtLayout layout;
  DONE(cublasLtMatrixLayoutInit_internal(&layout, sizeof(layout), 0, kSize, kHalf, kSize));
  const auto multiply = [&] {
    // @HERE_4
    return cublasLtMatmul(handle, &description, &one, (void*)a, &layout, (void*)b, &layout, &zero,
                          (void*)c, &layout, (void*)c, &layout, nullptr, nullptr, 0, first);
  };
  DONE(multiply());
  // @UPLOAD_3
  OK(cuMemcpyHtoDAsync(c + kBytes / 2, rest, kBytes / 2, second));
#ifdef DEFECT
  DONE(cublasLtMatrixLayoutSetAttribute(&layout, kLtColumns, &kSize, sizeof(kSize)));
#endif
  DONE(multiply());
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(rest));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Release(second, first);
}

// Defect: The operand of a captured matrix product of cuBLAS is uploaded on another stream than that
// of the graph.
// Fix: The upload is enqueued to the stream of the graph.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE_5
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
static void GraphOperandUploaded() {
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* operand = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float one = 1, zero = 0;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, kSize));
  CUgraph graph;
  OK(cuStreamEndCapture(first, &graph));
  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(exec, first));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE_5
  OK(cuMemcpyHtoDAsync(b, operand, kBytes, stream));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(operand));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Release(second, first);
}

int main() {
  Open();
  GemmOperandUploaded();
  GemmResultDownloaded();
  SumOfLongCounts();
  LayoutWithMoreColumns();
  GraphOperandUploaded();
  Close();
}
