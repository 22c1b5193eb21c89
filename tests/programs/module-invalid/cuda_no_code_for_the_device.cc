// Defect: Modules and libraries have no code for the device, or are none.
// Fix: The modules have code for the device.
#include <elf.h>

#include "common/cuda.h"
#include "common/cuda_cubin.h"

// Defect: A library has no code for the device. Loading it succeeds; the first look-up fails.
// Fix: The library has code for every device.
// EXPECT error module-invalid cuLibraryGetKernel CUDA_ERROR_NO_BINARY_FOR_GPU at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-TEXT sm_75
static void LibraryWithoutCode() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* image = kCubinForSm75;
  const char* name = "nothing";
#else
  const char* image = kKernels;
  const char* name = KERNEL_NOTHING;
#endif
  CUlibrary library;
  CUkernel kernel;
  // @LOADED
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  // @HERE
  cuLibraryGetKernel(&kernel, library, name);
  OK(cuLibraryUnload(library));
}

// Defect: The program looks up one kernel after the other in a library without code for the device,
// and continues without them. That is only a note.
// Fix: The library has code for the device.
// EXPECT note module-invalid cuLibraryGetKernel CUDA_ERROR_NO_BINARY_FOR_GPU at HERE_2
// EXPECT-PARTY allocation at LOADED_2
// EXPECT-TEXT sm_75
// EXPECT-TEXT continued without it
// EXPECT-COUNT 3
static void KernelsAskedForOneByOne() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* names[] = {"nothing", KERNEL_FILL, KERNEL_COPY};
  const char* image = kCubinForSm75;
#else
  const char* names[] = {KERNEL_NOTHING, KERNEL_FILL, KERNEL_COPY};
  const char* image = kKernels;
#endif
  CUlibrary library;
  // @LOADED_2
  OK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  int usable = 0;
  for (const char* name : names) {
    CUkernel kernel;
    // @HERE_2
    if (cuLibraryGetKernel(&kernel, library, name) == CUDA_SUCCESS) ++usable;
  }
  printf("%d of %d kernels can be used\n", usable, 3);
  OK(cuLibraryUnload(library));
}

// Defect: The program tries a cubin for other devices first and loads PTX instead. That is only a
// note.
// Fix: The program loads PTX first.
// EXPECT note module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE_3
// EXPECT-TEXT sm_75
// EXPECT-TEXT the program loaded another module instead
static void CubinAndThenPtx() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
  CUmodule module;
#ifdef DEFECT
  const char* first = kCubinForSm75;
#else
  const char* first = kKernels;
#endif
  // @HERE_3
  if (cuModuleLoadData(&module, first) != CUDA_SUCCESS) OK(cuModuleLoadData(&module, kKernels));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  OK(cuModuleUnload(module));
}

// Defect: A module is loaded from arbitrary bytes.
// Fix: The module is loaded from PTX.
// EXPECT error module-invalid cuModuleLoadDataEx at HERE_4
static void NotAModule() {
#ifdef DEFECT
  const char* image = "\x01\x02\x03 these bytes are no module";
#else
  const char* image = kKernels;
#endif
  CUmodule module;
  // @HERE_4
  if (cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr) == CUDA_SUCCESS)
    OK(cuModuleUnload(module));
}

// Defect: A module of which only the beginning was read from its file.
// Fix: The module is complete.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_INVALID_IMAGE at HERE_5
// EXPECT-TEXT sm_90
static void TruncatedCubin() {
  // The header of an object for sm_90 that says that sections follow; nothing does.
  static unsigned char image[4096];
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = 0x41;
  header.e_ident[EI_ABIVERSION] = 8;
  header.e_type = ET_EXEC;
  header.e_machine = EM_CUDA;
  header.e_version = 1;
  header.e_flags = 0x6005a04;
  header.e_shoff = 1024;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 14;
  header.e_shstrndx = 1;
  memcpy(image, &header, sizeof(header));
#ifdef DEFECT
  const void* module_image = image;
#else
  const void* module_image = kKernels;
#endif
  CUmodule module;
  // @HERE_5
  if (cuModuleLoadData(&module, module_image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

// Defect: A module that was compiled for sm_75 alone, which only devices of compute capability 7.5
// to 7.9 run.
// Fix: A module of PTX for sm_75, which is compiled for the device when it is loaded.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE_6
// EXPECT-TEXT sm_75
static void CubinOfAnotherArchitecture() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* image = kCubinForSm75;
#else
  const char* image = kKernels;
#endif
  CUmodule module;
  // @HERE_6
  if (cuModuleLoadData(&module, image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

int main() {
  Open();
  LibraryWithoutCode();
  KernelsAskedForOneByOne();
  CubinAndThenPtx();
  NotAModule();
  TruncatedCubin();
  CubinOfAnotherArchitecture();
  Close();
}
