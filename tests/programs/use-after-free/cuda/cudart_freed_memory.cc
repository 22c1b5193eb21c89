// Defect: A pointer is used that a reallocation or a reset of the device has made invalid.
// Fix: The program uses the new pointer.
#include "common/cudart.h"

// Defect: A buffer grows, and an old pointer to it is downloaded.
// Fix: A buffer grows, and the new pointer to it is downloaded.
// EXPECT error use-after-free cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
static void KeptAfterReallocation() {
  static char result[65536];
  char *buffer, *bigger;
  // @CREATED
  OK(cudaMalloc((void**)&buffer, 65536));
  OK(cudaMemset(buffer, 0, 65536));
  OK(cudaMalloc((void**)&bigger, 8 << 20));
  OK(cudaMemset(bigger, 0, 8 << 20));
  OK(cudaMemcpy(bigger, buffer, 65536, cudaMemcpyDeviceToDevice));
  // @RELEASED
  OK(cudaFree(buffer));
#ifdef DEFECT
  char* kept = buffer;
#else
  char* kept = bigger;
#endif
  // @HERE
  cudaMemcpy(result, kept, sizeof(result), cudaMemcpyDeviceToHost);
  OK(cudaFree(bigger));
  Close();
}

// Defect: A pointer is used that a reset of the device has taken away.
// Fix: A pointer is used before the device is reset.
// EXPECT error use-after-free cudaMemcpy at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT error leak cudaMalloc at CREATED_2
static void BehindDeviceReset() {
  static char data[4096];
  void* buffer;
  // @CREATED_2
  OK(cudaMalloc(&buffer, 4096));
#ifdef DEFECT
  OK(cudaDeviceReset());
  // @HERE_2
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(buffer, data, sizeof(data), cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  OK(cudaDeviceReset());
#endif
}

int main() {
  KeptAfterReallocation();
  BehindDeviceReset();
}
