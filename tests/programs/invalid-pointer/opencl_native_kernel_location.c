// Defect: The place for the pointer of a native kernel's buffer is a variable beside the arguments, which the driver copies.
// Fix: The place is a member of the arguments.
// EXPECT error invalid-pointer clEnqueueNativeKernel at HERE
// EXPECT-FACT index=0
// EXIT any
#include "common/opencl.h"

typedef struct {
  int count;
  int* numbers;
} Arguments;

static void CL_CALLBACK Fill(void* data) {
  const Arguments* arguments = data;
  for (int i = 0; i < arguments->count; ++i) arguments->numbers[i] = i;
}

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 400, NULL, &error));
  Arguments arguments = {100, NULL};
#ifdef DEFECT
  const void* location = &buffer;
#else
  const void* location = &arguments.numbers;
#endif
  // @HERE
  OK(clEnqueueNativeKernel(queue, Fill, &arguments, sizeof(arguments), 1, &buffer, &location, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
