// Buffers and images are mapped, and commands use the mapped pointers.
#include "common/opencl.h"

// Map cycles: for writing, then two mappings for reading that overlap, unmapped in another order.
static void MapCycles(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4096, NULL, &error));
  for (int cycle = 0; cycle < 3; ++cycle) {
    char* all = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                        4096, 0, NULL, NULL, &error));
    memset(all, 'a' + cycle, 4096);
    OK(clEnqueueUnmapMemObject(queue, buffer, all, 0, NULL, NULL));
    const char* low = MADE(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 3072, 0, NULL, NULL, &error));
    const char* high = MADE(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 1024, 3072, 0, NULL, NULL, &error));
    printf("%c %c\n", low[3071], high[3071]);
    OK(clEnqueueUnmapMemObject(queue, buffer, (void*)low, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, buffer, (void*)high, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  RELEASE(buffer);
}

// An image is mapped for writing by its own pitch, unmapped, and read.
static void MapImage(void) {
  static unsigned char texels[8][16][4];
  const cl_image_desc shape = Image2D(16, 8);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 8, 1};
  size_t pitch = 0;
  unsigned char* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, kOrigin,
                                                 region, &pitch, NULL, 0, NULL, NULL, &error));
  for (int y = 0; y < 8; ++y) memset(mapped + y * pitch, y, 16 * 4);
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  printf("%d %d\n", texels[0][15][3], texels[7][15][3]);
  RELEASE(image);
}

// Pinned memory is mapped for reading once, before anything has written it: it is the target of
// downloads. Drivers' guides recommend that.
static void PinnedMemoryMappedForReading(void) {
  static char data[4096];
  cl_mem result = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  cl_mem pinned = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, sizeof(data), NULL, &error));
  char* mapped = MADE(clEnqueueMapBuffer(queue, pinned, CL_TRUE, CL_MAP_READ, 0, sizeof(data), 0,
                                         NULL, NULL, &error));
  OK(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof(data), mapped, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, pinned, mapped, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, pinned, result, 0, 0, sizeof(data), 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(pinned, result);
}

// A buffer in the program's memory: filled through a mapping, used by a kernel, mapped, and freed
// after its release.
static void UseHostPtr(void) {
  enum { bytes = 4096 };
  int* data = aligned_alloc(4096, bytes);
  memset(data, 0, bytes);
  cl_kernel kernel =
      NewKernel("kernel void add(global int* data) { data[get_global_id(0)] += 1; }", "add");
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, data, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = bytes / sizeof(int);
  for (int i = 0; i < 3; ++i) {
    int* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                          bytes, 0, NULL, NULL, &error));
    if (mapped != data) abort();
    mapped[0] += 10;
    OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  int* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &error));
  printf("%d %d\n", mapped[0], mapped[1]);
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  free(data);
  RELEASE(kernel);
}

// Commands use mapped pointers: behind the map in the same queue, between two maps of a region, and of memory that the
// program allocated itself, also after the unmap.
static void MappedPointersAsArguments(void) {
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clEnqueueFillBuffer(queue, to, &one, sizeof(one), 0, 8192, 0, NULL, NULL));

  for (int i = 0; i < 3; ++i) {
    char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 0, NULL, NULL, &error));
    OK(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  }
  OK(clFinish(queue));

  // Overlapping regions may be mapped for reading.
  char* first = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, 0, 8192, 0, NULL, NULL, &error));
  char* second = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, 4096, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, from, first, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 2048, second, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, from, second, 0, NULL, NULL));
  OK(clFinish(queue));

  char* own = aligned_alloc(4096, 8192);
  memset(own, 1, 8192);
  cl_mem over = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, own, &error));
  void* mapped = MADE(clEnqueueMapBuffer(queue, over, CL_TRUE, CL_MAP_READ, 0, 8192, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, over, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(over));
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 8192, own, 0, NULL, NULL));
  free(own);

  // After the release, the driver's memory may come back as a block of the program.
  OK(clReleaseMemObject(from));
  for (size_t bytes = 16; bytes <= 16384; bytes *= 2) {
    char* block = calloc(1, bytes);
    OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, bytes < 8192 ? bytes : 8192, block, 0, NULL, NULL));
    free(block);
  }
  RELEASE(to);
}

// Commands use the pointers of maps that wait for a user event: behind the map in its queue, behind its event in another
// queue, and behind a barrier.
static void PointersOfWaitingMaps(void) {
  cl_command_queue other = NewQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to[3];
  for (int i = 0; i < 3; ++i) to[i] = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  cl_event mapped;
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 1, &start, &mapped, &error));
  OK(clEnqueueWriteBuffer(queue, to[0], CL_FALSE, 0, 8192, data, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(other, to[1], CL_FALSE, 0, 8192, data, 1, &mapped, NULL));
  OK(clEnqueueBarrierWithWaitList(other, 1, &mapped, NULL));
  OK(clEnqueueWriteBuffer(other, to[2], CL_FALSE, 0, 8192, data, 0, NULL, NULL));
  OK(clFlush(queue));
  OK(clFlush(other));
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(other));
  OK(clFinish(queue));
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseEvent(mapped));
  OK(clReleaseEvent(start));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(to[i]));
  RELEASE(from, other);
}

int main(void) {
  Open(0);
  MapCycles();
  MapImage();
  PinnedMemoryMappedForReading();
  UseHostPtr();
  MappedPointersAsArguments();
  PointersOfWaitingMaps();
  Close();
}
