// A buffer of the vendor's own creating call is written, as its flags allow.
#include "common/extensions.h"

typedef cl_mem (*clCreateBufferNV_fn)(cl_context, cl_mem_flags, cl_bitfield, size_t, void*, cl_int*);

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateBufferNV);
  static char data[1024];
  cl_mem buffer = MADE(load_clCreateBufferNV(context, CL_MEM_HOST_WRITE_ONLY, 2, 1024, NULL, &error));
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
