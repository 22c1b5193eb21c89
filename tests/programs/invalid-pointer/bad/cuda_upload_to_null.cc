// The destination of an upload is a pointer that was declared and never set.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  CUdeviceptr buffer = 0;
  // @HERE
  cuMemcpyHtoD(buffer, data, sizeof(data));
  Close();
}
