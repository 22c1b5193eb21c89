// Defect: Command buffers are enqueued before they are finalized and while they are pending, and
// record a wrong offset.
// Fix: Command buffers are enqueued when they are finalized and complete, and record right values.
#include "common/opencl_command_buffers.h"

// Defect: A command buffer is enqueued that is still being recorded.
// Fix: A command buffer is enqueued when its recording has ended.
// EXPECT warning call-failed clEnqueueCommandBufferKHR CL_INVALID_OPERATION at HERE
// EXPECT-TEXT was not finalized
static void NotFinalized(void) {
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, 4096,
                                 0, NULL, NULL, NULL));
#ifndef DEFECT
  OK(load_clFinalizeCommandBufferKHR(recorded));
#endif
  // @HERE
  load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(load_clReleaseCommandBufferKHR(recorded));
  RELEASE(buffer);
}

// Defect: A command buffer is enqueued again while it is pending.
// Fix: The program waits for it first.
// EXPECT warning call-failed clEnqueueCommandBufferKHR CL_INVALID_OPERATION at HERE_2
// EXPECT-TEXT command_buffer is pending
// EXPECT-TEXT wait for the earlier use of command_buffer
static void Pending(void) {
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, 4096,
                                 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE_2
  load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
  OK(load_clReleaseCommandBufferKHR(recorded));
  RELEASE(buffer);
}

// Defect: The offset of a recorded launch is computed below 0.
// Fix: The offset is 0.
// EXPECT error call-failed clCommandNDRangeKernelKHR at HERE_3
// EXPECT-TEXT their sum exceeds the largest size_t
// EXPECT-FACT kernel=fill
static void RecordedOffsetWraps(void) {
  if (!load_clCreateCommandBufferKHR) abort();
  cl_kernel fill =
      NewKernel("kernel void fill(global int* out) { out[get_local_id(0) & 15] = 7; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  const size_t items = 64;
#ifdef DEFECT
  const size_t halo = 16;
#else
  const size_t halo = 0;
#endif
  const size_t offset = 0 - halo;
  // @HERE_3
  load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, fill, 1, &offset, &items, NULL, 0, NULL,
                                 NULL, NULL);
  OK(load_clReleaseCommandBufferKHR(recorded));
  RELEASE(out, fill);
}

int main(void) {
  OpenCommandBuffers(0);
  NotFinalized();
  Pending();
  RecordedOffsetWraps();
  Close();
}
