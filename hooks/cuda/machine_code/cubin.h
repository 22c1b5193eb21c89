// The kernels of a cubin: their names, machine code and parameter layouts.
//
// Reads untrusted images: truncated, damaged, hostile. Never faults, and never reads outside of the
// given bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hooks/cuda/analysis/block_limits.h"
#include "hooks/cuda/analysis/kernel_parameter.h"

namespace gpusan::cuda {

// The linker or the driver patches the instruction at byte `offset` of the code with the address of
// `symbol`.
struct CodeRelocation {
  uint64_t offset = 0;
  std::string_view symbol;  // a view of the image; empty: unnamed
  bool defined = false;     // in this image; otherwise by the driver or another image
};

// The words of constant bank 4, which hold addresses of variables of the module and of functions of
// the driver: `offset` is a byte in the bank. By offset.
using ModuleWords = std::vector<CodeRelocation>;

// The targets of a branch to an address of a table, as byte offsets in the code.
struct TableBranch {
  uint32_t offset = 0;  // of the branch
  std::vector<uint32_t> targets;
};

// The views point into the image that was given to ReadCubin.
struct CubinKernel {
  std::string_view name;  // mangled
  std::span<const unsigned char> code;
  unsigned architecture = 0;    // 90 for sm_90
  unsigned parameter_base = 0;  // where constant bank 0 holds the parameter block
  unsigned parameter_bytes = 0;
  std::vector<KernelParameter> parameters;  // by ordinal
  BlockLimits block;
  std::vector<CodeRelocation> relocations;  // by offset
  std::vector<TableBranch> table_branches;
  std::shared_ptr<const ModuleWords> words;  // the same for all kernels of a cubin; nullptr: none

  // The function of the driver whose address constant bank 4 holds at `offset`; empty: none.
  std::string_view DriverFunctionAt(uint32_t offset) const;
  // The variable of the module whose address constant bank 4 holds at `offset`; empty: none.
  std::string_view VariableAt(uint32_t offset) const;

 private:
  const CodeRelocation* WordAt(uint32_t offset) const;
};

struct Cubin {
  unsigned architecture = 0;
  std::vector<CubinKernel> kernels;
  std::string damage;  // the first structural error; empty: none. Kernels that were read before it
                       // are valid.
};

Cubin ReadCubin(std::span<const unsigned char> image);

}  // namespace gpusan::cuda
