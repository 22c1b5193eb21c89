// Defect: A sampler repeats the image, but its coordinates are texels.
// Fix: The coordinates are normalized.
// EXPECT warning call-failed clCreateSampler at HERE
// EXPECT-TEXT normalized_coords is CL_FALSE
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_bool normalized = CL_FALSE;
#else
  const cl_bool normalized = CL_TRUE;
#endif
  // @HERE
  cl_sampler sampler = clCreateSampler(context, normalized, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error);
  if (error == CL_SUCCESS) OK(clReleaseSampler(sampler));
  Close();
}
