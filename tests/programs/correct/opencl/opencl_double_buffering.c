// Uploads on one queue, kernels on another, two buffers, and a ring of events that hands them to
// and fro.
#include "common/opencl.h"

enum { kFrames = 9, kItems = 256 };

int main(void) {
  Open(0);
  cl_command_queue upload = NewQueue(0);
  static int frames[2][kItems];
  static int sums[kItems];
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* frame, global int* sums) {"
      "  sums[get_global_id(0)] += frame[get_global_id(0)];"
      "}",
      "add");
  cl_mem sum = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(sums), sums, &error));
  cl_mem slots[2];
  cl_event uploaded[2] = {NULL, NULL}, used[2] = {NULL, NULL};
  for (int i = 0; i < 2; ++i) {
    slots[i] = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(frames[0]), NULL, &error));
  }
  OK(clSetKernelArg(kernel, 1, sizeof(sum), &sum));
  const size_t items = kItems;
  for (int frame = 0; frame < kFrames; ++frame) {
    const int slot = frame % 2;
    if (uploaded[slot]) {  // the host block of the slot is free again
      OK(clWaitForEvents(1, &uploaded[slot]));
      OK(clReleaseEvent(uploaded[slot]));
    }
    for (int i = 0; i < kItems; ++i) frames[slot][i] = frame;
    OK(clEnqueueWriteBuffer(upload, slots[slot], CL_FALSE, 0, sizeof(frames[0]), frames[slot],
                            used[slot] ? 1 : 0, used[slot] ? &used[slot] : NULL, &uploaded[slot]));
    OK(clFlush(upload));
    if (used[slot]) OK(clReleaseEvent(used[slot]));
    OK(clSetKernelArg(kernel, 0, sizeof(slots[slot]), &slots[slot]));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &uploaded[slot],
                              &used[slot]));
    OK(clFlush(queue));
  }
  OK(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof(sums), sums, 0, NULL, NULL));
  printf("%d %d\n", sums[0], sums[kItems - 1]);
  OK(clFinish(upload));
  for (int i = 0; i < 2; ++i) {
    OK(clReleaseEvent(uploaded[i]));
    OK(clReleaseEvent(used[i]));
    OK(clReleaseMemObject(slots[i]));
  }
  CLOSE(sum, kernel, upload);
}
