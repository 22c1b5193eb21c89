// The function, file and line of an instruction of a Python code object.
//
// Thread-safe. Reads through the kernel: a wrong pointer makes a function return false. Allocates
// nothing through the program's malloc, takes no lock of the loader, and keeps errno.
#pragma once

#include <cstdint>

#include "hooks/common/sites/python_layout.h"
#include "hooks/common/sites/site.h"

namespace gpusan {

// The addresses of the types, by which objects are recognised.
struct PythonTypes {
  uintptr_t code = 0;
  uintptr_t string = 0;
  uintptr_t bytes = 0;
};

// Reads the names of the code object at `code` and the line of the instruction at `offset` [bytes];
// a negative offset means the first line. Returns false if the memory is not a code object with
// names.
bool ReadPythonCode(const PythonLayout& layout, const PythonTypes& types, uintptr_t code,
                    int offset, SourceFrame* frame);

// Results of ReadPythonCode by a number that identifies code object and instruction. A later result
// may replace an earlier one.
bool FindPythonPosition(uint64_t identity, SourceFrame* frame);
void KeepPythonPosition(uint64_t identity, const SourceFrame& frame);

}  // namespace gpusan
