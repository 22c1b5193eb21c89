// A buffer is migrated with its content undefined, filled, and migrated to the host. Two queues migrate and read it at the
// same time, which changes nothing.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int result[256];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  OK(clEnqueueMigrateMemObjects(queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL,
                                NULL));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, NULL));
  OK(clEnqueueMigrateMemObjects(queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_command_queue second = NewQueue(0);
  OK(clEnqueueMigrateMemObjects(second, 1, &buffer, 0, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  OK(clFinish(second));
  OK(clReleaseCommandQueue(second));
  printf("%d\n", result[255]);
  CLOSE(buffer);
}
