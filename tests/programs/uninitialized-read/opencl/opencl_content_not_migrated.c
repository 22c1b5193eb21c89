// Defect: A buffer is migrated with its content undefined, and then read.
// Fix: It is migrated with its content.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-PARTY discard at MIGRATED
// EXPECT-TEXT since clEnqueueMigrateMemObjects made the content undefined
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int result[256];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, NULL));
#ifdef DEFECT
  const cl_mem_migration_flags flags = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
#else
  const cl_mem_migration_flags flags = 0;
#endif
  // @MIGRATED
  OK(clEnqueueMigrateMemObjects(queue, 1, &buffer, flags, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  CLOSE(buffer);
}
