// Defect: Shared virtual memory is copied to NULL: the program never allocated the target.
// Fix: Shared virtual memory is copied to the host.
// EXPECT error invalid-pointer clEnqueueSVMMemcpy at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char array[1024];
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(array), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, array, sizeof(array), 0, NULL, NULL));
#ifdef DEFECT
  char* result = NULL;
#else
  char* result = array;
#endif
  // @HERE
  clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, sizeof(array), 0, NULL, NULL);
  clSVMFree(context, shared);
  Close();
}
