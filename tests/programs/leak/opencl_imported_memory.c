// Defect: A buffer over imported memory is never released.
// Fix: A buffer over imported memory is released.
// EXPECT error leak clImportMemoryARM at CREATED
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD_DECLARED(clImportMemoryARM);
  static char memory[4096] __attribute__((aligned(4096)));
  const cl_import_properties_arm host[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0};
  // @CREATED
  cl_mem buffer = MADE(
      load_clImportMemoryARM(context, CL_MEM_READ_WRITE, host, memory, sizeof(memory), &error));
#ifdef DEFECT
  (void)buffer;
#else
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
