// Defect: A second queue migrates a buffer to the host while the first queue writes the buffer.
// Fix: The migration waits for the write.
// EXPECT error race clEnqueueMigrateMemObjects at HERE
// EXPECT-PARTY pending-command at WRITE
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  char* data = calloc(1, 8192);
  cl_event written;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, &written));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueMigrateMemObjects(second, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
#else
  OK(clEnqueueMigrateMemObjects(second, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 1, &written, NULL));
#endif
  OK(clFinish(second));
  OK(clFinish(queue));
  free(data);
  CLOSE(written, buffer, second);
}
