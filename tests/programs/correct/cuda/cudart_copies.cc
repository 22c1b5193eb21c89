// Copies of the runtime: of arrays, of pitched memory, in chunks, and in the direction that the
// pointers give.
#include "common/cudart.h"

// Arrays of one, two and three dimensions, uploaded, copied among themselves and downloaded.
static void Arrays() {
  static float data[32 * 32], result[32 * 32];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t plane, other, volume;
  OK(cudaMallocArray(&plane, &format, 32, 32, 0));
  OK(cudaMallocArray(&other, &format, 32, 32, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(plane, 0, 0, data, 32 * 4, 32 * 4, 32, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DArrayToArray(other, 0, 0, plane, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy2DFromArray(result, 32 * 4, other, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToHost));
  CHECK(memcmp(data, result, sizeof(data)) == 0);
  const cudaExtent extent = {16, 16, 4};
  OK(cudaMalloc3DArray(&volume, &format, extent, 0));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = cudaPitchedPtr{data, 16 * 4, 16, 16};
  copy.dstArray = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = plane;
  cudaTextureDesc sampling = {};
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  OK(cudaDestroyTextureObject(texture));
  resource.res.array.array = other;
  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeArray(volume));
  OK(cudaFreeArray(other));
  OK(cudaFreeArray(plane));
  Close();
}

// Data in chunks, each with a stream of its own, that share one read-only table: uploads,
// kernels and downloads overlap.
static void ChunkedStreams() {
  enum { chunks = 4, n = 1024 };
  const void* add = Kernel(KERNEL_ADD);
  float* data = (float*)NewPinned(chunks * n * sizeof(float));
  float* result = (float*)NewPinned(chunks * n * sizeof(float));
  float table[n];
  for (int i = 0; i < chunks * n; ++i) data[i] = i;
  for (int i = 0; i < n; ++i) table[i] = 1;
  float *in, *out, *shared;
  OK(cudaMalloc((void**)&in, chunks * n * sizeof(float)));
  OK(cudaMalloc((void**)&out, chunks * n * sizeof(float)));
  OK(cudaMalloc((void**)&shared, sizeof(table)));
  OK(cudaMemcpy(shared, table, sizeof(table), cudaMemcpyHostToDevice));
  cudaStream_t streams[chunks];
  for (cudaStream_t& stream : streams)
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < chunks; ++i) {
      float *from = in + i * n, *to = out + i * n;
      int count = n;
      OK(cudaMemcpyAsync(from, data + i * n, n * sizeof(float), cudaMemcpyHostToDevice,
                         streams[i]));
      void* arguments[] = {&from, &shared, &to, &count};
      OK(cudaLaunchKernel(add, dim3(4), dim3(256), arguments, 0, streams[i]));
      OK(cudaMemcpyAsync(result + i * n, to, n * sizeof(float), cudaMemcpyDeviceToHost,
                         streams[i]));
    }
  }
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < chunks * n; ++i) CHECK(result[i] == i + 1);
  for (cudaStream_t stream : streams) OK(cudaStreamDestroy(stream));
  OK(cudaFree(shared));
  OK(cudaFree(out));
  OK(cudaFree(in));
  OK(cudaFreeHost(result));
  OK(cudaFreeHost(data));
  Close();
}

// The direction of a copy is left to the runtime, which knows where each pointer lies; a copy
// from host to host is one too.
static void DefaultKind() {
  static char data[4096], result[4096];
  memset(data, 7, sizeof(data));
  char *buffer = NewZeros(4096), *other = NewZeros(4096), *locked = NewPinned(4096);
  OK(cudaMemcpy(buffer, data, 4096, cudaMemcpyDefault));
  OK(cudaMemcpy(other, buffer, 4096, cudaMemcpyDefault));
  OK(cudaMemcpy(locked, other, 4096, cudaMemcpyDefault));
  OK(cudaMemcpy(result, locked, 4096, cudaMemcpyDefault));
  CHECK(memcmp(data, result, 4096) == 0);
  OK(cudaMemcpy(result, data, 4096, cudaMemcpyHostToHost));
  OK(cudaFreeHost(locked));
  OK(cudaFree(other));
  OK(cudaFree(buffer));
  Close();
}

// Pitched memory of two and three dimensions, filled, copied whole and in part.
static void PitchedMemory() {
  static unsigned char data[30 * 20], result[30 * 20];
  for (int i = 0; i < 600; ++i) data[i] = i;
  void* buffer;
  size_t pitch;
  OK(cudaMallocPitch(&buffer, &pitch, 30, 20));
  OK(cudaMemset2D(buffer, pitch, 0, 30, 20));
  OK(cudaMemcpy2D(buffer, pitch, data, 30, 30, 20, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2D(result, 30, buffer, pitch, 30, 20, cudaMemcpyDeviceToHost));
  CHECK(memcmp(data, result, sizeof(data)) == 0);
  OK(cudaFree(buffer));
  cudaPitchedPtr box;
  const cudaExtent extent = {30, 5, 4};
  OK(cudaMalloc3D(&box, extent));
  OK(cudaMemset3D(box, 0, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = cudaPitchedPtr{data, 30, 30, 5};
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms back = {};
  back.srcPtr = box;
  back.dstPtr = cudaPitchedPtr{result, 30, 30, 5};
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&back));
  CHECK(memcmp(data, result, sizeof(data)) == 0);
  OK(cudaFree(box.ptr));
  Close();
}

int main() {
  Arrays();
  ChunkedStreams();
  DefaultKind();
  PitchedMemory();
}
