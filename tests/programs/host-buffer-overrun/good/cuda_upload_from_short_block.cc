// The host block of an upload is as long as the upload.
#include "common/cuda.h"

int main() {
  Open();
  const size_t bytes = 4096;
  char* data = (char*)calloc(1, bytes);
  char* behind = (char*)calloc(1, 65536);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemcpyHtoD(buffer, data, 4096));
  OK(cuMemFree(buffer));
  free(behind);
  free(data);
  Close();
}
