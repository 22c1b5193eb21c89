// Defect: Host memory is registered and never unregistered.
// Fix: Host memory is unregistered.
// EXPECT error leak cudaHostRegister at CREATED
// EXPECT-TEXT call cudaHostUnregister on every path
#include "common/cudart.h"

int main() {
  alignas(4096) static char data[4096];
  // @CREATED
  OK(cudaHostRegister(data, sizeof(data), cudaHostRegisterDefault));
#ifndef DEFECT
  OK(cudaHostUnregister(data));
#endif
  Close();
}
