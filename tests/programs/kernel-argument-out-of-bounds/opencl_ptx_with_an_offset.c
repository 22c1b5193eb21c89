// Defect: The global offset of a launch makes a kernel write past the end of its buffer. The program is PTX, as NVIDIA's
// driver gives it as a binary.
// Fix: The work-items end with the buffer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT outside_bytes=128
#include "common/extensions.h"

static const char kBinary[] =
    "// source: kernel void fill(global int* values, int value) { values[get_global_id(0)] = value; }\n"
    ".version 9.0\n"
    ".target sm_90, texmode_independent\n"
    ".address_size 64\n"
    ".entry fill(.param .u64 .ptr .global .align 4 fill_param_0, .param .u32 fill_param_1)\n"
    "{\n"
    ".reg .b32 %r<5>;\n"
    ".reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [fill_param_0];\n"
    "ld.param.u32 %r1, [fill_param_1];\n"
    "mov.b32 %r2, %envreg3;\n"
    "cvt.s64.s32 %rd2, %r2;\n"
    "mov.u32 %r3, %ntid.x;\n"
    "mov.u32 %r4, %ctaid.x;\n"
    "mul.wide.s32 %rd3, %r3, %r4;\n"
    "mov.u32 %r0, %tid.x;\n"
    "cvt.s64.s32 %rd4, %r0;\n"
    "add.s64 %rd5, %rd4, %rd2;\n"
    "add.s64 %rd6, %rd5, %rd3;\n"
    "shl.b64 %rd7, %rd6, 2;\n"
    "add.s64 %rd8, %rd1, %rd7;\n"
    "st.global.u32 [%rd8], %r1;\n"
    "ret;\n"
    "}\n";

int main(void) {
  OpenExtensions(0);
  const size_t length = sizeof(kBinary) - 1;
  const unsigned char* binary = (const unsigned char*)kBinary;
  cl_program program = MADE(clCreateProgramWithBinary(context, 1, &device, &length, &binary, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  cl_kernel fill = MADE(clCreateKernel(program, "fill", &error));
  // Behind the 64 values there is room for more.
  static cl_int host[256];
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, host, &error));
  const cl_int value = 7;
  OK(clSetKernelArg(fill, 0, sizeof(values), &values));
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
  const size_t offset = 32;
#ifdef DEFECT
  const size_t items = 64;
#else
  const size_t items = 32;
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, fill, 1, &offset, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(values, fill, program);
}
