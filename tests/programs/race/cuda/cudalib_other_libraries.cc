// Defect: Another stream uses the memory of a convolution of cuDNN, of a transform of cuFFT, and of
// random numbers.
// Fix: The other stream waits for the call of the library.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Defect: The output of a convolution of cuDNN is downloaded on another stream than that of the
// convolution.
// Fix: The download is enqueued to the stream of the convolution.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at CONVOLUTION
// EXPECT-FACT hazard=RAW
// Values of cuDNN's backend interface.
enum { kInt64 = 3, kDataType = 1, kVoidPointer = 6, kBackendDescriptor = 15 };

static cudnnBackendDescriptor_t New(int type) {
  cudnnBackendDescriptor_t made;
  DONE(cudnnBackendCreateDescriptor(type, &made));
  return made;
}

static void Set(cudnnBackendDescriptor_t of, int name, int type, int64_t count,
                const void* values) {
  DONE(cudnnBackendSetAttribute(of, name, type, count, values));
}

static cudnnBackendDescriptor_t NewTensor(int64_t id, int64_t size) {
  cudnnBackendDescriptor_t tensor = New(17);
  const int data_type = 0;  // CUDNN_DATA_FLOAT
  // The channels are the fastest dimension.
  const int64_t dimensions[] = {1, 4, size, size};
  const int64_t strides[] = {size * size * 4, 1, size * 4, 4};
  Set(tensor, 901, kDataType, 1, &data_type);
  Set(tensor, 902, kInt64, 4, dimensions);
  Set(tensor, 903, kInt64, 4, strides);
  Set(tensor, 906, kInt64, 1, &id);
  return tensor;
}

static void ConvolutionDownloaded() {
  constexpr int kSize = 16, kBytes = 4 * kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr x = NewZeros(kBytes), w = NewZeros(64), y = NewZeros(kBytes);
  char* result = NewPinned(kBytes);
  cudnnHandle_t handle;
  DONE(cudnnCreate(&handle));
  DONE(cudnnSetStream(handle, first));

  cudnnBackendDescriptor_t tensors[] = {NewTensor(7, kSize), NewTensor(8, 1), NewTensor(9, kSize)};
  cudnnBackendDescriptor_t convolution = New(10);
  Set(convolution, 704, kBackendDescriptor, 1, &tensors[0]);
  Set(convolution, 703, kBackendDescriptor, 1, &tensors[1]);
  Set(convolution, 705, kBackendDescriptor, 1, &tensors[2]);
  cudnnBackendDescriptor_t graph = New(15), heuristics = New(4), configuration = New(3),
                           plan = New(5), pack = New(16);
  Set(graph, 801, kBackendDescriptor, 1, &convolution);
  Set(heuristics, 201, kBackendDescriptor, 1, &graph);
  int64_t count = 0;
  DONE(cudnnBackendGetAttribute(heuristics, 202, kBackendDescriptor, 1, &count, &configuration));
  Set(plan, 401, kBackendDescriptor, 1, &configuration);
  const int64_t ids[] = {7, 8, 9};
  const CUdeviceptr pointers[] = {x, w, y};
  Set(pack, 1000, kInt64, 3, ids);
  Set(pack, 1001, kVoidPointer, 3, pointers);
  // @CONVOLUTION
  DONE(cudnnBackendExecute(handle, plan, pack));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, y, kBytes, stream));
  OK(cuCtxSynchronize());

  for (cudnnBackendDescriptor_t one : {tensors[0], tensors[1], tensors[2], convolution, graph,
                                       heuristics, configuration, plan, pack})
    DONE(cudnnBackendDestroyDescriptor(one));
  DONE(cudnnDestroy(handle));
  OK(cuMemFreeHost(result));
  for (CUdeviceptr memory : {x, w, y}) OK(cuMemFree(memory));
  Release(second, first);
}

// Defect: Data is uploaded on another stream while a transform of cuFFT works on it in place.
// Fix: The plan gets the stream of the upload.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE_2
// EXPECT-PARTY pending-command at TRANSFORM
static void TransformInPlace() {
  constexpr int kSize = 1024, kBytes = kSize * 8;
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(kBytes);
  char* next = NewPinned(kBytes);
  int plan;
  DONE(cufftPlan1d(&plan, kSize, kFftC2C, 1));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  DONE(cufftSetStream(plan, stream));
  // @TRANSFORM
  DONE(cufftExecC2C(plan, (void*)data, (void*)data, kFftForward));
  // @HERE_2
  OK(cuMemcpyHtoDAsync(data, next, kBytes, first));
  OK(cuCtxSynchronize());
  DONE(cufftDestroy(plan));
  Release(next, data, second, first);
}

// Defect: Random numbers are downloaded on another stream than the one of their generator.
// Fix: The generator gets the stream of the download.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at GENERATE
static void RandomNumbersDownloaded() {
  constexpr int kCount = 1024;
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr numbers = NewZeros(kCount * sizeof(float));
  char* host = NewPinned(kCount * sizeof(float));
  void* generator;
  DONE(curandCreateGenerator(&generator, 100));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  DONE(curandSetStream(generator, stream));
  // @GENERATE
  DONE(curandGenerateUniform(generator, (float*)numbers, kCount));
  // @HERE_3
  OK(cuMemcpyDtoHAsync(host, numbers, kCount * sizeof(float), first));
  OK(cuCtxSynchronize());
  DONE(curandDestroyGenerator(generator));
  Release(host, numbers, second, first);
}

int main() {
  Open();
  ConvolutionDownloaded();
  TransformInPlace();
  RandomNumbersDownloaded();
  Close();
}
