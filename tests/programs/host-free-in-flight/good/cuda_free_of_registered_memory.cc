// A host block is freed behind its unregistration.
#include "common/cuda.h"

int main() {
  Open();
  char* data = (char*)malloc(65536);
  OK(cuMemHostRegister(data, 65536, 0));
  OK(cuMemHostUnregister(data));
  free(data);
  Close();
}
