// Defect: Calls get handles that were never created, states that are no end, and too little or no
// room for a result.
// Fix: Calls get handles that were created, states that exist, and room for the result.
#include "common/opencl.h"

// Defect: Handles that were never created are released: the call returns only "invalid object".
// Fix: Handles that were never created are not released.
// EXPECT warning call-failed clReleaseMemObject CL_INVALID_MEM_OBJECT at MEMORY
// EXPECT-TEXT memobj is NULL
// EXPECT warning call-failed clReleaseKernel CL_INVALID_KERNEL at KERNEL
// EXPECT-TEXT kernel is NULL
// EXPECT warning call-failed clRetainEvent CL_INVALID_EVENT at EVENT
// EXPECT-TEXT event is NULL
static void ReleaseOfNull(void) {
  cl_mem memory = NULL;
  cl_kernel kernel = NULL;
  cl_event event = NULL;
#ifdef DEFECT
  // @MEMORY
  clReleaseMemObject(memory);
  // @KERNEL
  clReleaseKernel(kernel);
  // @EVENT
  clRetainEvent(event);
#else
  if (memory != NULL) clReleaseMemObject(memory);
  if (kernel != NULL) clReleaseKernel(kernel);
  if (event != NULL) clRetainEvent(event);
#endif
}

// Defect: The status of user events is set to a status that is no end, and a second time.
// Fix: The status is set once, to CL_COMPLETE.
// EXPECT warning call-failed clSetUserEventStatus CL_INVALID_VALUE at RUNNING
// EXPECT-TEXT execution_status is 1, which is neither CL_COMPLETE nor a negative code
// EXPECT warning call-failed clSetUserEventStatus CL_INVALID_OPERATION at AGAIN
// EXPECT-TEXT event has its status already
// EXPECT-TEXT correct event
static void StatusOfUserEvent(void) {
  cl_event event = MADE(clCreateUserEvent(context, &error));
#ifdef DEFECT
  // @RUNNING
  clSetUserEventStatus(event, CL_RUNNING);
#endif
  OK(clSetUserEventStatus(event, CL_COMPLETE));
#ifdef DEFECT
  // @AGAIN
  clSetUserEventStatus(event, CL_COMPLETE);
#endif
  RELEASE(event);
}

// Defect: The program passes the list of shared pointers as NULL.
// Fix: It passes the address of the list.
// EXPECT error call-failed clSetKernelExecInfo at HERE
// EXPECT-TEXT param_value is NULL, but param_value_size is 8
// EXPECT-FACT param_value_size=8
static void PointerListOfNull(void) {
  cl_kernel fill =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  if (memory == NULL) abort();
#ifdef DEFECT
  void** list = NULL;
#else
  void** list = &memory;
#endif
  // @HERE
  clSetKernelExecInfo(fill, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(void*), list);
  clSVMFree(context, memory);
  RELEASE(fill);
}

// Defect: An image is mapped without a place for its row pitch.
// Fix: The program takes the row pitch.
// EXPECT warning call-failed clEnqueueMapImage CL_INVALID_VALUE at HERE_2
// EXPECT-TEXT image_row_pitch is NULL
// EXPECT-TEXT correct image_row_pitch
static void MapImageWithoutAPitch(void) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
  cl_mem image = MADE(clCreateImage(context, 0, &format, &desc, NULL, &error));
  const size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};
  size_t pitch;
  size_t* row_pitch = &pitch;
#ifdef DEFECT
  row_pitch = NULL;
#endif
  // @HERE_2
  void* mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, origin,
                                   region, row_pitch, NULL, 0, NULL, NULL, &error);
  if (mapped != NULL) OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(image);
}

// Defect: The program asks for the largest work-group with room for a number of 32 bits.
// Fix: The value is a size_t.
// EXPECT warning call-failed clGetDeviceInfo CL_INVALID_VALUE at HERE_3
// EXPECT-TEXT param_value_size is 4, but the value has 8 bytes
static void ShortDeviceValue(void) {
#ifdef DEFECT
  cl_uint largest = 0;
#else
  size_t largest = 0;
#endif
  // @HERE_3
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(largest), &largest, NULL);
}

// Defect: A query for a number of 64 bits gets room for one of 32 bits, and the program uses the
// variable that the call leaves unset. Fix: The variable has the type that the specification names.
// EXPECT warning call-failed clGetMemObjectInfo CL_INVALID_VALUE at HERE_4
// EXPECT-TEXT param_value_size is 4, but the value has 8 bytes
static void ShortParamValue(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  cl_uint bytes = 0;
#else
  size_t bytes = 0;
#endif
  // @HERE_4
  clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  ReleaseOfNull();
  StatusOfUserEvent();
  PointerListOfNull();
  MapImageWithoutAPitch();
  ShortDeviceValue();
  ShortParamValue();
  Close();
}
