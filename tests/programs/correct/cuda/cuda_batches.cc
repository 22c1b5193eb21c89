// Batches of copies and of box copies, whose sources are read in stream order, while the call runs,
// or at any time.
#include "common/cuda.h"

// Batches of copies: sources read in stream order, while the call runs, or at any time; each copy
// has its own memory, and what follows in the stream is behind all of them.
static void BatchesOfCopies() {
  CUstream stream = NewStream(), other = NewStream();
  CUevent done = NewEvent();
  char *data = NewPinned(3 * 4096), *result = NewPinned(3 * 4096);
  CUdeviceptr memory = NewMemory(3 * 4096);
  for (int round = 0; round < 3; ++round) {
    char* once = (char*)malloc(4096);
    memset(once, 1 + round, 4096);
    memset(data, 4 + round, 3 * 4096);
    CUdeviceptr to[3], from[3];
    size_t bytes[3] = {4096, 4096, 4096}, index[2] = {0, 1};
    for (int i = 0; i < 3; ++i) to[i] = memory + i * 4096, from[i] = (CUdeviceptr)(data + i * 4096);
    from[0] = (CUdeviceptr)once;
    CUmemcpyAttributes attributes[2] = {};
    attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    OK(cuMemcpyBatchAsync(to, from, bytes, 3, attributes, index, 2, stream));
    free(once);  // it was read during the call
    OK(cuEventRecord(done, stream));
    OK(cuStreamWaitEvent(other, done, 0));
    OK(cuMemcpyDtoHAsync(result, memory, 3 * 4096, other));
    OK(cuEventRecord(done, other));
    OK(cuStreamWaitEvent(stream, done, 0));
    OK(cuStreamSynchronize(other));
    CHECK(result[0] == 1 + round && result[8192] == 4 + round);
  }
  Release(memory, result, data, done, other, stream);
}

// A batch of box copies: from pitched memory to pitched memory and to an array, then back in stream
// order.
static CUmemcpy3DOperand Linear(CUdeviceptr pointer) {
  CUmemcpy3DOperand operand = {};
  operand.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  operand.op.ptr.ptr = pointer;
  operand.op.ptr.rowLength = 64;
  operand.op.ptr.layerHeight = 16;
  return operand;
}

static void BoxesOfABatch() {
  CUstream stream = NewStream();
  char *data = NewPinned(1024), *result = NewPinned(1024);
  for (int i = 0; i < 1024; ++i) data[i] = (char)(i % 50);
  CUdeviceptr a = NewMemory(1024), b = NewMemory(1024);
  OK(cuMemcpyHtoDAsync(a, data, 1024, stream));
  CUDA_ARRAY_DESCRIPTOR shape = {64, 16, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY3D_BATCH_OP operations[2] = {};
  for (CUDA_MEMCPY3D_BATCH_OP& operation : operations) {
    operation.src = Linear(a);
    operation.extent = {64, 16, 1};
    operation.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  }
  operations[0].dst = Linear(b);
  operations[1].dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
  operations[1].dst.op.array.array = array;
  if (cuMemcpy3DBatchAsync(2, operations, 0, stream) != CUDA_SUCCESS) {
    Release(array, b, a, result, data, stream);
    return;
  }
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  back.srcArray = array;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = 64;
  back.WidthInBytes = 64;
  back.Height = 16;
  OK(cuMemcpy2DAsync(&back, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(memcmp(data, result, 1024) == 0);
  memset(result, 0, 1024);
  OK(cuMemcpyDtoHAsync(result, b, 1024, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(memcmp(data, result, 1024) == 0);
  Release(array, b, a, result, data, stream);
}

int main() {
  Open();
  BatchesOfCopies();
  BoxesOfABatch();
  Close();
}
