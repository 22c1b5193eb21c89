// Shared virtual memory is freed by the queue: by the implementation, and by a callback of the
// program.
#include "common/opencl.h"

static void CL_CALLBACK Free(cl_command_queue queue, cl_uint count, void* pointers[], void* user) {
  (void)queue;
  for (cl_uint i = 0; i < count; ++i) clSVMFree((cl_context)user, pointers[i]);
}

int main(void) {
  Open(0);
  static char data[1024];
  void* shared[2];
  for (int i = 0; i < 2; ++i) {
    shared[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, shared[i], data, sizeof(data), 0, NULL, NULL));
  }
  OK(clEnqueueSVMFree(queue, 1, &shared[0], NULL, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMFree(queue, 1, &shared[1], Free, context, 0, NULL, NULL));
  OK(clFinish(queue));
  Close();
}
