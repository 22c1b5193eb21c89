// Kernels that each copy one element of a buffer with 64 elements, by an index of their own.
#pragma once

#include "common/opencl.h"

static cl_program reads;
static cl_mem reads_in, reads_out;

// Builds kernel number k as reads<k>(in, out, PARAMETERS) { BODY out[TO] = in[indices[k]]; }
static void BuildReads(const char* const* indices, int count, const char* parameters,
                       const char* body, const char* to) {
  static char source[16384];
  source[0] = '\0';
  for (int k = 0; k < count; ++k) {
    sprintf(source + strlen(source),
            "kernel void reads%d(global const int* in, global int* out, %s) {\n"
            "  %s\n"
            "  out[%s] = in[%s];\n"
            "}\n",
            k, parameters, body, to, indices[k]);
  }
  const char* text = source;
  reads = MADE(clCreateProgramWithSource(context, 1, &text, NULL, &error));
  OK(clBuildProgram(reads, 1, &device, NULL, NULL, NULL));
  static cl_int values[64];
  reads_in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  reads_out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(values), NULL, &error));
}

// Returns kernel number k with its two buffers. The caller releases it.
static cl_kernel ReadsKernel(int k) {
  char name[32];
  sprintf(name, "reads%d", k);
  cl_kernel kernel = MADE(clCreateKernel(reads, name, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(reads_in), &reads_in));
  OK(clSetKernelArg(kernel, 1, sizeof(reads_out), &reads_out));
  return kernel;
}

static void ReleaseReads(void) {
  OK(clReleaseMemObject(reads_in));
  OK(clReleaseMemObject(reads_out));
  OK(clReleaseProgram(reads));
}
