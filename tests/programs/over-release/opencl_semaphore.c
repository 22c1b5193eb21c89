// Defect: A semaphore is released once more than it was created and retained.
// Fix: A semaphore is released as often as it was created and retained.
// EXPECT error over-release clReleaseSemaphoreKHR at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateSemaphoreWithPropertiesKHR);
  LOAD(clRetainSemaphoreKHR);
  LOAD(clReleaseSemaphoreKHR);
  const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
  // @CREATED
  cl_semaphore_khr semaphore =
      MADE(load_clCreateSemaphoreWithPropertiesKHR(context, binary, &error));
  OK(load_clRetainSemaphoreKHR(semaphore));
  OK(load_clReleaseSemaphoreKHR(semaphore));
  OK(load_clReleaseSemaphoreKHR(semaphore));
#ifdef DEFECT
  // @HERE
  load_clReleaseSemaphoreKHR(semaphore);
#endif
  Close();
}
