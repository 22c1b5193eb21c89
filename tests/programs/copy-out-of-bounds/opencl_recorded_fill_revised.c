// Defect: With the recording calls of a later revision of the extension: a fill ends past the end
// of its buffer.
// Fix: The fill ends with its buffer, and is read.
// EXPECT error copy-out-of-bounds clCommandFillBufferKHR at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=2048
#include "common/extensions.h"

// From revision 0.9.5 on the recording calls have a list of properties.
typedef cl_int (*clCommandFillBufferKHR_095)(cl_command_buffer_khr, cl_command_queue,
                                             const cl_properties*, cl_mem, const void*, size_t,
                                             size_t, size_t, cl_uint, const cl_sync_point_khr*,
                                             cl_sync_point_khr*, cl_mutable_command_khr*);

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clEnqueueCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  LOAD_AS(clCommandFillBufferKHR, clCommandFillBufferKHR_095);
  static char out[2048];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 2048, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
#ifdef DEFECT
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
  CLOSE(buffer);
}
