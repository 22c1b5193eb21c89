// Defect: The host reads, writes and maps buffers and an image whose flags deny that.
// Fix: The flags allow the access of the host.
#include "common/opencl.h"

// Defect: The host writes a buffer that it declared only to read.
// Fix: The host writes a buffer that it may read and write.
// EXPECT error host-access-flag clEnqueueWriteBuffer CL_INVALID_OPERATION at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT CL_MEM_HOST_READ_ONLY
static void WriteBufferReadOnly(void) {
  static int data[256];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: The host reads back from a buffer that it declared only to write.
// Fix: The host reads back from a buffer that it may read and write.
// EXPECT error host-access-flag clEnqueueReadBuffer CL_INVALID_OPERATION at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-TEXT CL_MEM_HOST_WRITE_ONLY
static void ReadBufferWriteOnly(void) {
  static int data[256];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  // @HERE_2
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: A sub-buffer inherits the host access flags of its parent, which exclude reads. The host
// reads a rectangle of it.
// Fix: The flags of the parent allow reads.
// EXPECT error host-access-flag clEnqueueReadBufferRect CL_INVALID_OPERATION at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void ReadRectSubBuffer(void) {
  static char data[4096];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR;
#endif
  cl_mem parent = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  const cl_buffer_region part = {1024, 1024};
  // @CREATED_3
  cl_mem half = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE_3
  clEnqueueReadBufferRect(queue, half, CL_TRUE, kOrigin, kOrigin, region, 32, 0, 16, 0, data, 0,
                          NULL, NULL);
  RELEASE(half, parent);
}

// Defect: The host writes an image that was created for the device alone.
// Fix: The host writes an image without restrictions for the host.
// EXPECT error host-access-flag clEnqueueWriteImage CL_INVALID_OPERATION at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-TEXT CL_MEM_HOST_NO_ACCESS
static void WriteImageNoAccess(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_NO_ACCESS;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED_4
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE_4
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

// Defect: The host maps a buffer for writing that it declared only to read.
// Fix: The host maps a buffer for reading that it declared only to read.
// EXPECT error host-access-flag clEnqueueMapBuffer CL_INVALID_OPERATION at HERE_5
// EXPECT-PARTY allocation at CREATED_5
static void MapForWriteReadOnly(void) {
  static char data[4096];
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_READ_ONLY;
  // @CREATED_5
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
#ifdef DEFECT
  const cl_map_flags access = CL_MAP_WRITE;
#else
  const cl_map_flags access = CL_MAP_READ;
#endif
  // @HERE_5
  void* mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, access, 0, 4096, 0, NULL, NULL, &error);
  if (error == CL_SUCCESS) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  WriteBufferReadOnly();
  ReadBufferWriteOnly();
  ReadRectSubBuffer();
  WriteImageNoAccess();
  MapForWriteReadOnly();
  Close();
}
