// Defect: A kernel writes host memory that is registered for reads by the device.
// Fix: The memory is registered for reads and writes.
// EXPECT error kernel-access-flag cuLaunchKernel at HERE
// EXPECT-FACT kernel=code_set
// EXPECT-FACT flags=CU_MEMHOSTREGISTER_READ_ONLY
// MAY sticky-error leak
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED));
  CUfunction set = CodeKernel(CODE_SET);
  void* host = aligned_alloc(4096, 4096);
  memset(host, 0, 4096);
#ifdef DEFECT
  const unsigned flags = CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
#else
  const unsigned flags = CU_MEMHOSTREGISTER_DEVICEMAP;
#endif
  OK(cuMemHostRegister(host, 4096, flags));
  CUdeviceptr address;
  OK(cuMemHostGetDevicePointer(&address, host, 0));
  int value = 3, count = 64;
  void* arguments[] = {&address, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemHostUnregister(host));
  free(host);
  Close();
}
