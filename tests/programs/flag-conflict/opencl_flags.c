// Defect: Buffers, images and sub-buffers are created with flags that exclude each other, their
// parent or the host pointer.
// Fix: The flags fit each other.
#include "common/opencl.h"

// Defect: A host pointer without a flag that says how to use it.
// Fix: CL_MEM_COPY_HOST_PTR: the buffer starts with the data of the host.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_HOST_PTR at HERE
// EXPECT-TEXT CL_MEM_COPY_HOST_PTR
static void HostPtrWithoutFlag(void) {
  static char data[4096];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(data), data, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
}

// Defect: CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS exclude each other.
// Fix: CL_MEM_HOST_READ_ONLY only.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_VALUE at HERE_2
static void HostReadOnlyNoAccess(void) {
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
#else
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY;
#endif
  // @HERE_2
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
}

// Defect: CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY exclude each other.
// Fix: CL_MEM_READ_WRITE: kernels read and write the buffer.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_VALUE at HERE_3
// EXPECT-TEXT CL_MEM_READ_WRITE
static void ReadOnlyWriteOnly(void) {
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @HERE_3
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
}

// Defect: CL_MEM_USE_HOST_PTR and CL_MEM_ALLOC_HOST_PTR exclude each other.
// Fix: CL_MEM_USE_HOST_PTR only.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_VALUE at HERE_4
static void UseAndAllocHostPtr(void) {
  static char data[4096] __attribute__((aligned(4096)));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR;
#endif
  // @HERE_4
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(data), data, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
}

// Defect: CL_MEM_COPY_HOST_PTR without a host pointer.
// Fix: CL_MEM_COPY_HOST_PTR with the texels to copy.
// EXPECT error flag-conflict clCreateImage CL_INVALID_HOST_PTR at HERE_5
static void FlagWithoutHostPtr(void) {
  static unsigned char texels[16 * 16 * 4];
#ifdef DEFECT
  unsigned char* source = NULL;
#else
  unsigned char* source = texels;
#endif
  texels[0] = 1;
  const cl_image_desc shape = Image2D(16, 16);
  // @HERE_5
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, source, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
}

// Defect: A sub-buffer is created with a flag that says where its memory comes from.
// Fix: The memory of a sub-buffer is that of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE_6
// EXPECT-TEXT CL_MEM_ALLOC_HOST_PTR
static void SubBufferHostPointerFlag(void) {
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_ALLOC_HOST_PTR;
#else
  const cl_mem_flags flags = 0;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE_6
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

// Defect: A sub-buffer of a buffer that kernels may only read lets kernels write.
// Fix: The sub-buffer inherits the access of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE_7
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
  // @HERE_7
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

// Defect: A sub-buffer of a buffer that the host may not access lets the host read.
// Fix: The sub-buffer inherits the access of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE_8
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
  // @HERE_8
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

int main(void) {
  Open(0);
  HostPtrWithoutFlag();
  HostReadOnlyNoAccess();
  ReadOnlyWriteOnly();
  UseAndAllocHostPtr();
  FlagWithoutHostPtr();
  SubBufferHostPointerFlag();
  SubBufferWidensAccess();
  SubBufferWidensHostAccess();
  Close();
}
