// Defect: Two launches of a kernel with a long PTX text write the same buffer on two streams. What
// the kernel accesses is kept on disk.
// Fix: The second stream waits for the first one.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
#include <string>

#include "common/cuda_ptx.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  std::string text = kPtx;
  const std::string comment = "// The quick brown fox jumps over the lazy dog.\n";
  const size_t inside = text.find("  ld.param");
  for (int i = 0; i < 200; ++i) text.insert(inside, comment);
  OK(cuModuleLoadData(&module_of_kernels, text.c_str()));
  CUfunction copy = PtxKernel(CODE_PLAIN_COPY);
  CUdeviceptr in = NewZeros(4096), out = NewZeros(4096);
  CUevent done;
  OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  void* arguments[] = {&in, &out};
  // @FIRST
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuEventRecord(done, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @SECOND
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(done, out, in, second, first);
}
