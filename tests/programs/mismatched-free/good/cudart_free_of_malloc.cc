// A block from malloc is freed by free.
#include "common/cudart.h"

int main() {
  OK(cudaDeviceSynchronize());
  void* data = malloc(4096);
  free(data);
  Close();
}
