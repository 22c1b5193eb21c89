// The types of a kernel's parameters, read from its mangled name.
#include "hooks/cuda/types/kernel_types.h"

#include "hooks/cuda/types/mangled_reader.h"

namespace gpusan::cuda {

KernelType ReadKernelType(std::string_view symbol) {
  KernelType type;
  type.known = MangledReader(symbol).ReadAll(&type);
  if (!type.known) {
    type.parameters.clear();
    type.name = std::string(symbol);
  }
  return type;
}

}  // namespace gpusan::cuda
