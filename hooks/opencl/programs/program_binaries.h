// Host memory that programs hand over for the text and the binaries of OpenCL programs.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Reports each of `count` pointers for CL_PROGRAM_BINARIES behind which a known host block has less
// memory than the binary of its device needs. NULL is no request.
void CheckBinaryBlocks(ClCall& call, cl_program program, unsigned char* const* pointers,
                       size_t count);

// Reports each binary of clCreateProgramWithBinary that ends before its own headers say. States the
// reason of a failure if a length is 0 or a pointer NULL. `lengths` and `binaries` may be nullptr.
void CheckBinaries(ClCall& call, cl_uint count, const size_t* lengths,
                   const unsigned char* const* binaries);

// Reports each string of clCreateProgramWithSource that has no length and no NUL character in the
// known heap block that contains it. `strings` may not be nullptr, `lengths` may.
void CheckSourceStrings(ClCall& call, cl_uint count, const char* const* strings,
                        const size_t* lengths);

}  // namespace gpusan::opencl
