// Defect: A program that loads cuBLAS itself downloads the result of a product on another stream.
// Fix: The download is enqueued to the stream of the product.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at PRODUCT
// EXPECT-FACT hazard=RAW
#include <dlfcn.h>

#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  // No library is loaded yet, whatever gpusan exports.
  CHECK(dlsym(RTLD_DEFAULT, "cublasSgemm_v2") == nullptr);
  CHECK(dlsym(RTLD_DEFAULT, "ncclAllReduce") == nullptr);
  void* library = dlopen("libprogram-cuda-libraries.so", RTLD_NOW | RTLD_LOCAL);
  CHECK(library != nullptr);
  auto create = (decltype(&cublasCreate_v2))dlsym(library, "cublasCreate_v2");
  auto set_stream = (decltype(&cublasSetStream_v2))dlsym(library, "cublasSetStream_v2");
  auto product = (decltype(&cublasSgemm_v2))dlsym(library, "cublasSgemm_v2");
  auto destroy = (decltype(&cublasDestroy_v2))dlsym(library, "cublasDestroy_v2");
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), c = NewZeros(kBytes);
  char* result = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(create(&handle));
  DONE(set_stream(handle, first));
  const float one = 1, zero = 0;
  // @PRODUCT
  DONE(product(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)a, kSize, &zero,
               (float*)c, kSize));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, c, kBytes, stream));
  OK(cuCtxSynchronize());
  DONE(destroy(handle));
  Close(result, c, a, second, first);
}
