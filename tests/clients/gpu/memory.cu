// Memory used correctly: pools and stream-ordered allocation, graphs with memory nodes, captured graphs, managed memory,
// mapped host memory, pitched memory, arrays and textures.
#include <cstring>

#include "check.h"

__global__ void Fill(float* out, float value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = value + static_cast<float>(i & 255);
}
__global__ void Add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}
__global__ void Sample(cudaTextureObject_t texture, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}
__global__ void Store(cudaSurfaceObject_t surface, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) surf2Dwrite(static_cast<float>(x + y), surface, x * sizeof(float), y);
}

constexpr int kCount = 1 << 18;
constexpr size_t kBytes = kCount * sizeof(float);

static void Pools() {
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  cudaMemPool_t pool;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPoolCreate(&pool, &properties));
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  std::vector<float> result(kCount);
  for (int round = 0; round < 5; ++round) {
    float *a, *b, *c;
    CHECK(cudaMallocAsync(&a, kBytes, one));
    CHECK(cudaMallocFromPoolAsync(&b, kBytes, pool, one));
    Fill<<<kCount / 256, 256, 0, one>>>(a, 1.0f * round, kCount);
    Fill<<<kCount / 256, 256, 0, one>>>(b, 2.0f, kCount);
    CHECK(cudaEventRecord(event, one));
    CHECK(cudaStreamWaitEvent(two, event, 0));
    CHECK(cudaMallocAsync(&c, kBytes, two));
    Add<<<kCount / 256, 256, 0, two>>>(a, b, c, kCount);
    CHECK(cudaFreeAsync(a, two));
    CHECK(cudaFreeAsync(b, two));
    CHECK(cudaMemcpyAsync(result.data(), c, kBytes, cudaMemcpyDeviceToHost, two));
    CHECK(cudaFreeAsync(c, two));
  }
  CHECK(cudaStreamSynchronize(two));
  PrintChecksum("pools", result.data(), kBytes);
  CHECK(cudaStreamSynchronize(one));
  CHECK(cudaMemPoolDestroy(pool));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
}

static void Captured() {
  cudaStream_t one, two;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  float *a, *b, *c, *host;
  for (float** buffer : {&a, &b, &c}) CHECK(cudaMalloc(buffer, kBytes));
  CHECK(cudaMallocHost(&host, kBytes));
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, one));
  CHECK(cudaStreamWaitEvent(two, fork, 0));
  Fill<<<kCount / 256, 256, 0, one>>>(a, 1.0f, kCount);
  Fill<<<kCount / 256, 256, 0, two>>>(b, 2.0f, kCount);
  CHECK(cudaEventRecord(join, two));
  CHECK(cudaStreamWaitEvent(one, join, 0));
  Add<<<kCount / 256, 256, 0, one>>>(a, b, c, kCount);
  CHECK(cudaMemcpyAsync(host, c, kBytes, cudaMemcpyDeviceToHost, one));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(one, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 10; ++i) CHECK(cudaGraphLaunch(exec, i % 2 ? one : two));
  CHECK(cudaStreamSynchronize(one));
  CHECK(cudaStreamSynchronize(two));
  PrintChecksum("captured", host, kBytes);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
  for (float* buffer : {a, b, c}) CHECK(cudaFree(buffer));
  CHECK(cudaFreeHost(host));
}

static void MemoryNodes() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float* host;
  CHECK(cudaMallocHost(&host, kBytes));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  float *a, *b;
  CHECK(cudaMallocAsync(&a, kBytes, stream));
  CHECK(cudaMallocAsync(&b, kBytes, stream));
  Fill<<<kCount / 256, 256, 0, stream>>>(a, 3.0f, kCount);
  Add<<<kCount / 256, 256, 0, stream>>>(a, a, b, kCount);
  CHECK(cudaMemcpyAsync(host, b, kBytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(a, stream));
  CHECK(cudaFreeAsync(b, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 5; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  PrintChecksum("memory-nodes", host, kBytes);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFreeHost(host));
  CHECK(cudaStreamDestroy(stream));
}

static void Managed() {
  float *a, *b;
  CHECK(cudaMallocManaged(&a, kBytes));
  CHECK(cudaMallocManaged(&b, kBytes));
  for (int i = 0; i < kCount; ++i) a[i] = static_cast<float>(i % 7);
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchAsync(a, kBytes, device, 0, 0));
  Add<<<kCount / 256, 256>>>(a, a, b, kCount);
  CHECK(cudaDeviceSynchronize());
  PrintChecksum("managed", b, kBytes);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

static void Mapped() {
  float* host;
  CHECK(cudaHostAlloc(&host, kBytes, cudaHostAllocMapped));
  float* device;
  CHECK(cudaHostGetDevicePointer(&device, host, 0));
  Fill<<<kCount / 256, 256>>>(device, 9.0f, kCount);
  CHECK(cudaDeviceSynchronize());
  PrintChecksum("mapped", host, kBytes);
  CHECK(cudaFreeHost(host));
  float* block = static_cast<float*>(std::malloc(kBytes));
  std::memset(block, 0, kBytes);
  CHECK(cudaHostRegister(block, kBytes, cudaHostRegisterDefault));
  CHECK(cudaMalloc(&device, kBytes));
  Fill<<<kCount / 256, 256>>>(device, 4.0f, kCount);
  CHECK(cudaMemcpyAsync(block, device, kBytes, cudaMemcpyDeviceToHost, 0));
  CHECK(cudaStreamSynchronize(0));
  PrintChecksum("registered", block, kBytes);
  CHECK(cudaHostUnregister(block));
  std::free(block);
  CHECK(cudaFree(device));
}

static void Images() {
  constexpr int kWidth = 250, kHeight = 100;
  const std::vector<float> ramp = Ramp(kWidth * kHeight);
  float* pitched;
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, kWidth * sizeof(float), kHeight));
  CHECK(cudaMemcpy2D(pitched, pitch, ramp.data(), kWidth * sizeof(float), kWidth * sizeof(float), kHeight,
                     cudaMemcpyHostToDevice));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, pitched, pitch, kWidth * sizeof(float), kHeight, cudaMemcpyDeviceToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc view = {};
  view.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &view, nullptr));
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  float* out;
  CHECK(cudaMalloc(&out, kWidth * kHeight * sizeof(float)));
  std::vector<float> result(kWidth * kHeight);
  Sample<<<dim3(1, kHeight), 256>>>(texture, out, kWidth, kHeight);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  PrintChecksum("texture", result.data(), result.size() * sizeof(float));
  Store<<<dim3(1, kHeight), 256>>>(surface, kWidth, kHeight);
  CHECK(cudaMemcpy2DFromArray(result.data(), kWidth * sizeof(float), array, 0, 0, kWidth * sizeof(float), kHeight,
                              cudaMemcpyDeviceToHost));
  PrintChecksum("surface", result.data(), result.size() * sizeof(float));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(pitched));
  CHECK(cudaFree(out));
}

int main() {
  Pools();
  Captured();
  MemoryNodes();
  Managed();
  Mapped();
  Images();
  CHECK(cudaDeviceReset());
  return 0;
}
