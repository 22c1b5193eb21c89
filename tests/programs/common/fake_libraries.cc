// Small cuBLAS, cuDNN, cuFFT, cuRAND, NCCL and MPI. They have the names of the libraries and do a
// part of their work: they launch copies, so that programs have something to wait for.
#include "common/fake_libraries.h"

#include <string.h>

#include <map>
#include <set>
#include <vector>

#include "common/cuda_kernels.h"

struct BlasHandle {
  CUstream stream = nullptr;
};
struct Communicator {
  int ranks, rank;
};
struct DnnHandle {
  CUstream stream = nullptr;
};
// Attributes that are numbers or descriptors, all of 8 bytes.
struct DnnDescriptor {
  std::map<int, std::vector<uint64_t>> attributes;
};

namespace {

CUmodule module;
int users = 0;  // handles, plans and communicators; the last one unloads the module

void Open() {
  if (users++ == 0) cuModuleLoadData(&module, kKernels);
}
void Close() {
  if (--users == 0) cuModuleUnload(module);
}

// Copies `count` floats on the stream, with a kernel whose parameters have types. Without a source
// it writes zeros.
int Copy(const void* from, void* to, int count, CUstream stream) {
  CUfunction copy;
  if (from == to || count <= 0) return 0;
  if (from == nullptr)
    return cuMemsetD32Async((CUdeviceptr)to, 0, static_cast<size_t>(count), stream);
  if (cuModuleGetFunction(&copy, module, KERNEL_COPY) != CUDA_SUCCESS) return 13;
  void* arguments[] = {&from, &to};
  const unsigned threads = count < 256 ? static_cast<unsigned>(count) : 256;
  return cuLaunchKernel(copy, static_cast<unsigned>(count) / threads, 1, 1, threads, 1, 1, 0,
                        stream, arguments, nullptr);
}

struct Plan {
  int size = 0;
  CUstream stream = nullptr;
};
std::vector<Plan> plans;

struct Transfer {
  const void* send;
  void* receive;
  size_t count;
  CUstream stream;
};
std::vector<Transfer> group;
int depth = 0;

int Enqueue(const Transfer& one) {
  if (depth > 0) {
    group.push_back(one);
    return 0;
  }
  return Copy(one.send, one.receive, static_cast<int>(one.count), one.stream);
}

}  // namespace

int cublasCreate_v2(cublasHandle_t* handle) {
  Open();
  *handle = new BlasHandle;
  return 0;
}
int cublasDestroy_v2(cublasHandle_t handle) {
  delete handle;
  Close();
  return 0;
}
int cublasSetStream_v2(cublasHandle_t handle, CUstream stream) {
  handle->stream = stream;
  return 0;
}
int cublasGetStream_v2(cublasHandle_t handle, CUstream* stream) {
  *stream = handle->stream;
  return 0;
}
int cublasGetPointerMode_v2(cublasHandle_t, int* mode) {
  *mode = 0;
  return 0;
}
int cublasSgemm_v2(cublasHandle_t handle, int, int, int m, int n, int, const float*, const float* a,
                   int, const float*, int, const float*, float* c, int) {
  return Copy(a, c, m * n, handle->stream);
}
int cublasSaxpy_v2(cublasHandle_t handle, int n, const float*, const float* x, int, float* y, int) {
  return Copy(x, y, n, handle->stream);
}
int cublasSaxpy_v2_64(cublasHandle_t handle, int64_t n, const float*, const float* x, int64_t,
                      float* y, int64_t) {
  return Copy(x, y, static_cast<int>(n), handle->stream);
}
int cublasSdot_v2(cublasHandle_t handle, int, const float*, int, const float*, int, float* result) {
  *result = 0;
  return cuStreamSynchronize(handle->stream) == CUDA_SUCCESS ? 0 : 13;
}

