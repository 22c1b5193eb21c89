// A block from malloc is freed with free().
#include "common/opencl.h"

int main(void) {
  Open(0);
  void* data = malloc(4096);
  free(data);
  Close();
}
