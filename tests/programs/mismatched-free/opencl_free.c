// Defect of_svm: Shared virtual memory is freed with free().
// EXPECT error mismatched-free free at FREE_SHARED
// EXPECT-PARTY allocation at CREATED
// EXIT any
// Defect of_malloc: A block from malloc is freed with clSVMFree.
// EXPECT error mismatched-free clSVMFree at FREE_BLOCK
// EXPECT-PARTY host-block at BLOCK
// EXIT any
// Defect of_a_mapped_pointer: The pointer to a mapped region is freed.
// EXPECT error mismatched-free free at HERE
// EXPECT-PARTY map at MAPPED
// EXPECT-PARTY allocation at CREATED_2
// EXIT any
// MAY leak
// MAY host-free-in-flight
// Fix: Each pointer is given to the function that ends its use.
#include "common/opencl.h"

// Fix: Each memory is freed by its own function.
static void Free(void) {
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  // @BLOCK
  void* block = malloc(4096);
#ifdef DEFECT_of_svm
  // @FREE_SHARED
  free(shared);
#else
  clSVMFree(context, shared);
#endif
#ifdef DEFECT_of_malloc
  // @FREE_BLOCK
  clSVMFree(context, block);
#else
  free(block);
#endif
}

// Fix: The region is unmapped.
static void OfAMappedPointer(void) {
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 1 << 20, NULL, &error));
  // @MAPPED
  void* data = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 1 << 20, 0, NULL, NULL, &error));
#ifdef DEFECT_of_a_mapped_pointer
  // @HERE
  free(data);
  _Exit(0);
#endif
  OK(clEnqueueUnmapMemObject(queue, buffer, data, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  Free();
  OfAMappedPointer();
  Close();
}
