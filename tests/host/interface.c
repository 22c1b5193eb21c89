// Uses gpusan.h, and makes one error of each kind that the test wants.
//
//   interface error|clean|ignored|named|live|callback|race|ordered|host-ordered|fork|_exit
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layer/runtime/gpusan.h"

static cl_context context;
static cl_command_queue queues[2];
static cl_mem buffer;
enum { kBytes = 4096 };
static char text[2 * kBytes];

static void Overrun(void) {
  clEnqueueWriteBuffer(queues[0], buffer, CL_TRUE, 0, 2 * kBytes, text, 0, NULL, NULL);
}

static void OnFinding(const struct gpusan_finding* finding, void* user) {
  printf("callback: %s in %s, %s, %s\n", finding->check, finding->call,
         finding->severity == GPUSAN_ERROR ? "error" : "other", (const char*)user);
}

static void Fill(int queue) {
  const cl_uint zero = 0;
  clEnqueueFillBuffer(queues[queue], buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  setvbuf(stdout, NULL, _IOFBF, 4096);  // what was not flushed would be lost
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 77;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  for (int i = 0; i < 2; ++i)
    queues[i] = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, NULL, NULL);
  printf("gpusan is %s\n", gpusan_is_present() ? "here" : "absent");
  if (strcmp(way, "error") == 0 || strcmp(way, "_exit") == 0) {
    Overrun();
  } else if (strcmp(way, "ignored") == 0) {
    gpusan_ignore_begin();
    gpusan_ignore_begin();
    gpusan_ignore_end();
    Overrun();
    gpusan_ignore_end();
    gpusan_ignore_end();  // one too many
  } else if (strcmp(way, "named") == 0) {
    gpusan_name_object(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)buffer, "weights");
    Overrun();
  } else if (strcmp(way, "live") == 0) {
    printf("live: %d\n", gpusan_check_nothing_live() > 0);
  } else if (strcmp(way, "callback") == 0) {
    char user[] = "user";
    gpusan_set_callback(OnFinding, user);
    for (int i = 0; i < 2; ++i) Overrun();
    printf("findings: %d\n", (int)gpusan_finding_count());
  } else if (strcmp(way, "race") == 0) {
    Fill(0);
    Fill(1);
  } else if (strcmp(way, "ordered") == 0) {
    Fill(0);
    gpusan_order_signal(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)queues[0], &buffer);
    gpusan_order_wait(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)queues[1], &buffer);
    Fill(1);
  } else if (strcmp(way, "host-ordered") == 0) {
    Fill(0);
    gpusan_order_signal(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)queues[0], &buffer);
    gpusan_order_wait(GPUSAN_API_OPENCL, 0, &buffer);
    Fill(1);
  } else if (strcmp(way, "fork") == 0) {
    gpusan_ignore_begin();
    const pid_t child = fork();
    if (child == 0) {
      gpusan_ignore_end();
      gpusan_name_object(GPUSAN_API_OPENCL, 1, "nothing");
      printf("child: %d\n", (int)gpusan_finding_count());
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    gpusan_ignore_end();
    printf("ended: %d\n", status);
  }
  for (int i = 0; i < 2; ++i) clFinish(queues[i]);
  clReleaseMemObject(buffer);
  for (int i = 0; i < 2; ++i) clReleaseCommandQueue(queues[i]);
  clReleaseContext(context);
  printf("done\n");
  if (strcmp(way, "_exit") == 0) {
    fflush(stdout);
    _exit(0);
  }
  return argc > 2 ? atoi(argv[2]) : 0;
}
