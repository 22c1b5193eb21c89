// What the programs of CUDA libraries declare of cuBLAS, cuDNN, cuFFT, NCCL and MPI.
// fake_libraries.cc has small libraries with these functions, which launch kernels of cuda_kernels.h.
#pragma once

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

#include <initializer_list>

extern "C" {
typedef struct BlasHandle* cublasHandle_t;
int cublasCreate_v2(cublasHandle_t* handle);
int cublasDestroy_v2(cublasHandle_t handle);
int cublasSetStream_v2(cublasHandle_t handle, CUstream stream);
int cublasGetStream_v2(cublasHandle_t handle, CUstream* stream);
int cublasGetPointerMode_v2(cublasHandle_t handle, int* mode);
int cublasSgemm_v2(cublasHandle_t handle, int transa, int transb, int m, int n, int k,
                   const float* alpha, const float* a, int lda, const float* b, int ldb,
                   const float* beta, float* c, int ldc);
int cublasSaxpy_v2(cublasHandle_t handle, int n, const float* alpha, const float* x, int incx,
                   float* y, int incy);
int cublasSaxpy_v2_64(cublasHandle_t handle, int64_t n, const float* alpha, const float* x,
                      int64_t incx, float* y, int64_t incy);
int cublasSdot_v2(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                  float* result);

typedef struct LtLayout {
  uint64_t data[8];
} * cublasLtMatrixLayout_t;
size_t cublasLtGetVersion();
int cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size, int type,
                                      uint64_t rows, uint64_t columns, int64_t leading);
int cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, int attribute,
                                     const void* value, size_t size);
int cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, int attribute, void* value,
                                     size_t size, size_t* written);
int cublasLtMatmulDescGetAttribute(const void* description, int attribute, void* value, size_t size,
                                   size_t* written);
int cublasLtMatmul(void* handle, const void* description, const void* alpha, const void* a,
                   cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                   const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                   cublasLtMatrixLayout_t d_layout, const void* algorithm, void* workspace,
                   size_t bytes, CUstream stream);

typedef struct DnnHandle* cudnnHandle_t;
typedef struct DnnDescriptor* cudnnBackendDescriptor_t;
int cudnnCreate(cudnnHandle_t* handle);
int cudnnDestroy(cudnnHandle_t handle);
int cudnnSetStream(cudnnHandle_t handle, CUstream stream);
int cudnnGetStream(cudnnHandle_t handle, CUstream* stream);
int cudnnBackendCreateDescriptor(int type, cudnnBackendDescriptor_t* descriptor);
int cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor);
int cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, int name, int type, int64_t count,
                             const void* elements);
int cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor, int name, int type,
                             int64_t requested, int64_t* count, void* elements);
int cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                        cudnnBackendDescriptor_t pack);

int cufftPlan1d(int* plan, int nx, int type, int batch);
int cufftSetStream(int plan, CUstream stream);
int cufftExecC2C(int plan, void* input, void* output, int direction);
int cufftDestroy(int plan);

int curandCreateGenerator(void** generator, int type);
int curandSetStream(void* generator, CUstream stream);
int curandGenerateUniform(void* generator, float* out, size_t count);
int curandDestroyGenerator(void* generator);

typedef struct Communicator* ncclComm_t;
int ncclCommInit(ncclComm_t* communicator, int ranks, int rank);  // of the small library only
int ncclCommDestroy(ncclComm_t communicator);
int ncclCommCount(ncclComm_t communicator, int* count);
int ncclCommUserRank(ncclComm_t communicator, int* rank);
int ncclCommCuDevice(ncclComm_t communicator, int* device);
int ncclAllReduce(const void* send, void* receive, size_t count, int type, int operation,
                  ncclComm_t communicator, CUstream stream);
int ncclSend(const void* send, size_t count, int type, int peer, ncclComm_t communicator,
             CUstream stream);
int ncclRecv(void* receive, size_t count, int type, int peer, ncclComm_t communicator,
             CUstream stream);
int ncclGroupStart();
int ncclGroupEnd();
}

enum { kLtColumns = 3 };  // CUBLASLT_MATRIX_LAYOUT_COLS
enum { kFftC2C = 0x29, kFftForward = -1, kNcclFloat = 7, kNcclSum = 0 };

// For calls of libraries that must succeed.
#define DONE(call) CHECK((call) == 0)

// MPI with a datatype that is its size and extent, and one communicator of two ranks.
extern "C" {
int MPI_Type_size(const struct Datatype* type, int* size);
int MPI_Type_get_extent(const struct Datatype* type, long* lower, long* extent);
int MPI_Send(const void* buffer, int count, const struct Datatype* type, int destination, int tag,
             void* communicator);
int MPI_Irecv(void* buffer, int count, const struct Datatype* type, int source, int tag,
              void* communicator, void** request);
int MPI_Isend(const void* buffer, int count, const struct Datatype* type, int destination, int tag,
              void* communicator, void** request);
int MPI_Wait(void** request, void* status);
int MPI_Waitall(int count, void** requests, void* statuses);
int MPI_Test(void** request, int* flag, void* status);
int MPI_Request_free(void** request);
int MPI_Send_init(const void* buffer, int count, const struct Datatype* type, int destination,
                  int tag, void* communicator, void** request);
int MPI_Recv_init(void* buffer, int count, const struct Datatype* type, int source, int tag,
                  void* communicator, void** request);
int MPI_Start(void** request);
int MPI_Startall(int count, void** requests);
int MPI_Put(const void* buffer, int count, const struct Datatype* type, int target, long offset,
            int count_there, const struct Datatype* type_there, void* window);
int MPI_Get(void* buffer, int count, const struct Datatype* type, int target, long offset,
            int count_there, const struct Datatype* type_there, void* window);
int MPI_Win_fence(int assertion, void* window);
int MPI_Win_flush(int target, void* window);
int MPI_Comm_size(void* communicator, int* ranks);
int MPI_Comm_rank(void* communicator, int* rank);
int MPI_Comm_test_inter(void* communicator, int* flag);
int MPI_Allgatherv(const void* send, int sent, const struct Datatype* sendtype, void* receive,
                   const int* counts, const int* starts, const struct Datatype* receivetype,
                   void* communicator);
extern int ompi_mpi_comm_world;  // of Open MPI
}
struct Datatype {
  int size;
  long extent;
};
[[maybe_unused]] static const Datatype kMpiFloat = {4, 4};
[[maybe_unused]] static const Datatype kMpiEverySecondFloat = {4, 8};
enum { kProcNull = -2 };
