// A table of records has a head in each record. A program reads one whole record, whose size is
// that of all heads together.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char head[64], record[256];
  cl_mem table = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  for (size_t i = 0; i < 4; ++i) {
    OK(clEnqueueWriteBuffer(queue, table, CL_TRUE, i * sizeof(record), sizeof(head), head, 0, NULL,
                            NULL));
  }
  OK(clEnqueueReadBuffer(queue, table, CL_TRUE, 0, sizeof(record), record, 0, NULL, NULL));
  CLOSE(table);
}
