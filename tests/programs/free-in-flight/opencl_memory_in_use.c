// Defect: Memory is released while the host has it mapped, or while a command reads it.
// Fix: The memory is released behind the unmap and the wait.
#include "common/opencl.h"

// Defect: The last reference of a buffer is released while the host has it mapped.
// Fix: A buffer is unmapped before its last reference is released.
// EXPECT error free-in-flight clReleaseMemObject at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY map at MAPPED
static void ReleaseWhileMapped(void) {
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MAPPED
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  memset(mapped, 0, 4096);
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  // @HERE
  OK(clReleaseMemObject(buffer));
  OK(clFinish(queue));
}

// Defect: A sub-buffer is released while a region of it is mapped, after the release of its buffer.
// Fix: The region is unmapped through the sub-buffer, which keeps the memory of the released
// buffer.
// EXPECT error free-in-flight clReleaseMemObject at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY map at MAPPED_2
static void SubBufferWhileMapped(void) {
  static const cl_int seven = 7;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  const cl_buffer_region second_half = {4096, 4096};
  // @CREATED_2
  cl_mem half =
      MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &second_half, &error));
  OK(clEnqueueFillBuffer(queue, half, &seven, sizeof(seven), 0, 4096, 0, NULL, NULL));
  // @MAPPED_2
  const cl_int* mapped =
      MADE(clEnqueueMapBuffer(queue, half, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
  OK(clReleaseMemObject(buffer));
  if (mapped[0] != 7) abort();
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, half, (void*)mapped, 0, NULL, NULL));
#endif
  // @HERE_2
  OK(clReleaseMemObject(half));
  OK(clFinish(queue));
}

// Defect: Shared virtual memory is freed while a command that reads it is pending.
// Fix: Shared virtual memory is freed when the command that reads it has ended.
// EXPECT error free-in-flight clSVMFree at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY pending-command at PENDING
static void SvmWithPendingCopy(void) {
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED_3
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL));
  // @PENDING
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, data, shared, sizeof(data), 1, &gate, NULL));
#ifdef DEFECT
  // @HERE_3
  clSVMFree(context, shared);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#ifndef DEFECT
  clSVMFree(context, shared);
#endif
  RELEASE(gate);
}

int main(void) {
  Open(0);
  ReleaseWhileMapped();
  SubBufferWhileMapped();
  SvmWithPendingCopy();
  Close();
}
