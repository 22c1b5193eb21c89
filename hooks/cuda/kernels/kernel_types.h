// What the parameters of a kernel are, read off its mangled name.
//
// CUDA's compilers mangle as the Itanium C++ ABI says (§5.1). Only what a launch needs is kept: no
// text of a type is ever built, so that names which expand to megabytes cost what their length
// costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpusan::cuda {

enum class ParameterKind : uint8_t {
  kUnknown,
  kPointer,  // to memory; not to a function
  kInteger,  // bool, characters and enumerators' underlying types are not told apart
  kFloat,
  kOther,  // classes, enumerations, arrays in them, pointers to functions and members
};

struct ParameterType {
  ParameterKind kind = ParameterKind::kUnknown;
  uint16_t bytes = 0;          // of a scalar; 0 where the name does not tell
  uint16_t element_bytes = 0;  // of what a pointer points to; 0 where the name does not tell
  bool constant = false;       // a pointer to const
  bool is_signed = false;      // an integer
  // What the pointer points to may hold addresses: pointers, classes, void, integers of 8 bytes.
  bool may_hold_addresses = false;
};

struct KernelType {
  // With its namespaces and classes, without template arguments: "at::native::fill<>".
  std::string name;
  // False: the name is not mangled, or in a way that is not understood. Then nothing is known.
  bool known = false;
  std::vector<ParameterType> parameters;
};

// Never fails and never reads past the end, whatever the name holds.
KernelType ReadKernelType(std::string_view symbol);

}  // namespace gpusan::cuda
