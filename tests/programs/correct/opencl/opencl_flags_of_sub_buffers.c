// Sub-buffers that restrict the access of their parent, or repeat it, and that end with it.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static const cl_mem_flags kFlags[][2] = {
      {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS},
      {0, CL_MEM_READ_WRITE},
      {CL_MEM_READ_ONLY, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY},
      {CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_READ_ONLY},
      {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS},
      {CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_ONLY},
      {CL_MEM_ALLOC_HOST_PTR, 0},
  };
  for (size_t i = 0; i < sizeof(kFlags) / sizeof(kFlags[0]); ++i) {
    cl_mem parent = MADE(clCreateBuffer(context, kFlags[i][0], 8192, NULL, &error));
    const cl_buffer_region part = {4096, 4096};
    cl_mem half = MADE(clCreateSubBuffer(parent, kFlags[i][1], CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
    OK(clReleaseMemObject(parent));
    OK(clReleaseMemObject(half));
  }
  Close();
}
