// Defect: A module of which only the beginning was read from its file.
// Fix: The module is complete.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_INVALID_IMAGE at HERE
// EXPECT-TEXT sm_90
#include <elf.h>

#include "common/cuda.h"

int main() {
  Open();
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
  // @HERE
  if (cuModuleLoadData(&module, module_image) == CUDA_SUCCESS) OK(cuModuleUnload(module));
  Close();
}
