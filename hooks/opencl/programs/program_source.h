// The source or binary of OpenCL programs, and the summaries of their kernels.
#pragma once

#include <CL/cl.h>

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Keeps the source of a program that was created from it: the arguments of
// clCreateProgramWithSource, after the call succeeded.
void KeepSource(PlainObject* program, cl_uint count, const char** strings, const size_t* lengths);

// Keeps the intermediate language of a program: the arguments of clCreateProgramWithIL, after the
// call succeeded. Only SPIR-V is analysed.
void KeepIl(PlainObject* program, const void* il, size_t length);
// Notes that a program was created from binaries. They are read when its first kernel is created,
// if the driver returns them as PTX.
void KeepBinary(PlainObject* program);
// Keeps the value of a specialization constant, which the next build uses: the arguments of
// clSetProgramSpecializationConstant. `program` may be nullptr.
void KeepSpecialization(PlainObject* program, cl_uint id, size_t size, const void* value);

// Keeps the headers of clCompileProgram. `program` may be nullptr.
void KeepHeaders(ClCall& call, PlainObject* program, cl_uint count, const cl_program* headers,
                 const char** names);

// A program that clLinkProgram made has the source of its only input. Of several inputs only the
// binary is known.
void KeepLinked(ClCall& call, PlainObject* linked, const char* options, cl_uint count,
                const cl_program* programs);

// Analyses a program that was just built if it includes files or has specialization constants,
// which may change before its first kernel is created. `program` may be nullptr.
void AnalyseChangeable(ClCall& call, PlainObject* program);

// Gives a new kernel the summary that follows from the source or intermediate language and the
// build options of its program, or from its binary, if there is one. The first kernel of a program
// waits for the analysis. `program` may be nullptr.
void AttachSummary(ClCall& call, PlainObject* program, Kernel* kernel);

}  // namespace gpusan::opencl
