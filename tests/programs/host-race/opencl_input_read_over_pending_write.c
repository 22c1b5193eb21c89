// Defect: read() puts the next part of a file into a host block that a pending write still takes its data from.
// Fix: The host waits for the event of the write before it reads the next part.
// EXPECT error host-race read at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=WAR
#include <fcntl.h>
#include <unistd.h>
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kPart = 8192 };
  const int file = open("/dev/zero", O_RDONLY);
  char* part = malloc(kPart);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kPart, NULL, &error));
  if (read(file, part, kPart) != kPart) return 1;
  cl_event written;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kPart, part, 0, NULL, &written));
  OK(clFlush(queue));
#ifndef DEFECT
  OK(clWaitForEvents(1, &written));
#endif
  // @HERE
  if (read(file, part, kPart) != kPart) return 1;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kPart, part, 0, NULL, NULL));
  OK(clReleaseEvent(written));
  free(part);
  close(file);
  CLOSE(buffer);
}
