// Defect: Memory that calls of extensions made is never freed.
// Fix: The memory is freed.
#include "common/extensions.h"

// Defect: Unified shared memory is never freed.
// Fix: Unified shared memory is freed.
// EXPECT error leak clHostMemAllocINTEL at CREATED
// EXPECT-TEXT call clMemFreeINTEL on every path
static void UnifiedMemory(void) {
  LOAD(clHostMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clEnqueueMemsetINTEL);
  // @CREATED
  char* memory = MADE(load_clHostMemAllocINTEL(context, NULL, 4096, 0, &error));
  OK(load_clEnqueueMemsetINTEL(queue, memory, 1, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
#ifndef DEFECT
  OK(load_clMemFreeINTEL(context, memory));
#endif
}

// Defect: A buffer over imported memory is never released.
// Fix: A buffer over imported memory is released.
// EXPECT error leak clImportMemoryARM at CREATED_2
static void ImportedMemory(void) {
  LOAD_DECLARED(clImportMemoryARM);
  static char memory[4096] __attribute__((aligned(4096)));
  const cl_import_properties_arm host[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0};
  // @CREATED_2
  cl_mem buffer = MADE(
      load_clImportMemoryARM(context, CL_MEM_READ_WRITE, host, memory, sizeof(memory), &error));
#ifdef DEFECT
  (void)buffer;
#else
  OK(clReleaseMemObject(buffer));
#endif
}

int main(void) {
  OpenExtensions(0);
  UnifiedMemory();
  ImportedMemory();
  Close();
}
