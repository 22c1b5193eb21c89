// Programs find out what kind of memory a pointer has by calls that fail for other kinds.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr memory = NewMemory(1 << 21), answer;
  char* plain = (char*)malloc(4096);
  CUmemGenericAllocationHandle handle;
  cuMemHostGetDevicePointer(&answer, plain, 0);
  cuMemRetainAllocationHandle(&handle, (void*)memory);
  unsigned flags;
  cuMemHostGetFlags(&flags, plain);
  CUmemorytype type;
  cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)plain);
  CUdeviceptr base;
  size_t bytes;
  cuMemGetAddressRange(&base, &bytes, (CUdeviceptr)plain);
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  OK(cuArrayCreate(&array, &shape));
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  cuArrayGetSparseProperties(&sparse, array);  // it is not sparse
  OK(cuArrayDestroy(array));
  free(plain);
  Close(memory);
}
