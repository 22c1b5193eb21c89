// Two contexts with objects of the same shapes side by side; each keeps to its own.
#include "common/opencl.h"

int main(void) {
  for (int round = 0; round < 2; ++round) {
    Open(0);
    cl_context first = context;
    cl_command_queue first_queue = queue;
    Open(0);
    char data[2048];
    memset(data, 't', sizeof(data));
    cl_mem one = MADE(clCreateBuffer(first, 0, sizeof(data), NULL, &error));
    cl_mem two = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    OK(clEnqueueWriteBuffer(first_queue, one, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(first_queue, one, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, two, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, two, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    printf("%c\n", data[2047]);
    OK(clReleaseMemObject(two));
    OK(clReleaseMemObject(one));
    OK(clReleaseCommandQueue(first_queue));
    OK(clReleaseContext(first));
    Close();
  }
}
