// Defect queried_buffer: The size of a buffer is asked after the buffer was released.
// EXPECT error use-after-free clGetMemObjectInfo at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=memobj
// EXIT any
// Defect event_in_a_wait_list: A wait list names an event whose last reference was released.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE_2
// EXPECT-PARTY release at RELEASED_2
// EXIT any
// Defect times_of_an_event: The times of a command are asked after its event was released.
// EXPECT error use-after-free clGetEventProfilingInfo at HERE_3
// EXPECT-PARTY release at RELEASED_3
// EXPECT-FACT argument=event
// EXIT any
// Defect memory_of_a_buffer: A buffer is used after the host block that is its memory was freed.
// EXPECT warning host-free-in-flight free at FREED
// EXPECT error use-after-free clEnqueueReadBuffer at HERE_4
// EXPECT-PARTY release at FREED
// EXPECT-PARTY allocation at CREATED_2
// EXIT any
// Defect sub_device: A sub-device is released before a context is created for it.
// EXPECT error use-after-free clCreateContext at HERE_5
// EXIT any
// Defect command_buffer: A command buffer is finalized after its last release.
// EXPECT error use-after-free clFinalizeCommandBufferKHR at HERE_6
// EXPECT-PARTY release at RELEASED_4
// EXPECT-PARTY allocation at CREATED_3
// EXIT any
// Fix: The object is released behind the last use.
#include <CL/cl_ext.h>

#include "common/opencl.h"

// Fix: The size is asked before.
static void QueriedBuffer(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  size_t bytes = 0;
#ifdef DEFECT_queried_buffer
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#endif
  // @HERE
  clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
#ifndef DEFECT_queried_buffer
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}

// Fix: An event is released after the last wait list that names it.
static void EventInAWaitList(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, &written));
#ifndef DEFECT_event_in_a_wait_list
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &written, NULL);
#endif
  // @RELEASED_2
  OK(clReleaseEvent(written));
#ifdef DEFECT_event_in_a_wait_list
  // @HERE_2
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &written, NULL);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  CLOSE(gate, buffer);
}

// Fix: The times are asked before.
static void TimesOfAnEvent(void) {
  Open(CL_QUEUE_PROFILING_ENABLE);
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  OK(clFinish(queue));
#ifdef DEFECT_times_of_an_event
  // @RELEASED_3
  OK(clReleaseEvent(event));
#endif
  cl_ulong end = 0;
  // @HERE_3
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
#ifndef DEFECT_times_of_an_event
  OK(clReleaseEvent(event));
#endif
  Close();
}

// Fix: The block is freed after the buffer was released.
static void MemoryOfABuffer(void) {
  Open(0);
  char* data = aligned_alloc(4096, 8192);
  memset(data, 1, 8192);
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
#ifdef DEFECT_memory_of_a_buffer
  // @FREED
  free(data);
#endif
  cl_int value = 0;
  // @HERE_4
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT_memory_of_a_buffer
  free(data);
#endif
  Close();
}

// Fix: It is released afterwards.
static void SubDevice(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  OK(clCreateSubDevices(device, kEach, 2, parts, NULL));
#ifdef DEFECT_sub_device
  OK(clReleaseDevice(parts[1]));
#endif
  // @HERE_5
  cl_context one = clCreateContext(NULL, 1, &parts[1], NULL, NULL, &error);
#ifndef DEFECT_sub_device
  OK(clReleaseDevice(parts[1]));
#endif
  if (one != NULL) OK(clReleaseContext(one));
  OK(clReleaseDevice(parts[0]));
  Close();
}

// Fix: A command buffer is finalized before its last release.
#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

static void CommandBuffer(void) {
  Open(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  // @CREATED_3
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
#ifndef DEFECT_command_buffer
  load_clFinalizeCommandBufferKHR(recorded);
#endif
  // @RELEASED_4
  OK(load_clReleaseCommandBufferKHR(recorded));
#ifdef DEFECT_command_buffer
  // @HERE_6
  load_clFinalizeCommandBufferKHR(recorded);
#endif
  Close();
}

int main(void) {
  QueriedBuffer();
  EventInAWaitList();
  TimesOfAnEvent();
  MemoryOfABuffer();
  SubDevice();
  CommandBuffer();
}
