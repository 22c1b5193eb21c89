// Defect: An image is mapped without a place for its row pitch.
// Fix: The program takes the row pitch.
// EXPECT warning call-failed clEnqueueMapImage CL_INVALID_VALUE at HERE
// EXPECT-TEXT image_row_pitch is NULL
// EXPECT-TEXT correct image_row_pitch
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
  cl_mem image = MADE(clCreateImage(context, 0, &format, &desc, NULL, &error));
  const size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};
  size_t pitch;
  size_t* row_pitch = &pitch;
#ifdef DEFECT
  row_pitch = NULL;
#endif
  // @HERE
  void* mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, origin, region, row_pitch,
                                   NULL, 0, NULL, NULL, &error);
  if (mapped != NULL) OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(image);
}