// A layout has one member an attribute: type, order, rows, columns, leading dimension, batch,
// stride and plane.
size_t cublasLtGetVersion() { return 130000; }
int cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t, int type,
                                      uint64_t rows, uint64_t columns, int64_t leading) {
  *layout = {{static_cast<uint64_t>(type), 0, rows, columns, static_cast<uint64_t>(leading), 1}};
  return 0;
}
int cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, int attribute,
                                     const void* value, size_t size) {
  memcpy(&layout->data[attribute], value, size);
  return 0;
}
int cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, int attribute, void* value,
                                     size_t size, size_t* written) {
  memcpy(value, &layout->data[attribute], size);
  *written = size;
  return 0;
}
// Floats, and scalars in host memory.
int cublasLtMatmulDescGetAttribute(const void*, int, void* value, size_t size, size_t* written) {
  memset(value, 0, size);
  *written = size;
  return 0;
}
int cublasLtMatmul(void*, const void*, const void*, const void* a, cublasLtMatrixLayout_t,
                   const void*, cublasLtMatrixLayout_t, const void*, const void*,
                   cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t d_layout, const void*,
                   void*, size_t, CUstream stream) {
  return Copy(a, d, static_cast<int>(d_layout->data[2] * d_layout->data[3]), stream);
}

int cudnnCreate(cudnnHandle_t* handle) {
  Open();
  *handle = new DnnHandle;
  return 0;
}
int cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  Close();
  return 0;
}
int cudnnSetStream(cudnnHandle_t handle, CUstream stream) {
  handle->stream = stream;
  return 0;
}
int cudnnGetStream(cudnnHandle_t handle, CUstream* stream) {
  *stream = handle->stream;
  return 0;
}
int cudnnBackendCreateDescriptor(int, cudnnBackendDescriptor_t* descriptor) {
  *descriptor = new DnnDescriptor;
  return 0;
}
int cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  delete descriptor;
  return 0;
}
int cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, int name, int type, int64_t count,
                             const void* elements) {
  if (type != 3 && type != 6 && type != 15) return 0;  // INT64, VOID_PTR, BACKEND_DESCRIPTOR
  const auto* values = static_cast<const uint64_t*>(elements);
  descriptor->attributes[name].assign(values, values + count);
  return 0;
}
// Of heuristics alone: the one result gets what they have.
int cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor, int, int, int64_t, int64_t* count,
                             void* elements) {
  *count = 1;
  static_cast<DnnDescriptor**>(elements)[0]->attributes = descriptor->attributes;
  return 0;
}
// Copies the input of the first operation to its output.
int cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                        cudnnBackendDescriptor_t pack) {
  const auto of = [](uint64_t descriptor, int name) {
    return reinterpret_cast<DnnDescriptor*>(descriptor)->attributes[name];
  };
  const uint64_t graph = of(plan->attributes[401][0], 201)[0];
  const uint64_t operation = of(graph, 801)[0];
  const uint64_t x = of(operation, 704)[0], y = of(operation, 705)[0];
  const auto pointer = [&](uint64_t tensor) {
    for (size_t i = 0; i < pack->attributes[1000].size(); ++i) {
      if (pack->attributes[1000][i] == of(tensor, 906)[0])
        return reinterpret_cast<void*>(pack->attributes[1001][i]);
    }
    return static_cast<void*>(nullptr);
  };
  uint64_t elements = 1;
  for (uint64_t dimension : of(y, 902)) elements *= dimension;
  return Copy(pointer(x), pointer(y), static_cast<int>(elements), handle->stream);
}

int cufftPlan1d(int* plan, int nx, int, int batch) {
  Open();
  *plan = static_cast<int>(plans.size());
  plans.push_back({nx * batch * 2});
  return 0;
}
int cufftSetStream(int plan, CUstream stream) {
  plans[static_cast<size_t>(plan)].stream = stream;
  return 0;
}
int cufftExecC2C(int plan, void* input, void* output, int) {
  const Plan& one = plans[static_cast<size_t>(plan)];
  return Copy(input, output, one.size, one.stream);
}
int cufftDestroy(int) {
  Close();
  return 0;
}

int curandCreateGenerator(void** generator, int) {
  Open();
  *generator = new CUstream();
  return 0;
}
int curandSetStream(void* generator, CUstream stream) {
  *static_cast<CUstream*>(generator) = stream;
  return 0;
}
int curandGenerateUniform(void* generator, float* out, size_t count) {
  // Of the first numbers. Those that the memory holds are random enough.
  const unsigned blocks = count < 1024 ? static_cast<unsigned>(count / 256) : 4;
  CUfunction copy;
  if (cuModuleGetFunction(&copy, module, KERNEL_COPY) != CUDA_SUCCESS) return 201;
  void* arguments[] = {&out, &out};
  return cuLaunchKernel(copy, blocks, 1, 1, 256, 1, 1, 0, *static_cast<CUstream*>(generator),
                        arguments, nullptr);
}
int curandDestroyGenerator(void* generator) {
  delete static_cast<CUstream*>(generator);
  Close();
  return 0;
}

