// A semaphore is released as often as it was created and retained.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateSemaphoreWithPropertiesKHR);
  LOAD(clRetainSemaphoreKHR);
  LOAD(clReleaseSemaphoreKHR);
  const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  cl_semaphore_khr semaphore = MADE(load_clCreateSemaphoreWithPropertiesKHR(context, binary, &error));
  OK(load_clRetainSemaphoreKHR(semaphore));
  OK(load_clReleaseSemaphoreKHR(semaphore));
  OK(load_clReleaseSemaphoreKHR(semaphore));
  Close();
}
