// Defect: Sub-buffers are created with flags that contradict their parents.
// Fix: Sub-buffers inherit the flags of their parents.
#include "common/opencl.h"

// Defect: A sub-buffer is created with a flag that says where its memory comes from.
// Fix: The memory of a sub-buffer is that of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE
// EXPECT-TEXT CL_MEM_ALLOC_HOST_PTR
static void SubBufferHostPointerFlag(void) {
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_ALLOC_HOST_PTR;
#else
  const cl_mem_flags flags = 0;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

// Defect: A sub-buffer of a buffer that kernels may only read lets kernels write.
// Fix: The sub-buffer inherits the access of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT parent_flags=CL_MEM_READ_ONLY
static void SubBufferWidensAccess(void) {
  // @CREATED_2
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#else
  const cl_mem_flags flags = 0;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE_2
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

// Defect: A sub-buffer of a buffer that the host may not access lets the host read.
// Fix: The sub-buffer inherits the access of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void SubBufferWidensHostAccess(void) {
  // @CREATED_3
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_ONLY;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE_3
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

int main(void) {
  Open(0);
  SubBufferHostPointerFlag();
  SubBufferWidensAccess();
  SubBufferWidensHostAccess();
  Close();
}
