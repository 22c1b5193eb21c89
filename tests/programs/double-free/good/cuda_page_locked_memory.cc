// Page-locked memory is freed once.
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  OK(cuMemHostAlloc(&data, 4096, 0));
  OK(cuMemFreeHost(data));
  Close();
}
