// Defect: A query of the source passes a size that the host block does not have, and the source is longer than the block.
// Fix: The block has the size that is passed.
// EXPECT error host-buffer-overrun clGetProgramInfo at HERE
// EXPECT-TEXT of the value to param_value, but the host block has 2 KiB after the pointer
// EXIT any
#include "common/opencl.h"

enum { kSource = 4000, kLarge = 8192 };

int main(void) {
  Open(0);
  static char text[kSource + 1];
  memset(text, ' ', kSource);
  const char* source = text;
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 2048;
#else
  const size_t bytes = kLarge;
#endif
  char* answer = malloc(bytes);
  // @HERE
  OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, kLarge, answer, NULL));
  free(answer);
  // A block that is smaller than the size is enough for a short value.
  char* name = malloc(2048);
  OK(clGetDeviceInfo(device, CL_DEVICE_VERSION, kLarge, name, NULL));
  free(name);
  CLOSE(program);
}
