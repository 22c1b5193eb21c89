// Defect: Files and kernels are looked up by names that do not exist.
// Fix: The names are correct.
#include "common/cuda.h"

// Defect: A module is loaded from a file that is not there.
// Fix: A module is loaded from a file.
// EXPECT warning call-failed cuModuleLoad CUDA_ERROR_FILE_NOT_FOUND at HERE
// EXPECT-TEXT no_such_folder/kernels.cubin
static void FileThatIsNotThere() {
#ifdef DEFECT
  const char* path = "no_such_folder/kernels.cubin";
#else
  const char* path = "kernels.ptx";
  FILE* file = fopen(path, "w");
  CHECK(file != nullptr && fputs(kKernels, file) >= 0 && fclose(file) == 0);
#endif
  CUmodule module;
  // @HERE
  cuModuleLoad(&module, path);
}

// Defect: A kernel is looked up by its name in the source, which is not its name in the module.
// Fix: A kernel is looked up by its name in the module.
// EXPECT warning call-failed cuModuleGetFunction CUDA_ERROR_NOT_FOUND at HERE_2
// EXPECT-TEXT has no function "copy".*_Z4copyPKfPf
static void KernelName() {
  OK(cuModuleLoadData(&module_of_kernels, kKernels));
#ifdef DEFECT
  const char* name = "copy";
#else
  const char* name = KERNEL_COPY;
#endif
  CUfunction kernel;
  // @HERE_2
  cuModuleGetFunction(&kernel, module_of_kernels, name);
}

int main() {
  Open();
  FileThatIsNotThere();
  KernelName();
  Close();
}
