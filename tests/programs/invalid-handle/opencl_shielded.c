// Defect programs: Programs are compiled with a header, linked and queried by handles that are no
// programs.
// EXPECT error invalid-handle clCompileProgram at COMPILE
// EXPECT-FACT argument=input_headers[1]
// EXPECT error invalid-handle clLinkProgram at LINK
// EXPECT-FACT argument=input_programs[0]
// EXPECT error use-after-free clGetProgramBuildInfo at QUERY
// EXIT any
// Defect behind_the_queue: Commands name NULL behind a valid queue, where the loader does not look.
// With --shield the program goes on.
// EXPECT error invalid-handle clEnqueueCopyBufferRect at COPY
// EXPECT-FACT argument=dst_buffer
// EXPECT error invalid-handle clEnqueueCopyImageToBuffer at IMAGE
// EXPECT-FACT argument=dst_buffer
// EXPECT error invalid-handle clEnqueueNDRangeKernel at LAUNCH
// EXPECT-FACT argument=kernel
// EXIT any
// Defect in_place_of_objects: Calls name handles that are no objects, or that were released. With
// --shield the program goes on behind each.
// EXPECT error invalid-handle clEnqueueReadBuffer at GARBAGE
// EXPECT error invalid-handle clWaitForEvents at WAIT
// EXPECT error use-after-free clGetMemObjectInfo at QUERY_2
// EXPECT error use-after-free clCreateSubBuffer at PART
// EXPECT error over-release clReleaseMemObject at AGAIN
// EXIT any
// Fix: The program passes the objects that it created.
// OPTION --shield
#include "common/opencl.h"

// Fix: All handles name programs.
static cl_program NewProgram(const char* source) {
  return MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
}

static void Programs(void) {
  cl_program program = NewProgram("kernel void one(global int* out) { out[0] = 1; }");
  cl_program header = NewProgram("typedef int number;\n");
  cl_program headers[2] = {header, header};
  const char* names[2] = {"number.h", "other.h"};
  OK(clRetainProgram(header));
#ifdef DEFECT_programs
  headers[1] = (cl_program)0x10;
#endif
  // @COMPILE
  const cl_int compiled = clCompileProgram(program, 1, &device, NULL, 2, headers, names, NULL, NULL);
  cl_program input = program;
#ifdef DEFECT_programs
  FAILS(CL_INVALID_PROGRAM, compiled);
  input = (cl_program)queue;
#else
  OK(compiled);
#endif
  // @LINK
  cl_program linked = clLinkProgram(context, 1, &device, NULL, 1, &input, NULL, NULL, &error);
#ifdef DEFECT_programs
  FAILS(CL_INVALID_PROGRAM, error);
  OK(clReleaseProgram(header));
#else
  OK(error);
  OK(clReleaseProgram(linked));
#endif
  OK(clReleaseProgram(header));
  cl_build_status status;
#ifdef DEFECT_programs
  cl_program asked = header;
#else
  cl_program asked = program;
#endif
  // @QUERY
  clGetProgramBuildInfo(asked, device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL);
#ifndef DEFECT_programs
  OK(clReleaseProgram(header));
#endif
  RELEASE(program);
}

// Fix: All handles name objects.
static void BehindTheQueue(void) {
  const cl_int one = 1;
  const cl_uint4 color = {{1, 2, 3, 4}};
  const size_t region[3] = {16, 4, 1}, items = 16;
  cl_kernel kernel = NewKernel("kernel void nothing(int value) {}", "nothing");
  OK(clSetKernelArg(kernel, 0, sizeof(one), &one));
  cl_mem from = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 4096, 0, NULL, NULL));
  const cl_image_desc shape = Image2D(16, 4);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_mem target = to;
  cl_kernel launched = kernel;
#ifdef DEFECT_behind_the_queue
  target = NULL;
  launched = NULL;
#endif
  // @COPY
  const cl_int copied =
      clEnqueueCopyBufferRect(queue, from, target, kOrigin, kOrigin, region, 0, 0, 0, 0, 0, NULL, NULL);
  // @IMAGE
  const cl_int read = clEnqueueCopyImageToBuffer(queue, image, target, kOrigin, region, 0, 0, NULL, NULL);
  // @LAUNCH
  const cl_int ran = clEnqueueNDRangeKernel(queue, launched, 1, NULL, &items, NULL, 0, NULL, NULL);
#ifdef DEFECT_behind_the_queue
  FAILS(CL_INVALID_MEM_OBJECT, copied);
  FAILS(CL_INVALID_MEM_OBJECT, read);
  FAILS(CL_INVALID_KERNEL, ran);
#else
  OK(copied);
  OK(read);
  OK(ran);
#endif
  OK(clFinish(queue));
  RELEASE(image, to, from, kernel);
}

// Fix: All handles name objects.
static void InPlaceOfObjects(void) {
  const cl_int seven = 7;
  // The first call that a bare run does not survive is the first of the defect.
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(seven), (void*)&seven, &error));
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  cl_mem from = buffer;
  const cl_buffer_region all = {0, sizeof(seven)};
#ifdef DEFECT_in_place_of_objects
  from = (cl_mem)0x10;
  OK(clReleaseEvent(event));
  event = (cl_event)0x20;
#endif
  cl_int value = 0;
  // @GARBAGE
  const cl_int read = clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  // @WAIT
  const cl_int waited = clWaitForEvents(1, &event);
#ifdef DEFECT_in_place_of_objects
  FAILS(CL_INVALID_MEM_OBJECT, read);
  FAILS(CL_INVALID_EVENT, waited);
  OK(clReleaseMemObject(buffer));
#else
  OK(read);
  OK(waited);
#endif
  size_t bytes = 0;
  // @QUERY_2
  const cl_int asked = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  // @PART
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &error);
#ifdef DEFECT_in_place_of_objects
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
#ifdef DEFECT_in_place_of_objects
  FAILS(CL_INVALID_MEM_OBJECT, released);
#else
  OK(released);
#endif
}

int main(void) {
  Open(0);
  Programs();
  BehindTheQueue();
  InPlaceOfObjects();
  Close();
}
