// Defect: Two queues use the same object, and nothing orders the two.
// Fix: The second queue waits for the event of the first one.
#include "../../../../layer/runtime/gpusan.h"
#include "common/opencl.h"

// Defect: Two queues fill two sub-buffers of one buffer that overlap.
// Fix: Two queues fill the two halves of one buffer.
// EXPECT error race clEnqueueFillBuffer at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-TEXT which shares the memory of buffer
// EXPECT-FACT hazard=WAW
static void OverlappingSubBuffers(void) {
  const cl_int one = 1, two = 2;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region parts[2] = {{0, 2048}, {1024, 2048}};
#else
  const cl_buffer_region parts[2] = {{0, 2048}, {2048, 2048}};
#endif
  cl_mem low = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[0], &error));
  cl_mem high = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[1], &error));
  // @FIRST
  OK(clEnqueueFillBuffer(queue, low, &one, sizeof(one), 0, 2048, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueFillBuffer(second, high, &two, sizeof(two), 0, 2048, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(second));
  RELEASE(high, low, buffer, second);
}

// Defect: A second queue migrates a buffer to the host while the first queue writes the buffer.
// Fix: The migration waits for the write.
// EXPECT error race clEnqueueMigrateMemObjects at HERE_2
// EXPECT-PARTY pending-command at WRITE
static void MigrationBesideWrite(void) {
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  char* data = calloc(1, 8192);
  cl_event written;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, &written));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE_2
  OK(clEnqueueMigrateMemObjects(second, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
#else
  OK(clEnqueueMigrateMemObjects(second, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 1, &written, NULL));
#endif
  OK(clFinish(second));
  OK(clFinish(queue));
  free(data);
  RELEASE(written, buffer, second);
}

// Defect: An image is written by the host while a kernel on another queue may still read it.
// Fix: An image is written by the host when the kernel on another queue has read it.
// EXPECT error race clEnqueueWriteImage at HERE_3
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
static void ImageUsedOnAnotherQueue(void) {
  static unsigned char texels[64 * 4];
  cl_command_queue second = NewQueue(0);
  cl_kernel kernel = NewKernel(
      "constant sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
      "CLK_FILTER_NEAREST;"
      "kernel void sum(read_only image2d_t in, global uint* out) {"
      "  uint4 value = read_imageui(in, texel, (int2)(get_global_id(0), 0));"
      "  out[get_global_id(0)] = value.x + value.y + value.z + value.w;"
      "}",
      "sum");
  const cl_image_desc shape = Image2D(64, 1);
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  cl_mem sums = MADE(clCreateBuffer(context, 0, 64 * sizeof(cl_uint), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(sums), &sums));
  const size_t items = 64;
  const size_t region[3] = {64, 1, 1};
  cl_event summed;
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &summed));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE_3
  OK(clEnqueueWriteImage(second, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
#else
  OK(clEnqueueWriteImage(second, image, CL_TRUE, kOrigin, region, 0, 0, texels, 1, &summed, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(summed, sums, image, kernel, second);
}

// Defect: A download is given the memory of a CL_MEM_USE_HOST_PTR buffer as its destination while a
// kernel on another queue writes that buffer.
// Fix: The download waits for the kernel.
// EXPECT error race clEnqueueReadBuffer at HERE_4
// EXPECT-PARTY pending-command at KERNEL
// EXPECT-PARTY allocation at CREATED
static void HostPointerOfABuffer(void) {
  cl_command_queue second = NewQueue(0);
  cl_kernel kernel =
      NewKernel("kernel void one(global int* out) { out[get_global_id(0)] = 1; }", "one");
  int* data = aligned_alloc(4096, 4096);
  memset(data, 0, 4096);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
  cl_mem other = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 1024;
  cl_event done;
  // @KERNEL
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &done));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE_4
  OK(clEnqueueReadBuffer(second, other, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
#else
  OK(clEnqueueReadBuffer(second, other, CL_TRUE, 0, 4096, data, 1, &done, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(done));
  OK(clReleaseMemObject(other));
  OK(clReleaseMemObject(buffer));
  free(data);
  RELEASE(kernel, second);
}

// Defect: A block of a pool of shared virtual memory is freed while a queue fills it, and the pool
// hands the same bytes out to another queue.
// Fix: The second queue waits for the event of the first.
// EXPECT error race clEnqueueSVMMemFill at HERE_5
// EXPECT-PARTY pending-command at USED
// EXPECT-FACT reused=1
static void BlockOfAPoolReused(void) {
  cl_command_queue other = NewQueue(0);
  char* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 65536, 0);
  const uint64_t pool = gpusan_pool_create(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)memory, 0);
  const uint64_t block = (uint64_t)(uintptr_t)(memory + 4096);
  const cl_uint zero = 0, one = 1;
  cl_event filled;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  // @USED
  OK(clEnqueueSVMMemFill(queue, memory + 4096, &zero, sizeof(zero), 4096, 0, NULL, &filled));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  gpusan_block_alloc(pool, block, 2048, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  const cl_uint waits = 0;
#else
  const cl_uint waits = 1;
#endif
  // @HERE_5
  OK(clEnqueueSVMMemFill(other, memory + 4096, &one, sizeof(one), 2048, waits,
                         waits ? &filled : NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  OK(clReleaseEvent(filled));
  clSVMFree(context, memory);
  RELEASE(other);
}

int main(void) {
  Open(0);
  OverlappingSubBuffers();
  MigrationBesideWrite();
  ImageUsedOnAnotherQueue();
  HostPointerOfABuffer();
  BlockOfAPoolReused();
  Close();
}
