// Defect: Modules are loaded that have no code for the device, or are none.
// Fix: The module has code for the device.
#include <elf.h>

#include "common/cuda.h"
#include "common/cuda_cubin.h"

// Defect: A module is loaded from arbitrary bytes.
// Fix: The module is loaded from PTX.
// EXPECT error module-invalid cuModuleLoadDataEx at HERE
static void NotAModule() {
#ifdef DEFECT
  const char* image = "\x01\x02\x03 these bytes are no module";
#else
  const char* image = kKernels;
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr) == CUDA_SUCCESS)
    OK(cuModuleUnload(module));
}

// Defect: A module of which only the beginning was read from its file.
// Fix: The module is complete.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_INVALID_IMAGE at HERE_2
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
  // @HERE_2
  if (cuModuleLoadData(&module, module_image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

// Defect: A module that was compiled for sm_75 alone, which only devices of compute capability 7.5
// to 7.9 run.
// Fix: A module of PTX for sm_75, which is compiled for the device when it is loaded.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_NO_BINARY_FOR_GPU at HERE_3
// EXPECT-TEXT sm_75
static void CubinOfAnotherArchitecture() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) != 7);
#ifdef DEFECT
  const char* image = kCubinForSm75;
#else
  const char* image = kKernels;
#endif
  CUmodule module;
  // @HERE_3
  if (cuModuleLoadData(&module, image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

int main() {
  Open();
  NotAModule();
  TruncatedCubin();
  CubinOfAnotherArchitecture();
  Close();
}
