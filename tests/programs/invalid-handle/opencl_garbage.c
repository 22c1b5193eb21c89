// Defect buffer: A buffer handle that was never created is read.
// EXPECT error invalid-handle clEnqueueReadBuffer at HERE
// EXPECT-FACT argument=buffer
// EXPECT-FACT handle=0x10
// EXIT any
// Defect event_in_a_wait_list: The second element of a wait list was never set.
// EXPECT error invalid-handle clEnqueueMarkerWithWaitList at HERE_2
// EXPECT-FACT argument=event_wait_list[1]
// EXIT any
// Defect query: The size of a buffer is asked through a pointer to the host's data.
// EXPECT error invalid-handle clGetMemObjectInfo at HERE_3
// EXPECT-FACT argument=memobj
// EXIT any
// Defect sampler: The address of the sampler is set as the value of a sampler argument, instead of
// the sampler.
// EXPECT error invalid-handle clSetKernelArg at HERE_4
// EXPECT-FACT argument=arg_value
// EXIT any
// Fix: The program passes the object that it created.
#include "common/opencl.h"

// Fix: The handle comes from clCreateBuffer.
static void GarbageBuffer(void) {
  const cl_int seven = 7;
  cl_mem made = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(seven), (void*)&seven, &error));
#ifdef DEFECT_buffer
  cl_mem buffer = (cl_mem)0x10;
#else
  cl_mem buffer = made;
#endif
  cl_int value = 0;
  // @HERE
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  RELEASE(made);
}

// Fix: Both elements are events of commands.
static void EventInAWaitList(void) {
  cl_event events[2];
  memset(events, 0x5a, sizeof(events));
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[0]));
#ifndef DEFECT_event_in_a_wait_list
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[1]));
#endif
  // @HERE_2
  clEnqueueMarkerWithWaitList(queue, 2, events, NULL);
  OK(clFinish(queue));
  OK(clReleaseEvent(events[0]));
#ifndef DEFECT_event_in_a_wait_list
  OK(clReleaseEvent(events[1]));
#endif
}

// Fix: The size is asked through the handle of the buffer.
static void GarbageQuery(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  static float data[1024];
  memset(data, 0x3f, sizeof(data));
#ifdef DEFECT_query
  cl_mem asked = (cl_mem)(void*)data;
#else
  cl_mem asked = buffer;
#endif
  size_t bytes = 0;
  // @HERE_3
  clGetMemObjectInfo(asked, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  RELEASE(buffer);
}

// Fix: The value is the sampler.
static const char kSource[] =
    "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
    "  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x; }";

static void Sampler(void) {
  cl_kernel kernel = NewKernel(kSource, "take");
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
#ifdef DEFECT_sampler
  const uintptr_t nothing = (uintptr_t)-4096;
  const void* value = &nothing;
#else
  const void* value = &sampler;
#endif
  // @HERE_4
  clSetKernelArg(kernel, 1, sizeof(sampler), value);
  RELEASE(sampler, kernel);
}

int main(void) {
  Open(0);
  GarbageBuffer();
  EventInAWaitList();
  GarbageQuery();
  Sampler();
  Close();
}
