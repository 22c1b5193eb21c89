// Page-locked memory is freed.
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  OK(cuMemAllocHost(&data, 4096));
  OK(cuMemFreeHost(data));
  Close();
}
