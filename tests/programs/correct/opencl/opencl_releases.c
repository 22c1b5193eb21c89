// Objects are released while other objects and pending commands keep them, and the same handles
// come back for others.
#include "common/opencl.h"

// Buffers, kernel and events are released as soon as the commands that use them are enqueued:
// legal, and small.
static void ReleaseBeforeFinish(void) {
  Open(0);
  int result[64];
  cl_event read = NULL;
  for (int i = 0; i < 20; ++i) {
    cl_kernel kernel =
        NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    const size_t items = 64;
    cl_event filled;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &filled));
    OK(clReleaseKernel(kernel));
    if (read) OK(clReleaseEvent(read));
    OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof(result), result, 1, &filled, &read));
    OK(clReleaseEvent(filled));
    OK(clReleaseMemObject(buffer));
  }
  OK(clFinish(queue));
  OK(clReleaseEvent(read));
  printf("%d\n", result[63]);
  Close();
}

// Queue, buffer, user event and context are released while a command is pending; the event of the
// command stays.
static void ReleaseEverythingAtOnce(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, &written));
  OK(clFlush(queue));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  OK(clWaitForEvents(1, &written));
  OK(clReleaseEvent(written));
}

// Objects are released while a user event is not set: none of them is used by a command that waits
// for it.
static void ReleasesAroundUserEvent(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_context second = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  const cl_int one = 1;
  cl_mem used = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_mem unused = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueFillBuffer(other, unused, &one, sizeof(one), 0, 4096, 0, NULL, NULL));
  OK(clFinish(other));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  cl_event filled;
  OK(clEnqueueFillBuffer(queue, used, &one, sizeof(one), 0, 4096, 1, &start, &filled));
  OK(clReleaseMemObject(unused));
  OK(clReleaseCommandQueue(other));
  OK(clReleaseContext(second));
  OK(clRetainMemObject(used));
  OK(clReleaseMemObject(used));
  OK(clReleaseEvent(filled));
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clReleaseMemObject(used));
  OK(clFinish(queue));
  CLOSE(start);
}

// Every kind of object is retained and released in pairs, out of order.
static void RetainAndRelease(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel("kernel void fill(global int* out) { out[0] = 7; }", "fill");
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  OK(clRetainMemObject(buffer));
  OK(clRetainCommandQueue(queue));
  OK(clRetainContext(context));
  OK(clRetainKernel(kernel));
  OK(clRetainSampler(sampler));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  OK(clReleaseKernel(kernel));
  OK(clReleaseSampler(sampler));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, &written));
  OK(clRetainEvent(written));
  OK(clReleaseEvent(written));
  OK(clWaitForEvents(1, &written));
  CLOSE(written, sampler, kernel, buffer);
}

// The program releases a context, a program and a buffer that other objects hold, gets their
// handles by queries, and uses them.
static void HandlesFromQueries(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  const cl_buffer_region region = {4096, 4096};
  cl_mem half = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseContext(context));

  cl_context its_context;
  OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(its_context), &its_context, NULL));
  OK(clRetainContext(its_context));
  cl_program its_program;
  OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(its_program), &its_program, NULL));
  cl_kernel another = MADE(clCreateKernel(its_program, "fill", &error));
  cl_mem parent;
  OK(clGetMemObjectInfo(half, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, NULL));
  size_t bytes = 0;
  OK(clGetMemObjectInfo(parent, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL));
  cl_mem third = MADE(clCreateBuffer(its_context, 0, 4096, NULL, &error));

  OK(clReleaseMemObject(third));
  OK(clReleaseKernel(another));
  OK(clReleaseMemObject(half));
  OK(clReleaseKernel(kernel));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(its_context));
}

// Objects of all kinds are created and released in turn, so that the same handles come back for
// others.
static void HandleReuse(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  for (int i = 0; i < 100; ++i) {
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(texels), NULL, &error));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(texels), texels, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    const cl_image_desc shape = Image2D(16, 16);
    cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
    const size_t region[3] = {16, 16, 1};
    cl_event written;
    OK(clEnqueueWriteImage(queue, image, CL_FALSE, kOrigin, region, 0, 0, texels, 0, NULL,
                           &written));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
    OK(clReleaseEvent(written));
    OK(clReleaseMemObject(image));
    cl_event gate = MADE(clCreateUserEvent(context, &error));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clReleaseEvent(gate));
    cl_command_queue another = NewQueue(i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    OK(clReleaseCommandQueue(another));
    void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    clSVMFree(context, shared);
    free(malloc(4096));
  }
  Close();
}

int main(void) {
  ReleaseBeforeFinish();
  ReleaseEverythingAtOnce();
  ReleasesAroundUserEvent();
  RetainAndRelease();
  HandlesFromQueries();
  HandleReuse();
}
