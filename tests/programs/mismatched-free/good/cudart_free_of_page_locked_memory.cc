// Page-locked memory is freed by cudaFreeHost.
#include "common/cudart.h"

int main() {
  void* data;
  OK(cudaMallocHost(&data, 4096));
  OK(cudaFreeHost(data));
  Close();
}
