// A batch of box copies: from pitched memory to pitched memory and to an array, then back in stream
// order.
#include "common/cuda.h"

static CUmemcpy3DOperand Linear(CUdeviceptr pointer) {
  CUmemcpy3DOperand operand = {};
  operand.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  operand.op.ptr.ptr = pointer;
  operand.op.ptr.rowLength = 64;
  operand.op.ptr.layerHeight = 16;
  return operand;
}

int main() {
  Open();
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
  if (cuMemcpy3DBatchAsync(2, operations, 0, stream) != CUDA_SUCCESS)
    NEEDS(!"batches of box copies");
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
  Close(array, b, a, result, data, stream);
}
