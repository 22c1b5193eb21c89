// A module is loaded from a file.
#include "common/cuda.h"

int main() {
  Open();
  const char* path = "kernels.ptx";
  FILE* file = fopen(path, "w");
  CHECK(file != nullptr && fputs(kKernels, file) >= 0 && fclose(file) == 0);
  CUmodule module;
  cuModuleLoad(&module, path);
  Close();
}
