// An out-of-order queue whose commands are ordered in each of the ways that OpenCL has.
#include "common/opencl.h"

// An out-of-order queue ordered by barriers and markers, with and without wait lists, old and new
// calls.
static void BarriersAndMarkers(void) {
  static int result[256];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event filled, marked;
  for (cl_int value = 1; value <= 4; ++value) {
    OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, sizeof(result), 0, NULL,
                           &filled));
    if (value == 1) {  // everything after the barrier comes after everything before it
      OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    } else if (value == 2) {  // the barrier waits for the fill, what follows for the barrier
      OK(clEnqueueBarrierWithWaitList(queue, 1, &filled, NULL));
    } else if (value == 3) {  // a marker waits and does not hold up what follows; its event does
      OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marked));
      OK(clEnqueueBarrierWithWaitList(queue, 1, &marked, NULL));
      OK(clReleaseEvent(marked));
    } else {
      OK(clEnqueueBarrier(queue));
    }
    OK(clReleaseEvent(filled));
  }
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d %d\n", result[0], result[255]);
  RELEASE(buffer);
}

// An out-of-order queue: a blocking read orders the host, so what is enqueued afterwards needs no
// event.
static void BlockingRead(void) {
  char* data = malloc(4096);
  memset(data, 'b', 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
  printf("%c\n", data[4095]);
  free(data);
  RELEASE(buffer);
}

// An out-of-order queue whose commands are ordered by events alone: write, kernel, copy, read.
static void EventChain(void) {
  int data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_kernel kernel = NewKernel(
      "kernel void twice(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];"
      "}",
      "twice");
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  cl_event written, doubled, copied;
  OK(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, sizeof(data), data, 0, NULL, &written));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &written, &doubled));
  OK(clEnqueueCopyBuffer(queue, out, copy, 0, 0, sizeof(data), 1, &doubled, &copied));
  OK(clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, sizeof(result), result, 1, &copied, NULL));
  printf("%d %d\n", result[1], result[63]);
  OK(clReleaseEvent(copied));
  RELEASE(doubled, written, copy, out, in, kernel);
}

// The output of a kernel is never written by the host, and the input is written in two pieces.
static void KernelOverWrittenParts(void) {
  int data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_kernel kernel = NewKernel(
      "kernel void twice(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];"
      "}",
      "twice");
  cl_mem in = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  cl_event pieces[2], doubled;
  OK(clEnqueueWriteBuffer(queue, in, CL_FALSE, 128, 128, data + 32, 0, NULL, &pieces[0]));
  OK(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, 128, data, 0, NULL, &pieces[1]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 2, pieces, &doubled));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 1, &doubled, NULL));
  printf("%d\n", result[63]);
  OK(clReleaseEvent(doubled));
  for (int i = 0; i < 2; ++i) OK(clReleaseEvent(pieces[i]));
  RELEASE(out, in, kernel);
}

// Commands of two queues wait for a user event; the host writes what they read before it sets the
// event.
static void UserEvent(void) {
  static char data[4096], result[4096];
  cl_event ready = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event written, read;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 1, &ready, &written));
  const cl_event both[2] = {ready, written};
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4096, result, 2, both, &read));
  memset(data, 'u', sizeof(data));
  OK(clSetUserEventStatus(ready, CL_COMPLETE));
  OK(clReleaseEvent(ready));
  OK(clWaitForEvents(1, &read));
  printf("%c\n", result[4095]);
  RELEASE(read, written, buffer);
}

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  BarriersAndMarkers();
  BlockingRead();
  EventChain();
  KernelOverWrittenParts();
  UserEvent();
  Close();
}
