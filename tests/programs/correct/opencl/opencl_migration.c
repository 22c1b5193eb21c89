// Buffers are migrated with their content undefined, and what is read was written after that.
#include "common/opencl.h"

// A buffer is migrated with its content undefined, filled, and migrated to the host. Two queues migrate and read it at the
// same time, which changes nothing.
static void Migrate(void) {
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
  RELEASE(buffer);
}

// Buffers are migrated with their content undefined, and everything that is read was written after that: by a command of
// the same queue, by a command that was enqueued before the migration and runs after it, and by the host.
static void ContentWrittenAfterMigration(void) {
  static int result[256];
  const cl_int one = 1, two = 2;
  cl_command_queue second = NewQueue(0);
  cl_mem buffers[3];
  for (int i = 0; i < 3; ++i) {
    buffers[i] = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
    OK(clEnqueueFillBuffer(queue, buffers[i], &one, sizeof(one), 0, sizeof(result), 0, NULL, NULL));
  }
  OK(clFinish(queue));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_event filled;
  OK(clEnqueueFillBuffer(second, buffers[1], &two, sizeof(two), 0, sizeof(result), 1, &gate, &filled));
  OK(clEnqueueMigrateMemObjects(queue, 3, buffers, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL,
                                NULL));
  OK(clFinish(queue));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clEnqueueFillBuffer(queue, buffers[0], &two, sizeof(two), 0, sizeof(result), 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  OK(clWaitForEvents(1, &filled));
  OK(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  int* mapped = MADE(clEnqueueMapBuffer(queue, buffers[2], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                        sizeof(result), 0, NULL, NULL, &error));
  for (int i = 0; i < 256; ++i) mapped[i] = 3;
  OK(clEnqueueUnmapMemObject(queue, buffers[2], mapped, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  OK(clReleaseEvent(filled));
  OK(clReleaseEvent(gate));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(buffers[i]));
  RELEASE(second);
}

int main(void) {
  Open(0);
  Migrate();
  ContentWrittenAfterMigration();
  Close();
}
