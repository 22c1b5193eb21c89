// A file that a program includes changes after the build of the program, before the creation of its
// kernel.
#include <unistd.h>

#include "common/opencl.h"

static char folder[] = "/tmp/gpusan-include-XXXXXX";
static char path[64];

static void Write(const char* text) {
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

int main(void) {
  Open(0);
  if (mkdtemp(folder) == NULL) abort();
  snprintf(path, sizeof(path), "%s/step.h", folder);
  Write("#define STEP 1\n");
  char options[64];
  snprintf(options, sizeof(options), "-I %s", folder);
  const char* source =
      "#include \"step.h\"\n"
      "kernel void fill(global int* values) { values[get_global_id(0) * STEP] = 1; }\n";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
  Write("#define STEP 100\n");
  cl_kernel kernel = MADE(clCreateKernel(program, "fill", &error));
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  unlink(path);
  rmdir(folder);
  CLOSE(values, kernel, program);
}
