// Defect: Reads of buffers of which a part or all was never written, or whose content was
// discarded.
// Fix: The program writes what it reads.
#include "common/opencl.h"

// Defect: A buffer is read that nothing has written.
// Fix: A buffer is read after it was filled.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
static void ReadBuffer(void) {
  static char result[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifndef DEFECT
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  RELEASE(buffer);
}

// Defect: The part of a buffer is read that nothing has written.
// Fix: The part of a buffer is read that was written.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void ReadRestOfBuffer(void) {
  static char data[2048];
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 2048, data, 0, NULL, NULL));
#ifdef DEFECT
  const size_t offset = 2048;
#else
  const size_t offset = 0;
#endif
  // @HERE_2
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 2048, data, 0, NULL, NULL));
  RELEASE(buffer);
}

// Defect: A fill gets the number of elements as its size, and all bytes are downloaded.
// Fix: A fill gets the size in bytes.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE_3
// EXPECT-FACT written_bytes=1024
static void FillCountsElements(void) {
  static float result[1024];
  cl_mem sums = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const float zero = 0;
#ifdef DEFECT
  const size_t size = 1024;
#else
  const size_t size = sizeof(result);
#endif
  OK(clEnqueueFillBuffer(queue, sums, &zero, sizeof(zero), 0, size, 0, NULL, NULL));
  // @HERE_3
  OK(clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  RELEASE(sums);
}

// Defect: The first number of a region of a buffer counts elements instead of bytes, so that three
// quarters of each row are not written. The whole buffer is read.
// Fix: It counts bytes.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE_4
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT written_bytes=1024
// EXPECT-PARTY allocation at CREATED_4
static void WriteRectCountsElements(void) {
  enum { kWidth = 64, kHeight = 16 };
  static cl_float values[kHeight][kWidth];
  // @CREATED_4
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(values), NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {kWidth, kHeight, 1};
#else
  const size_t region[3] = {kWidth * sizeof(cl_float), kHeight, 1};
#endif
  const size_t pitch = sizeof(values[0]);
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, pitch, 0, pitch, 0,
                              values, 0, NULL, NULL));
  // @HERE_4
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  RELEASE(buffer);
}

// Defect: A buffer is migrated with its content undefined, and then read.
// Fix: It is migrated with its content.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE_5
// EXPECT-PARTY discard at MIGRATED_5
// EXPECT-TEXT since clEnqueueMigrateMemObjects made the content undefined
static void ContentNotMigrated(void) {
  static int result[256];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, NULL));
#ifdef DEFECT
  const cl_mem_migration_flags flags = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
#else
  const cl_mem_migration_flags flags = 0;
#endif
  // @MIGRATED_5
  OK(clEnqueueMigrateMemObjects(queue, 1, &buffer, flags, 0, NULL, NULL));
  // @HERE_5
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  ReadBuffer();
  ReadRestOfBuffer();
  FillCountsElements();
  WriteRectCountsElements();
  ContentNotMigrated();
  Close();
}
