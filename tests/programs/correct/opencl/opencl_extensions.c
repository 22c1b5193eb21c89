// Calls that extensions add.
#include "common/extensions.h"

// The rest of what extensions add, called once each and rightly.
typedef cl_int (*clSetKernelArgDevicePointerEXT_fn)(cl_kernel, cl_uint, cl_ulong);

static void CalledOnceEach(void) {
  LOAD(clCreateCommandQueueWithPropertiesKHR);
  LOAD(clCreateBufferWithPropertiesINTEL);
  LOAD(clSharedMemAllocINTEL);
  LOAD(clMemBlockingFreeINTEL);
  LOAD(clSetKernelArgMemPointerINTEL);
  LOAD(clEnqueueMemFillINTEL);
  LOAD(clEnqueueMemcpyINTEL);
  LOAD(clEnqueueMigrateMemINTEL);
  LOAD(clEnqueueMemAdviseINTEL);
  LOAD(clEnqueueMigrateMemObjectEXT);
  LOAD(clSetKernelArgDevicePointerEXT);
  LOAD(clTerminateContextKHR);
  LOAD_DECLARED(clSVMAllocARM);
  LOAD_DECLARED(clSVMFreeARM);
  LOAD_DECLARED(clEnqueueSVMFreeARM);
  LOAD_DECLARED(clEnqueueSVMMemcpyARM);
  LOAD_DECLARED(clEnqueueSVMMapARM);
  LOAD_DECLARED(clEnqueueSVMUnmapARM);
  LOAD_DECLARED(clSetKernelArgSVMPointerARM);
  LOAD_DECLARED(clSetKernelExecInfoARM);
  LOAD_DECLARED(clEnqueueAcquireGrallocObjectsIMG);
  LOAD_DECLARED(clEnqueueReleaseGrallocObjectsIMG);
  LOAD_DECLARED(clEnqueueGenerateMipmapIMG);
  static int data[1024];
  const size_t bytes = sizeof(data), items = 1024;

  cl_command_queue second = MADE(load_clCreateCommandQueueWithPropertiesKHR(context, device, NULL, &error));
  cl_mem buffer = MADE(load_clCreateBufferWithPropertiesINTEL(context, NULL, 0, bytes, NULL, &error));
  OK(load_clEnqueueMigrateMemObjectEXT(second, 1, &buffer, 0, 0, NULL, NULL));
  OK(load_clEnqueueAcquireGrallocObjectsIMG(second, 1, &buffer, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  OK(load_clEnqueueReleaseGrallocObjectsIMG(second, 1, &buffer, 0, NULL, NULL));

  cl_kernel kernel = NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  int* unified = MADE(load_clSharedMemAllocINTEL(context, device, NULL, bytes, 0, &error));
  OK(load_clEnqueueMigrateMemINTEL(queue, unified, bytes, 0, 0, NULL, NULL));
  OK(load_clEnqueueMemAdviseINTEL(queue, unified, bytes, 0, 0, NULL, NULL));
  OK(load_clEnqueueMemFillINTEL(queue, unified, data, sizeof(int), bytes, 0, NULL, NULL));
  OK(load_clSetKernelArgMemPointerINTEL(kernel, 0, unified));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(load_clEnqueueMemcpyINTEL(queue, CL_TRUE, data, unified, bytes, 0, NULL, NULL));
  OK(load_clMemBlockingFreeINTEL(context, unified));

  int* shared = load_clSVMAllocARM(context, CL_MEM_READ_WRITE, bytes, 0);
  int* queued = load_clSVMAllocARM(context, CL_MEM_READ_WRITE, bytes, 0);
  OK(load_clEnqueueSVMMemcpyARM(queue, CL_TRUE, shared, data, bytes, 0, NULL, NULL));
  OK(load_clEnqueueSVMMapARM(queue, CL_TRUE, CL_MAP_WRITE, shared, bytes, 0, NULL, NULL));
  shared[0] = 1;
  OK(load_clEnqueueSVMUnmapARM(queue, shared, 0, NULL, NULL));
  OK(load_clSetKernelArgSVMPointerARM(kernel, 0, shared));
  OK(load_clSetKernelExecInfoARM(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(queued), &queued));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(load_clEnqueueSVMFreeARM(queue, 1, (void**)&queued, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  load_clSVMFreeARM(context, shared);
  OK(load_clSetKernelArgDevicePointerEXT(kernel, 0, 0x1000));

  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_mem half = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  static char texels[16 * 16 * 4];
  const size_t region[3] = {16, 16, 1};
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(load_clEnqueueGenerateMipmapIMG(queue, image, half, CL_MIPMAP_FILTER_ANY_IMG, NULL, NULL, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, half, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clReleaseMemObject(image));
  OK(clReleaseMemObject(half));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(second));
  OK(load_clTerminateContextKHR(context));
}

// The default queue of a device is created twice: the second call returns the same queue, retained.
static void DefaultDeviceQueue(void) {
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue first = MADE(clCreateCommandQueueWithProperties(context, device, properties, &error));
  cl_command_queue second = MADE(clCreateCommandQueueWithProperties(context, device, properties, &error));
  if (first != second) abort();
  RELEASE(first, second);
}

// The levels of a mipmapped image are written, read and mapped: the third element of an origin is the level.
static void MipmapLevels(void) {
  cl_image_desc shape = Image2D(64, 64);
  shape.num_mip_levels = 4;
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  static unsigned char texels[64 * 64 * 4];
  for (size_t level = 0; level < 4; ++level) {
    const size_t origin[3] = {0, 0, level}, region[3] = {64 >> level, 64 >> level, 1};
    OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
  }
  const size_t origin[3] = {0, 0, 2}, region[3] = {16, 16, 1};
  size_t row_pitch, slice_pitch;
  void* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row_pitch, &slice_pitch, 0,
                                        NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(image);
}

int main(void) {
  OpenExtensions(0);
  CalledOnceEach();
  DefaultDeviceQueue();
  MipmapLevels();
  Close();
}
