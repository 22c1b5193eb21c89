// Defect recorded_fill: With the recording calls of a later revision of the extension: a fill ends
// past the end of its buffer.
// EXPECT error copy-out-of-bounds clCommandFillBufferKHR at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=2048
// Defect unified_memory: A copy of unified shared memory is longer than its destination.
// EXPECT error copy-out-of-bounds clEnqueueMemcpyINTEL at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT size_bytes=8192
// EXPECT-FACT resource_bytes=4096
// EXIT any
// Fix: The fill and the copy end inside of their memory.
#include "common/extensions.h"

// Fix: The fill ends with its buffer, and is read.
// From revision 0.9.5 on the recording calls have a list of properties.
typedef cl_int (*clCommandFillBufferKHR_095)(cl_command_buffer_khr, cl_command_queue,
                                             const cl_properties*, cl_mem, const void*, size_t,
                                             size_t, size_t, cl_uint, const cl_sync_point_khr*,
                                             cl_sync_point_khr*, cl_mutable_command_khr*);

static void RecordedFill(void) {
  LOAD(clCreateCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clEnqueueCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  LOAD_AS(clCommandFillBufferKHR, clCommandFillBufferKHR_095);
  static char out[2048];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 2048, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
#ifdef DEFECT_recorded_fill
  const size_t offset = 1024;
  // @HERE
  load_clCommandFillBufferKHR(recorded, NULL, NULL, buffer, "a", 1, offset, 2048, 0, NULL, NULL,
                              NULL);
#else
  const size_t offset = 0;
  load_clCommandFillBufferKHR(recorded, NULL, NULL, buffer, "a", 1, offset, 2048, 0, NULL, NULL,
                              NULL);
  OK(load_clFinalizeCommandBufferKHR(recorded));
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 2048, out, 0, NULL, NULL));
#endif
  OK(load_clReleaseCommandBufferKHR(recorded));
  RELEASE(buffer);
}

// Fix: A copy of unified shared memory is as long as its destination.
static void UnifiedMemory(void) {
  LOAD(clHostMemAllocINTEL);
  LOAD(clDeviceMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clEnqueueMemsetINTEL);
  LOAD(clEnqueueMemcpyINTEL);
  char* from = MADE(load_clDeviceMemAllocINTEL(context, device, NULL, 8192, 0, &error));
  // @CREATED_2
  char* to = MADE(load_clHostMemAllocINTEL(context, NULL, 4096, 0, &error));
  OK(load_clEnqueueMemsetINTEL(queue, from, 1, 8192, 0, NULL, NULL));
#ifdef DEFECT_unified_memory
  const size_t size = 8192;
#else
  const size_t size = 4096;
#endif
  // @HERE_2
  load_clEnqueueMemcpyINTEL(queue, CL_TRUE, to, from, size, 0, NULL, NULL);
  // A driver may refuse the copy, which then does not wait for the fill.
  OK(clFinish(queue));
  load_clMemFreeINTEL(context, from);
  load_clMemFreeINTEL(context, to);
}

int main(void) {
  OpenExtensions(0);
  RecordedFill();
  UnifiedMemory();
  Close();
}
