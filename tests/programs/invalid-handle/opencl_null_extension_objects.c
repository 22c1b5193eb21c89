// Defect: Functions of extensions get NULL in place of an object. With --shield the program goes on.
// Fix: All handles name objects.
// OPTION --shield
// EXPECT error invalid-handle clEnqueueSignalSemaphoresKHR at SIGNAL
// EXPECT-FACT argument=sema_objects[1]
// EXPECT error invalid-handle clRetainSemaphoreKHR at RETAIN
// EXPECT error invalid-handle clGetCommandBufferInfoKHR at QUERY
// EXPECT error invalid-handle clFinalizeCommandBufferKHR at FINALIZE
// EXPECT-FACT argument=command_buffer
// EXIT any
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateSemaphoreWithPropertiesKHR);
  LOAD(clRetainSemaphoreKHR);
  LOAD(clReleaseSemaphoreKHR);
  LOAD(clEnqueueSignalSemaphoresKHR);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clGetCommandBufferInfoKHR);
  LOAD(clReleaseCommandBufferKHR);
  const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
  cl_semaphore_khr semaphores[2];
  for (int i = 0; i < 2; ++i)
    semaphores[i] = MADE(load_clCreateSemaphoreWithPropertiesKHR(context, binary, &error));
  cl_command_buffer_khr commands = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_semaphore_khr signalled[2] = {semaphores[0], semaphores[1]};
  cl_semaphore_khr used = semaphores[0];
  cl_command_buffer_khr finalized = commands;
#ifdef DEFECT
  signalled[1] = NULL;
  used = NULL;
  finalized = NULL;
#endif
  // @SIGNAL
  load_clEnqueueSignalSemaphoresKHR(queue, 2, signalled, NULL, 0, NULL, NULL);
  // @RETAIN
  const cl_int retained = load_clRetainSemaphoreKHR(used);
  if (retained == CL_SUCCESS) OK(load_clReleaseSemaphoreKHR(used));
  cl_uint references = 0;
  // @QUERY
  load_clGetCommandBufferInfoKHR(finalized, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof(references), &references,
                                 NULL);
  // @FINALIZE
  load_clFinalizeCommandBufferKHR(finalized);
  OK(clFinish(queue));
  OK(load_clReleaseCommandBufferKHR(commands));
  for (int i = 0; i < 2; ++i) OK(load_clReleaseSemaphoreKHR(semaphores[i]));
  Close();
}
