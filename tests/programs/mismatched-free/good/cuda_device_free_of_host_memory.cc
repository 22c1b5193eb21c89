// Page-locked host memory is freed as such.
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  OK(cuMemHostAlloc(&data, 4096, 0));
  OK(cuMemFreeHost(data));
  Close();
}
