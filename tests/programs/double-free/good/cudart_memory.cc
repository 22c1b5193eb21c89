// Device memory is freed once.
#include "common/cudart.h"

int main() {
  void* buffer;
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaFree(buffer));
  Close();
}
