// Kernels from PTX text.
#include "common/cuda.h"
#include "common/cuda_ptx.h"

// A kernel exchanges the content of new memory atomically, and ignores what was there.
// As KERNEL_FILL, by atomic exchanges.
static const char kExchange[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z4fillPii(.param .u64 out, .param .u32 value)
{
  .reg .b32 %r<6>;
  .reg .b64 %a<3>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [out];
  ld.param.u32 %r4, [value];
  mul.wide.u32 %a1, %r3, 4;
  add.u64 %a2, %a0, %a1;
  atom.global.exch.b32 %r5, [%a2], %r4;
  ret;
}
)";

static void PtxExchangeWithNewMemory() {
  Open();
  OK(cuModuleLoadData(&module_of_kernels, kExchange));
  CUfunction fill = Kernel(KERNEL_FILL);
  CUdeviceptr out = NewMemory(4096);
  int value = 7, result[1024];
  void* arguments[] = {&out, &value};
  OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuMemcpyDtoH(result, out, 4096));
  CHECK(result[1023] == 7);
  Close(out);
}

// A kernel from PTX is launched with more threads than elements: the count keeps it inside of its
// half of the buffer, while another stream fills the other half.
static void PtxFewerElementsThanThreads() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction set = PtxKernel(CODE_SET);
  CUdeviceptr data = NewMemory(8000);
  CUdeviceptr high = data + 4000;
  int value = 3, count = 1000;
  void* arguments[] = {&data, &value, &count};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemsetD32Async(high, 7, 1000, second));
  OK(cuCtxSynchronize());
  int words[2];
  OK(cuMemcpyDtoH(words, data + 3996, 8));
  CHECK(words[0] == 3 && words[1] == 7);
  Close(data, second, first);
}

// Kernels of a library that is made of PTX read one buffer at the same time, beside a download of
// it.
static void PtxOfALibrary() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUlibrary library;
  OK(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel;
  OK(cuLibraryGetKernel(&kernel, library, CODE_PLAIN_COPY));
  CUdeviceptr in = NewZeros(4096), a = NewZeros(4096), b = NewZeros(4096);
  char* result = NewPinned(4096);
  void *to_a[] = {&in, &a}, *to_b[] = {&in, &b};
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, first, to_a, nullptr));
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, second, to_b, nullptr));
  OK(cuMemcpyDtoHAsync(result, in, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(result));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  OK(cuMemFree(in));
  OK(cuLibraryUnload(library));
  Close(second, first);
}

// The program changes and frees the PTX text after it has loaded it: what the kernels access is
// that of the text which the driver got. Two streams copy disjoint halves.
static void PtxTextIsGone() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* text = (char*)malloc(sizeof(kPtx));
  memcpy(text, kPtx, sizeof(kPtx));
  CUmodule module;
  OK(cuModuleLoadData(&module, text));
  memset(text, 'x', sizeof(kPtx));
  free(text);
  CUfunction copy;
  OK(cuModuleGetFunction(&copy, module, CODE_PLAIN_COPY));
  CUdeviceptr in = NewZeros(8192), out = NewZeros(8192);
  CUdeviceptr in_high = in + 4096, out_high = out + 4096;
  void *low[] = {&in, &out}, *high[] = {&in_high, &out_high};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  OK(cuModuleUnload(module));
  Close(second, first);
}

int main() {
  PtxExchangeWithNewMemory();
  PtxFewerElementsThanThreads();
  PtxOfALibrary();
  PtxTextIsGone();
}
