// The types of a kernel's parameters, read from its mangled name.
//
// CUDA's compilers mangle names as the Itanium C++ ABI specifies (§5.1). The reader keeps only what
// a launch needs and never builds the text of a type, so that the cost is linear in the length of
// the name even for names that expand to megabytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpusan::cuda {

enum class ParameterKind : uint8_t {
  kUnknown,
  kPointer,  // to an object; not to a function
  kInteger,  // bool, characters and underlying types of enumerations are not distinguished
  kFloat,
  kOther,  // classes, enumerations, arrays in them, pointers to functions and members
};

struct ParameterType {
  ParameterKind kind = ParameterKind::kUnknown;
  uint16_t bytes = 0;          // of a scalar; 0 if the name does not contain it
  uint16_t element_bytes = 0;  // of the pointee; 0 if the name does not contain it
  bool constant = false;       // a pointer to const
  bool is_signed = false;      // an integer
  // The pointee may hold addresses: pointers, classes, void, integers of 8 bytes.
  bool may_hold_addresses = false;
};

struct KernelType {
  // With namespaces and classes, without template arguments: "at::native::fill<>".
  std::string name;
  // False if the name is not mangled or not understood; then nothing else is valid.
  bool known = false;
  std::vector<ParameterType> parameters;
};

// Never fails, and never reads past the end of the name.
KernelType ReadKernelType(std::string_view symbol);

}  // namespace gpusan::cuda
