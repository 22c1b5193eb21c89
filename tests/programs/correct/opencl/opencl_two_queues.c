// Two queues share memory. Events, polls and flushes order the commands, or the commands have
// nothing in common that one of them writes.
#include "common/opencl.h"

// Uploads on one queue, kernels on another, two buffers, and a ring of events that hands them to
// and fro.
static void DoubleBuffering(void) {
  enum { kFrames = 9, kItems = 256 };
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
  RELEASE(sum, kernel, upload);
}

// The host polls the status of an event; CL_COMPLETE is as good as a wait: memory is freed,
// another queue goes on.
static void PollForComplete(void) {
  cl_command_queue second = NewQueue(0);
  static char result[8192];
  char* data = malloc(8192);
  memset(data, 'x', 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, &written));
  OK(clFlush(queue));
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE) {
    OK(clGetEventInfo(written, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  }
  free(data);
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, 8192, result, 0, NULL, NULL));
  printf("%c\n", result[8191]);
  RELEASE(written, buffer, second);
}

// A command waits for an event of another queue that the program has flushed without clFlush on that command: by a wait
// for an earlier command, by a blocking command, by the release of a reference of the queue; or later than the wait was
// enqueued, but before the host waits.
static void ImplicitFlushes(void) {
  static int result[256], other[256];
  const cl_int one = 1;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  for (int turn = 0; turn < 4; ++turn) {
    cl_event early, late;
    OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, &early));
    OK(clEnqueueFillBuffer(queue, buffer, &turn, sizeof(turn), 0, sizeof(result), 0, NULL, &late));
    if (turn == 0) OK(clWaitForEvents(1, &early));
    if (turn == 1)
      OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(other), other, 0, NULL, NULL));
    if (turn == 2) {
      OK(clRetainCommandQueue(queue));
      OK(clReleaseCommandQueue(queue));
    }
    if (turn == 3) {
      OK(clEnqueueReadBuffer(second, buffer, CL_FALSE, 0, sizeof(result), result, 1, &late, NULL));
      OK(clFlush(queue));
      OK(clFinish(second));
    } else {
      OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, sizeof(result), result, 1, &late, NULL));
    }
    printf("%d\n", result[255]);
    OK(clReleaseEvent(late));
    OK(clReleaseEvent(early));
  }
  RELEASE(buffer, second);
}

// Two queues work on the two halves of a buffer without order; the whole is read when both have
// ended.
static void SubBuffersOnTwoQueues(void) {
  cl_command_queue queues[2] = {queue, NewQueue(0)};
  static int result[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem halves[2];
  for (cl_int i = 0; i < 2; ++i) {
    const cl_buffer_region half = {i * sizeof(result) / 2, sizeof(result) / 2};
    halves[i] = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
    OK(clEnqueueFillBuffer(queues[i], halves[i], &i, sizeof(i), 0, half.size, 0, NULL, NULL));
    OK(clFlush(queues[i]));
  }
  for (int i = 0; i < 2; ++i) OK(clFinish(queues[i]));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d %d %d\n", result[511], result[512], result[1023]);
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(halves[i]));
  RELEASE(buffer, queues[1]);
}

// Kernels on two queues read the same buffer and image at the same time: two readers are no race.
static void KernelsShareInput(void) {
  cl_command_queue queues[2] = {queue, NewQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  static unsigned char texels[64 * 4];
  static int data[64], results[2][64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  const cl_image_desc shape = Image2D(64, 1);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &kRgba8,
                                    &shape, texels, &error));
  cl_mem in = MADE(
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  const size_t items = 64;
  for (int i = 0; i < 2; ++i) {
    cl_kernel kernel = NewKernel(
        "constant sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
        "CLK_FILTER_NEAREST;"
        "kernel void add(global const int* in, read_only image2d_t image, global int* out) {"
        "  out[get_global_id(0)] = in[get_global_id(0)] +"
        "      (int)read_imageui(image, texel, (int2)(get_global_id(0), 0)).x;"
        "}",
        "add");
    cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
    OK(clSetKernelArg(kernel, 1, sizeof(image), &image));
    OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
    cl_event added;
    OK(clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &items, NULL, 0, NULL, &added));
    OK(clEnqueueReadBuffer(queues[i], out, CL_FALSE, 0, sizeof(data), results[i], 1, &added, NULL));
    OK(clReleaseEvent(added));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
  }
  for (int i = 0; i < 2; ++i) OK(clFinish(queues[i]));
  printf("%d %d\n", results[0][63], results[1][63]);
  RELEASE(in, image, queues[1]);
}

int main(void) {
  Open(0);
  DoubleBuffering();
  PollForComplete();
  ImplicitFlushes();
  SubBuffersOnTwoQueues();
  KernelsShareInput();
  Close();
}
