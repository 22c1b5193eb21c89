// Defect: A variable of a module is downloaded on one stream while another stream uploads it.
// Fix: The download waits for an event behind the upload.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(1024), *result = NewPinned(1024);
  CHECK(Kernel(KERNEL_LOOK_UP) != nullptr);
  CUdeviceptr table;
  // The size of the variable is known to the program.
  OK(cuModuleGetGlobal(&table, nullptr, module_of_kernels, MODULE_TABLE));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(table, data, 1024, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, table, 1024, second));
  OK(cuCtxSynchronize());
  Close(result, data, uploaded, second, first);
}
