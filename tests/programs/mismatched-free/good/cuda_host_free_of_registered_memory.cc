// Registered host memory is unregistered.
#include "common/cuda.h"

int main() {
  Open();
  void* data = malloc(65536);
  OK(cuMemHostRegister(data, 65536, 0));
  OK(cuMemHostUnregister(data));
  free(data);
  Close();
}
