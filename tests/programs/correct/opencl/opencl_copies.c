// Copies of rectangles, and migrations of buffers whose content is undefined.
#include "common/opencl.h"

// Rectangles are copied within one buffer: a pitch of 0 and its value are the same, and a single
// row has no pitch.
static void RectCopiesWithinBuffer(void) {
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64 * 64, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 64 * 64, 0, NULL, NULL));
  const size_t from[3] = {0, 0, 0}, to[3] = {0, 32, 0}, region[3] = {64, 8, 1};
  clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 64, 64 * 8, 64, 64 * 8, 0, NULL,
                          NULL);
  OK(clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 0, 0, 0, 0, 0, NULL, NULL));
  // Two buffers have pitches of their own.
  cl_mem other = MADE(clCreateBuffer(context, 0, 64 * 64, NULL, &error));
  const size_t small[3] = {16, 8, 1};
  OK(clEnqueueCopyBufferRect(queue, buffer, other, from, from, small, 64, 0, 16, 0, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(other, buffer);
}

// Rectangles with origins and pitches on both sides that end exactly with buffer and host block.
static void RectToTheLastByte(void) {
  // Device: 16 rows of 64 bytes. Host: 16 rows of 48 bytes, without the gap behind the last one.
  enum { rows = 16, host_bytes = (rows - 1) * 128 + 64 };
  char* data = malloc(host_bytes);
  memset(data, 'r', host_bytes);
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, rows * 64, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, rows * 64, 0, NULL, NULL));
  const size_t at[3] = {16, 0, 0};
  const size_t region[3] = {48, rows, 1};
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, at, at, region, 64, 0, 128, 0, data, 0, NULL,
                              NULL));
  OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, at, at, region, 64, 0, 128, 0, data, 0, NULL,
                             NULL));
  printf("%c\n", data[host_bytes - 1]);
  free(data);
  RELEASE(buffer);
}

// A buffer is migrated with its content undefined, filled, and migrated to the host. Two queues
// migrate and read it at the same time, which changes nothing.
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

// Buffers are migrated with their content undefined, and everything that is read was written after
// that: by a command of the same queue, by a command that was enqueued before the migration and
// runs after it, and by the host.
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
  OK(clEnqueueFillBuffer(second, buffers[1], &two, sizeof(two), 0, sizeof(result), 1, &gate,
                         &filled));
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
  int* mapped = MADE(clEnqueueMapBuffer(queue, buffers[2], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                        0, sizeof(result), 0, NULL, NULL, &error));
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
  RectCopiesWithinBuffer();
  RectToTheLastByte();
  Migrate();
  ContentWrittenAfterMigration();
  Close();
}
