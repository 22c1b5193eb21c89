// Maps and shared memory of kernels and copies that run while the option is on: the threads of the
// driver use the protected pages, the program polls for a map, and system calls and a child of fork
// use mapped memory.
// OPTION --protect-maps
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/opencl.h"

enum { kBytes = 65536, kHalf = kBytes / 2 };

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  const char* source = "kernel void add(global int* data) { data[get_global_id(0)] += 1; }";
  const cl_int one = 1;
  const size_t items = kBytes / sizeof(cl_int);
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, "add", &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, kBytes, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  for (int turn = 0; turn < 8; ++turn) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    cl_event mapped;
    cl_int* first = MADE(
        clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, kHalf, 0, NULL, NULL, &error));
    cl_int* second = MADE(clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, kHalf, kHalf, 0,
                                             NULL, &mapped, &error));
    OK(clFlush(queue));
    OK(clWaitForEvents(1, &mapped));
    if (first[5000] != turn + 2 || second[5000] != turn + 2) abort();
    OK(clReleaseEvent(mapped));
    OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, buffer, second, 0, NULL, NULL));
  }
  // A map that is never used, and a system call on one that is.
  cl_event start = MADE(clCreateUserEvent(context, &error));
  char* unused = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, kBytes, 1, &start, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, unused, 0, NULL, NULL));
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clReleaseEvent(start));
  char* data = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
  const int file = memfd_create("mapped", 0);
  if (write(file, data, kBytes) != kBytes) abort();
  const pid_t child = fork();
  if (child == 0) _exit(data[20000] == 9 ? 0 : 1);
  int status = 1;
  if (waitpid(child, &status, 0) != child || status != 0) abort();
  OK(clEnqueueUnmapMemObject(queue, buffer, data, 0, NULL, NULL));
  OK(clFinish(queue));

  cl_int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  cl_int* copy = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  if (shared != NULL && copy != NULL) {
    OK(clEnqueueSVMMemFill(queue, shared, &one, sizeof(one), kBytes, 0, NULL, NULL));
    OK(clSetKernelArgSVMPointer(kernel, 0, shared));
    for (int turn = 0; turn < 4; ++turn) {
      cl_event added, mapped;
      OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &added));
      OK(clEnqueueSVMMemcpy(other, CL_FALSE, copy, shared, kBytes, 1, &added, NULL));
      OK(clEnqueueSVMMap(other, CL_FALSE, CL_MAP_READ, copy, kBytes, 0, NULL, &mapped));
      OK(clFlush(queue));
      OK(clFlush(other));
      cl_int state = CL_QUEUED;
      while (state != CL_COMPLETE)
        OK(clGetEventInfo(mapped, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL));
      if (copy[5000] != turn + 2) abort();
      OK(clEnqueueSVMUnmap(other, copy, 0, NULL, NULL));
      OK(clFinish(other));
      OK(clReleaseEvent(mapped));
      OK(clReleaseEvent(added));
    }
    OK(clFinish(queue));
  }
  clSVMFree(context, copy);
  clSVMFree(context, shared);
  close(file);
  CLOSE(buffer, kernel, program, other);
}
