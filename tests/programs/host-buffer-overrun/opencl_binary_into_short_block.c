// Defect: The binary of a program is queried into a block that is smaller than the binary.
// Fix: The block has the size of the binary.
// EXPECT error host-buffer-overrun clGetProgramInfo at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT argument=param_value[0]
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel("kernel void one(global int* out) { out[get_global_id(0)] = 1; }", "one");
  cl_program program;
  OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL));
  size_t bytes = 0;
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
#ifdef DEFECT
  bytes -= 8;
#endif
  // @BLOCK
  unsigned char* binary = malloc(bytes);
  // @HERE
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
  free(binary);
  CLOSE(kernel);
}
