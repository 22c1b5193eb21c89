// Page-locked memory of the driver is freed.
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  OK(cuMemHostAlloc(&data, 65536, 0));
  OK(cuMemFreeHost(data));
  Close();
}