int ncclCommInit(ncclComm_t* communicator, int ranks, int rank) {
  Open();
  *communicator = new Communicator{ranks, rank};
  return 0;
}
int ncclCommDestroy(ncclComm_t communicator) {
  delete communicator;
  Close();
  return 0;
}
int ncclCommCount(ncclComm_t communicator, int* count) {
  *count = communicator->ranks;
  return 0;
}
int ncclCommUserRank(ncclComm_t communicator, int* rank) {
  *rank = communicator->rank;
  return 0;
}
int ncclCommCuDevice(ncclComm_t, int* device) {
  *device = 0;
  return 0;
}
int ncclAllReduce(const void* send, void* receive, size_t count, int, int, ncclComm_t,
                  CUstream stream) {
  return Enqueue({send, receive, count, stream});
}
int ncclSend(const void*, size_t, int, int, ncclComm_t, CUstream) { return 0; }
// Receives zeros.
int ncclRecv(void* receive, size_t count, int, int, ncclComm_t, CUstream stream) {
  return Enqueue({nullptr, receive, count, stream});
}
int ncclGroupStart() {
  ++depth;
  return 0;
}
int ncclGroupEnd() {
  if (--depth != 0) return 0;
  int code = 0;
  for (const Transfer& one : group) {
    if (Enqueue(one) != 0) code = 1;
  }
  group.clear();
  return code;
}

int MPI_Type_size(const Datatype* type, int* size) {
  *size = type->size;
  return 0;
}
int MPI_Type_get_extent(const Datatype* type, long* lower, long* extent) {
  *lower = 0;
  *extent = type->extent;
  return 0;
}
int MPI_Send(const void*, int, const Datatype*, int, int, void*) { return 0; }
// The message arrives at once.
int MPI_Irecv(void* buffer, int count, const Datatype* type, int, int, void*, void** request) {
  *request = new int;
  const size_t bytes = static_cast<size_t>(count) * static_cast<size_t>(type->size);
  if (cuMemsetD8Async((CUdeviceptr)buffer, 1, bytes, nullptr) != CUDA_SUCCESS) return 16;
  return cuStreamSynchronize(nullptr) == CUDA_SUCCESS ? 0 : 16;
}
int MPI_Isend(const void*, int, const Datatype*, int, int, void*, void** request) {
  *request = new int;
  return 0;
}
namespace {

// The persistent requests, which a wait does not free.
std::set<void*> persistent;

}  // namespace

int MPI_Wait(void** request, void*) {
  if (persistent.count(*request) != 0) return 0;
  delete static_cast<int*>(*request);
  *request = nullptr;
  return 0;
}
int MPI_Waitall(int count, void** requests, void*) {
  for (int i = 0; i < count; ++i) MPI_Wait(&requests[i], nullptr);
  return 0;
}
// Half of the tests find nothing.
int MPI_Test(void** request, int* flag, void*) {
  static int tests = 0;
  *flag = ++tests % 2 == 0;
  return *flag ? MPI_Wait(request, nullptr) : 0;
}
int MPI_Request_free(void** request) {
  persistent.erase(*request);
  return MPI_Wait(request, nullptr);
}
int MPI_Send_init(const void*, int, const Datatype*, int, int, void*, void** request) {
  *request = new int;
  persistent.insert(*request);
  return 0;
}
int MPI_Recv_init(void*, int, const Datatype*, int, int, void*, void** request) {
  return MPI_Send_init(nullptr, 0, nullptr, 0, 0, nullptr, request);
}
int MPI_Start(void**) { return 0; }
int MPI_Startall(int, void**) { return 0; }
int MPI_Put(const void*, int, const Datatype*, int, long, int, const Datatype*, void*) { return 0; }
int MPI_Get(void*, int, const Datatype*, int, long, int, const Datatype*, void*) { return 0; }
int MPI_Win_fence(int, void*) { return 0; }
int MPI_Win_flush(int, void*) { return 0; }
int MPI_Comm_size(void*, int* ranks) { return *ranks = 2, 0; }
int MPI_Comm_rank(void*, int* rank) { return *rank = 0, 0; }
int MPI_Comm_test_inter(void*, int* flag) { return *flag = 0, 0; }
int MPI_Allgatherv(const void*, int, const Datatype*, void*, const int*, const int*,
                   const Datatype*, void*) {
  return 0;
}
int ompi_mpi_comm_world;
