// Streams used correctly: shared read-only data, chunks with offsets, events between streams, host functions, the legacy
// and the per-thread default stream.
#include "check.h"

__global__ void Scale(const float* factor, const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * *factor;
}
// Non-const and only read, as many samples have it.
__global__ void Initialize(float* out, int* factor, int rounds, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    for (int round = 0; round < rounds; ++round) out[i] += static_cast<float>(*factor);
}
__global__ void AddAt(float* base, int offset, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) base[offset + i] += 1.0f;
}

static void SharedReadOnly() {
  constexpr int kStreams = 4, kCount = 1 << 18;
  int* factor;
  float* out;
  CHECK(cudaMalloc(&factor, sizeof(int)));
  CHECK(cudaMalloc(&out, kStreams * kCount * sizeof(float)));
  const int five = 5;
  CHECK(cudaMemcpy(factor, &five, sizeof five, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, kStreams * kCount * sizeof(float)));
  cudaStream_t streams[kStreams];
  for (auto& stream : streams) CHECK(cudaStreamCreate(&stream));
  float* host;
  CHECK(cudaMallocHost(&host, kStreams * kCount * sizeof(float)));
  for (int i = 0; i < kStreams; ++i)
    Initialize<<<kCount / 256, 256, 0, streams[i]>>>(out + i * kCount, factor, 3, kCount);
  for (int i = 0; i < kStreams; ++i) {
    CHECK(cudaMemcpyAsync(host + i * kCount, out + i * kCount, kCount * sizeof(float), cudaMemcpyDeviceToHost,
                          streams[i]));
  }
  CHECK(cudaDeviceSynchronize());
  PrintChecksum("shared", host, kStreams * kCount * sizeof(float));
  for (auto& stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(out));
  CHECK(cudaFree(factor));
}

// Upload, kernel and download of chunks overlap; each stream works on its own part, told by an offset.
static void Chunks() {
  constexpr int kStreams = 3, kChunks = 12, kCount = 1 << 16;
  float *device, *host;
  CHECK(cudaMalloc(&device, kChunks * kCount * sizeof(float)));
  CHECK(cudaMallocHost(&host, kChunks * kCount * sizeof(float)));
  const std::vector<float> ramp = Ramp(kChunks * kCount);
  for (size_t i = 0; i < ramp.size(); ++i) host[i] = ramp[i];
  cudaStream_t streams[kStreams];
  for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    cudaStream_t stream = streams[chunk % kStreams];
    const int offset = chunk * kCount;
    CHECK(cudaMemcpyAsync(device + offset, host + offset, kCount * sizeof(float), cudaMemcpyHostToDevice, stream));
    AddAt<<<kCount / 256, 256, 0, stream>>>(device, offset, kCount);
    CHECK(cudaMemcpyAsync(host + offset, device + offset, kCount * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  for (auto& stream : streams) CHECK(cudaStreamSynchronize(stream));
  PrintChecksum("chunks", host, kChunks * kCount * sizeof(float));
  for (auto& stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
}

static void Add(void* sum) { *static_cast<int*>(sum) += 1; }

static void Events() {
  constexpr int kCount = 1 << 18;
  float *factor, *a, *b, *c;
  CHECK(cudaMalloc(&factor, sizeof(float)));
  for (float** buffer : {&a, &b, &c}) CHECK(cudaMalloc(buffer, kCount * sizeof(float)));
  cudaStream_t producer, consumer;
  CHECK(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
  cudaEvent_t ready, taken;
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&taken, cudaEventDisableTiming));
  float *host, *result;
  CHECK(cudaMallocHost(&host, kCount * sizeof(float)));
  CHECK(cudaMallocHost(&result, kCount * sizeof(float)));
  const std::vector<float> ramp = Ramp(kCount);
  for (int i = 0; i < kCount; ++i) host[i] = ramp[i];
  const float two = 2;
  CHECK(cudaMemcpy(factor, &two, sizeof two, cudaMemcpyHostToDevice));
  int functions = 0;
  for (int frame = 0; frame < 20; ++frame) {
    // Waiting for an event that was never recorded is no wait.
    CHECK(cudaStreamWaitEvent(producer, taken, 0));
    CHECK(cudaMemcpyAsync(a, host, kCount * sizeof(float), cudaMemcpyHostToDevice, producer));
    CHECK(cudaEventRecord(ready, producer));
    CHECK(cudaStreamWaitEvent(consumer, ready, 0));
    Scale<<<kCount / 256, 256, 0, consumer>>>(factor, a, b, kCount);
    CHECK(cudaEventRecord(taken, consumer));
    Scale<<<kCount / 256, 256, 0, consumer>>>(factor, b, c, kCount);
    CHECK(cudaLaunchHostFunc(consumer, Add, &functions));
  }
  CHECK(cudaMemcpyAsync(result, c, kCount * sizeof(float), cudaMemcpyDeviceToHost, consumer));
  while (cudaStreamQuery(consumer) == cudaErrorNotReady) {
  }
  PrintChecksum("events", result, kCount * sizeof(float));
  std::printf("functions %d\n", functions);
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaEventDestroy(taken));
  for (float* buffer : {factor, a, b, c}) CHECK(cudaFree(buffer));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(result));
}

// Blocking streams and the legacy stream wait for each other.
static void Legacy() {
  constexpr int kCount = 1 << 16;
  float *factor, *a, *b;
  CHECK(cudaMalloc(&factor, sizeof(float)));
  CHECK(cudaMalloc(&a, kCount * sizeof(float)));
  CHECK(cudaMalloc(&b, kCount * sizeof(float)));
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  const float half = 0.5f;
  const std::vector<float> ramp = Ramp(kCount);
  CHECK(cudaMemcpyAsync(factor, &half, sizeof half, cudaMemcpyHostToDevice, one));
  CHECK(cudaMemcpyAsync(a, ramp.data(), kCount * sizeof(float), cudaMemcpyHostToDevice, two));
  Scale<<<kCount / 256, 256>>>(factor, a, b, kCount);  // behind both
  CHECK(cudaMemsetAsync(a, 0, kCount * sizeof(float), one));  // behind the kernel
  std::vector<float> result(kCount);
  CHECK(cudaMemcpy(result.data(), b, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  PrintChecksum("legacy", result.data(), kCount * sizeof(float));
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
  for (float* buffer : {factor, a, b}) CHECK(cudaFree(buffer));
}

int main() {
  SharedReadOnly();
  Chunks();
  Events();
  Legacy();
  CHECK(cudaDeviceReset());
  return 0;
}
