// Defect: Commands of a command buffer share memory with each other, or with another queue, and
// nothing orders them.
// Fix: The later command waits for a sync point or for an event.
#include "common/opencl_command_buffers.h"

// Defect: What a command buffer writes is read on another queue without waiting for it.
// Fix: What a command buffer writes is read on another queue after the event of its enqueue.
// EXPECT error race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at ENQUEUED
// EXPECT-FACT hazard=RAW
static void ReadOnAnotherQueue(void) {
  OpenCommandBuffers(0);
  cl_command_queue other = NewQueue(0);
  static int result[1024];
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, sizeof(result), 0,
                                 NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  cl_event filled;
  // @ENQUEUED
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, &filled));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
#else
  OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof(result), result, 1, &filled, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(filled));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(buffer, other);
}

// Defect: A command buffer of an out-of-order queue copies what its first command fills, without its sync point.
// Fix: The copy waits for the sync point of the fill.
// EXPECT error race clEnqueueCommandBufferKHR at HERE_2
// EXPECT-PARTY pending-command at FILLED
// EXPECT-PARTY recorded at COPIED
// EXPECT-FACT hazard=RAW
static void Commands(void) {
  OpenCommandBuffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static int result[1024];
  const cl_int five = 5;
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr filled;
  // @FILLED
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES from, &five, sizeof(five), 0, sizeof(result), 0, NULL, &filled,
                                 NULL));
#ifdef DEFECT
  // @COPIED
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, 0, sizeof(result), 0, NULL, NULL, NULL));
#else
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, 0, sizeof(result), 1, &filled, NULL, NULL));
#endif
  OK(load_clFinalizeCommandBufferKHR(recorded));
  // @HERE_2
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(to, from);
}

// Defect: A command buffer copies what its kernel writes, without a barrier between the two commands.
// Fix: A barrier is recorded between the kernel and the copy.
// EXPECT error race clEnqueueCommandBufferKHR at HERE_3
// EXPECT-PARTY pending-command at WRITTEN
// EXPECT-PARTY recorded at COPIED_2
// EXPECT-FACT hazard=RAW
static const char kSource[] =
    "kernel void twice(global const int* from, global int* to) {"
    "  to[get_global_id(0)] = 2 * from[get_global_id(0)];"
    "}";

static void KernelAndCopy(void) {
  OpenCommandBuffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static int values[1024];
  const size_t global = 1024;
  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem first = MADE(clCreateBuffer(context, copied, sizeof(values), values, &error));
  cl_mem second = MADE(clCreateBuffer(context, copied, sizeof(values), values, &error));
  cl_mem third = MADE(clCreateBuffer(context, copied, sizeof(values), values, &error));
  cl_kernel kernel = NewKernel(kSource, "twice");
  OK(clSetKernelArg(kernel, 0, sizeof(first), &first));
  OK(clSetKernelArg(kernel, 1, sizeof(second), &second));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  // @WRITTEN
  OK(load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
#ifndef DEFECT
  OK(load_clCommandBarrierWithWaitListKHR(recorded, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
#endif
  // @COPIED_2
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES second, third, 0, 0, sizeof(values), 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  // @HERE_3
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(kernel, third, second, first);
}

int main(void) {
  ReadOnAnotherQueue();
  Commands();
  KernelAndCopy();
}
