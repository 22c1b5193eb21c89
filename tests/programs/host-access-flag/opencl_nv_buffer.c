// Defect: A buffer of the vendor's own creating call is written although its flags deny the host
// that.
// Fix: A buffer of the vendor's own creating call is written, as its flags allow.
// EXPECT error host-access-flag clEnqueueWriteBuffer CL_INVALID_OPERATION at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/extensions.h"

typedef cl_mem (*clCreateBufferNV_fn)(cl_context, cl_mem_flags, cl_bitfield, size_t, void*,
                                      cl_int*);

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateBufferNV);
  static char data[1024];
#ifdef DEFECT
  // @CREATED
  cl_mem buffer =
      MADE(load_clCreateBufferNV(context, CL_MEM_HOST_READ_ONLY, 2, 1024, NULL, &error));
#else
  cl_mem buffer =
      MADE(load_clCreateBufferNV(context, CL_MEM_HOST_WRITE_ONLY, 2, 1024, NULL, &error));
#endif
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, NULL, NULL);
  CLOSE(buffer);
}
