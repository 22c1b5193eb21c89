// A released buffer whose memory a command still uses for two seconds. The release before the user
// event is set is a sync-object-misuse, which the test disables.
#include <time.h>

#include "programs/common/opencl.h"

int main() {
  Open(0);
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 1 << 20, nullptr, &error));
  const cl_uint pattern = 7;
  OK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, 1 << 20, 1, &gate, nullptr));
  OK(clReleaseMemObject(buffer));
  const timespec two = {2, 0}, one = {1, 0};
  nanosleep(&two, nullptr);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  nanosleep(&one, nullptr);
  OK(clReleaseEvent(gate));
  Close();
}
