// Defect: A sub-buffer inherits the host access flags of its parent, which exclude reads. The host
// reads a rectangle of it.
// Fix: The flags of the parent allow reads.
// EXPECT error host-access-flag clEnqueueReadBufferRect CL_INVALID_OPERATION at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR;
#endif
  cl_mem parent = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  const cl_buffer_region part = {1024, 1024};
  // @CREATED
  cl_mem half = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE
  clEnqueueReadBufferRect(queue, half, CL_TRUE, kOrigin, kOrigin, region, 32, 0, 16, 0, data, 0,
                          NULL, NULL);
  CLOSE(half, parent);
}
