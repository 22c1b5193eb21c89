// Defect: A host block is freed while it is registered.
// Fix: A host block is freed after its unregistration.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY allocation at REGISTERED
#include "common/cuda.h"

int main() {
  Open();
  // @BLOCK
  char* data = (char*)malloc(65536);
  // @REGISTERED
  OK(cuMemHostRegister(data, 65536, 0));
#ifndef DEFECT
  OK(cuMemHostUnregister(data));
#endif
  // @HERE
  free(data);
#ifdef DEFECT
  cuMemHostUnregister(data);
#endif
  Close();
}
