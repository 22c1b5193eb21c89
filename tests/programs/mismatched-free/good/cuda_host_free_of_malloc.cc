// A block from malloc is freed by free.
#include "common/cuda.h"

int main() {
  Open();
  void* data = malloc(4096);
  free(data);
  Close();
}
