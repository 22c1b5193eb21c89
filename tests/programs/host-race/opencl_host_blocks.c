// Defect: A command or a call uses a host block or a mapped region while another command still uses
// it.
// Fix: The second one waits for the first one.
#include "common/opencl.h"

// Defect: Another queue reads the target of a non-blocking download before the host has waited for
// the download.
// Fix: The other queue reads it when the download has ended.
// EXPECT error host-race clEnqueueWriteBuffer at HERE
// EXPECT-PARTY pending-command at FIRST
static void WriteFromBlockBeingReadInto(void) {
  static char data[4096];
  cl_command_queue second = NewQueue(0);
  cl_mem one = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  cl_mem two = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  char* result = calloc(1, 4096);
  // @FIRST
  OK(clEnqueueReadBuffer(queue, one, CL_FALSE, 0, 4096, result, 0, NULL, NULL));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(second, two, CL_FALSE, 0, 4096, result, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(second));
  free(result);
  RELEASE(two, one, second);
}

// Defect: A buffer is created from a host block that a read, for which nothing has waited, still fills.
// Fix: The host waits for the read first.
// EXPECT error host-race clCreateBuffer at HERE_2
// EXPECT-PARTY pending-command at READ
// EXPECT-FACT hazard=RAW
static void CreationCopiesPendingRead(void) {
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  char* data = calloc(1, 8192);
  // @READ
  OK(clEnqueueReadBuffer(queue, from, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE_2
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 8192, data, &error));
  OK(clFinish(queue));
  free(data);
  RELEASE(copy, from);
}

// Defect: A write reads a mapped region after a user event, and the program unmaps the region before it sets the event.
// Fix: The unmap waits for the write.
// EXPECT error host-race clEnqueueUnmapMemObject at HERE_3
// EXPECT-PARTY pending-command at WRITE
static void UnmappedBeforeItsWrite(void) {
  enum { kBytes = 4096 };
  cl_command_queue copies = NewQueue(0);
  static cl_int values[kBytes / sizeof(cl_int)];
  cl_mem staging =
      MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, kBytes, values, &error));
  cl_mem target = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_event ready = MADE(clCreateUserEvent(context, &error)), written;
  void* mapped = MADE(clEnqueueMapBuffer(queue, staging, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
  // @WRITE
  OK(clEnqueueWriteBuffer(copies, target, CL_FALSE, 0, kBytes, mapped, 1, &ready, &written));
#ifdef DEFECT
  // @HERE_3
  OK(clEnqueueUnmapMemObject(queue, staging, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
#else
  OK(clEnqueueUnmapMemObject(queue, staging, mapped, 1, &written, NULL));
#endif
  OK(clSetUserEventStatus(ready, CL_COMPLETE));
  OK(clFinish(copies));
  OK(clFinish(queue));
  RELEASE(written, ready, target, staging, copies);
}

// Defect: A write to another buffer reads a mapped region on one queue, and another queue unmaps the region without
// waiting for the write.
// Fix: The unmap waits for the write.
// EXPECT error host-race clEnqueueUnmapMemObject at HERE_4
// EXPECT-PARTY pending-command at WRITE_2
static void UnmappedSourceOfAWrite(void) {
  enum { kBytes = 4096 };
  cl_command_queue copies = NewQueue(0);
  static cl_int values[kBytes / sizeof(cl_int)];
  cl_mem staging =
      MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, kBytes, values, &error));
  cl_mem target = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  for (int i = 0; i < 3; ++i) {
    void* mapped = MADE(clEnqueueMapBuffer(queue, staging, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
    cl_event written;
    // @WRITE_2
    OK(clEnqueueWriteBuffer(copies, target, CL_FALSE, 0, kBytes, mapped, 0, NULL, &written));
    OK(clFlush(copies));
#ifdef DEFECT
    if (i != 1) OK(clWaitForEvents(1, &written));
    // @HERE_4
    OK(clEnqueueUnmapMemObject(queue, staging, mapped, 0, NULL, NULL));
#else
    OK(clEnqueueUnmapMemObject(queue, staging, mapped, 1, &written, NULL));
#endif
    OK(clFinish(queue));
    OK(clFinish(copies));
    OK(clReleaseEvent(written));
    // On the queue of the map nothing is to be waited for.
    mapped = MADE(clEnqueueMapBuffer(queue, staging, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
    OK(clEnqueueWriteBuffer(queue, target, CL_FALSE, 0, kBytes, mapped, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, staging, mapped, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  RELEASE(staging, target, copies);
}

// Defect: A command of another queue uses a mapped region before the map, which does not block, is complete.
// Fix: The command waits for the event of the map.
// EXPECT error host-race clEnqueueWriteBuffer at HERE_5
// EXPECT-PARTY pending-command at MAPPED
static void PointerBeforeMapCompletes(void) {
  cl_command_queue other = NewQueue(0);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  cl_event ready;
  // @MAPPED
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 0, NULL, &ready, &error));
  OK(clFlush(queue));
#ifdef DEFECT
  const cl_uint waits = 0;
#else
  const cl_uint waits = 1;
#endif
  // @HERE_5
  OK(clEnqueueWriteBuffer(other, to, CL_FALSE, 0, 8192, data, waits, waits ? &ready : NULL, NULL));
  OK(clFinish(other));
  OK(clFinish(queue));
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(ready, to, from, other);
}

// Defect: A blocking write of another queue reads a mapped region while the map still waits for a user event.
// Fix: The user event is set and the map is complete before the write.
// EXPECT error host-race clEnqueueWriteBuffer at HERE_6
// EXPECT-PARTY pending-command at MAPPED_2
static void PointerOfWaitingMap(void) {
  cl_command_queue other = NewQueue(0);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  // @MAPPED_2
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 1, &start, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE_6
  OK(clEnqueueWriteBuffer(other, to, CL_TRUE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(start, to, from, other);
}

int main(void) {
  Open(0);
  WriteFromBlockBeingReadInto();
  CreationCopiesPendingRead();
  UnmappedBeforeItsWrite();
  UnmappedSourceOfAWrite();
  PointerBeforeMapCompletes();
  PointerOfWaitingMap();
  Close();
}
