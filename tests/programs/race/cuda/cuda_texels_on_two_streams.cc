// Defect: Copies and kernels that access the same texels run on two streams without a wait.
// Fix: The second stream waits for an event behind the first command.
#include "common/cuda_texels.h"

static void Launch(CUfunction kernel, CUstream stream, void** arguments) {
  OK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
}

static CUDA_MEMCPY2D AllTexels(CUarray array, float* host, bool upload) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = upload ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = upload ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  copy.srcHost = copy.dstHost = host;
  copy.srcArray = copy.dstArray = array;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = 8 * sizeof(float);
  copy.Height = 8;
  return copy;
}

// Defect: An array is uploaded while a kernel on another stream samples it.
// Fix: The upload waits for the kernel.
// EXPECT error race cuMemcpy2DAsync_v2 at UPLOAD
// EXPECT-FACT hazard=WAR
// EXPECT-FACT earlier_argument=0
static void UploadedWhileSampled(CUstream first, CUstream second, float* host, CUdeviceptr out) {
  CUarray array = NewTexels();
  CUtexObject texture = NewTexture(OfArray(array));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
  OK(cuCtxSynchronize());
  Launch(TexelKernel(KERNEL_READ_TEXTURE), first, arguments);
#ifndef DEFECT
  StreamWait(second, first);
#endif
  const CUDA_MEMCPY2D copy = AllTexels(array, host, true);
  // @UPLOAD
  OK(cuMemcpy2DAsync(&copy, second));
  OK(cuCtxSynchronize());
  OK(cuTexObjectDestroy(texture));
  Release(array);
}

// Defect: An array is downloaded while a kernel on another stream writes texels through a surface.
// Fix: The download waits for the kernel.
// EXPECT error race cuMemcpy2DAsync_v2 at DOWNLOAD
// EXPECT-FACT hazard=RAW
static void DownloadedWhileWritten(CUstream first, CUstream second, float* host) {
  CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  CUsurfObject surface;
  OK(cuSurfObjectCreate(&surface, &resource));
  float value = 3;
  int width = 8;
  void* arguments[] = {&surface, &value, &width};
  OK(cuCtxSynchronize());
  Launch(TexelKernel(KERNEL_WRITE_SURFACE), first, arguments);
#ifndef DEFECT
  StreamWait(second, first);
#endif
  const CUDA_MEMCPY2D copy = AllTexels(array, host, false);
  // @DOWNLOAD
  OK(cuMemcpy2DAsync(&copy, second));
  OK(cuCtxSynchronize());
  OK(cuSurfObjectDestroy(surface));
  Release(array);
}

// Defect: The linear memory of a texture is filled, and a kernel on another stream samples it.
// Fix: The kernel waits for the fill.
// EXPECT error race cuLaunchKernel at SAMPLE
// EXPECT-FACT hazard=RAW
static void FilledAndSampled(CUstream first, CUstream second, CUdeviceptr out) {
  CUdeviceptr rows;
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 8 * sizeof(float), 8, 4));
  CUtexObject texture = NewTexture(OfRows(rows, pitch));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
  OK(cuCtxSynchronize());
  OK(cuMemsetD8Async(rows, 0, pitch * 8, first));
#ifndef DEFECT
  StreamWait(second, first);
#endif
  CUfunction sample = TexelKernel(KERNEL_READ_TEXTURE);
  // @SAMPLE
  OK(cuLaunchKernel(sample, 1, 1, 1, 64, 1, 1, 0, second, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuTexObjectDestroy(texture));
  Release(rows);
}

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  float* host = (float*)NewPinned(64 * sizeof(float));
  CUdeviceptr out = NewZeros(64 * sizeof(float));
  UploadedWhileSampled(first, second, host, out);
  DownloadedWhileWritten(first, second, host);
  FilledAndSampled(first, second, out);
  Close(out, host, first, second);
}
