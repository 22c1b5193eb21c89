// Defect: Four tables are parts of one buffer. The program fills three, and a kernel looks values up in the fourth.
// Fix: The program fills all tables.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=map
#include "common/opencl.h"

enum { kTables = 4, kEntries = 256, kItems = 1024 };

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void map(global const uchar* in, global const float* table, global float* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = table[in[i]];"
      "}",
      "map");
  static unsigned char indices[kItems];
  static float values[kEntries];
  const size_t items = kItems;
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(indices), indices, &error));
  cl_mem all = MADE(clCreateBuffer(context, 0, kTables * sizeof(values), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kItems * sizeof(float), NULL, &error));
  cl_mem tables[kTables];
#ifdef DEFECT
  const int filled = kTables - 1;
#else
  const int filled = kTables;
#endif
  for (int i = 0; i < kTables; ++i) {
    const cl_buffer_region region = {i * sizeof(values), sizeof(values)};
    tables[i] = MADE(clCreateSubBuffer(all, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    if (i < filled)
      OK(clEnqueueWriteBuffer(queue, tables[i], CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  }
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  for (int i = 0; i < kTables; ++i) {
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &tables[i]));
    // @HERE
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  for (int i = 0; i < kTables; ++i) OK(clReleaseMemObject(tables[i]));
  CLOSE(out, all, in, kernel);
}
