// Defect: Device memory is never freed, and host memory is never unregistered.
// Fix: The program frees and unregisters the memory.
#include "common/cudart.h"

// Defect: Device memory is never freed.
// Fix: Device memory is freed.
// EXPECT error leak cudaMalloc at CREATED
static void Memory() {
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaMemset(buffer, 0, 4096));
#ifndef DEFECT
  OK(cudaFree(buffer));
#endif
  Close();
}

// Defect: Host memory is registered and never unregistered.
// Fix: Host memory is unregistered.
// EXPECT error leak cudaHostRegister at CREATED_2
// EXPECT-TEXT call cudaHostUnregister on every path
static void RegisteredMemory() {
  alignas(4096) static char data[4096];
  // @CREATED_2
  OK(cudaHostRegister(data, sizeof(data), cudaHostRegisterDefault));
#ifndef DEFECT
  OK(cudaHostUnregister(data));
#endif
  Close();
}

int main() {
  Memory();
  RegisteredMemory();
}
