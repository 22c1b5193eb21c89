// Defect: Calls name handles that are no objects, or that were released. With --shield the program goes on behind each.
// Fix: All handles name objects.
// OPTION --shield
// EXPECT error invalid-handle clEnqueueReadBuffer at GARBAGE
// EXPECT error invalid-handle clWaitForEvents at WAIT
// EXPECT error use-after-free clGetMemObjectInfo at QUERY
// EXPECT error use-after-free clCreateSubBuffer at PART
// EXPECT error over-release clReleaseMemObject at AGAIN
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int seven = 7;
  // The first call that a bare run does not survive is the first of the defect.
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(seven), (void*)&seven, &error));
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  cl_mem from = buffer;
  const cl_buffer_region all = {0, sizeof(seven)};
#ifdef DEFECT
  from = (cl_mem)0x10;
  OK(clReleaseEvent(event));
  event = (cl_event)0x20;
#endif
  cl_int value = 0;
  // @GARBAGE
  const cl_int read = clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  // @WAIT
  const cl_int waited = clWaitForEvents(1, &event);
#ifdef DEFECT
  FAILS(CL_INVALID_MEM_OBJECT, read);
  FAILS(CL_INVALID_EVENT, waited);
  OK(clReleaseMemObject(buffer));
#else
  OK(read);
  OK(waited);
#endif
  size_t bytes = 0;
  // @QUERY
  const cl_int asked = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  // @PART
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &error);
#ifdef DEFECT
  FAILS(CL_INVALID_MEM_OBJECT, asked);
  FAILS(CL_INVALID_MEM_OBJECT, error);
  if (part != NULL) abort();
#else
  OK(asked);
  OK(clReleaseMemObject(part));
  OK(clReleaseEvent(event));
#endif
  // @AGAIN
  const cl_int released = clReleaseMemObject(buffer);
#ifdef DEFECT
  FAILS(CL_INVALID_MEM_OBJECT, released);
#else
  OK(released);
#endif
  Close();
}
