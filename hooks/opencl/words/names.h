// Names of OpenCL constants as the headers spell them, for findings and records.
//
// All functions are thread-safe. `const char*` results live as long as the process and are nullptr
// for unknown values, for which the std::string functions return the number.
#pragma once

#include <CL/cl.h>

#include <string>

namespace gpusan::opencl {

// "CL_INVALID_OPERATION"; nullptr for a code that the headers do not define.
const char* ErrorName(cl_int code);

// As ErrorName, or "CL error -1234".
std::string ErrorText(cl_int code);

// The set bits joined by " | ", unknown bits last and in hexadecimal:
// "CL_MEM_READ_ONLY | 0x100000000"; "0" if no bit is set.
std::string MemFlagsText(cl_mem_flags flags);
std::string SvmFlagsText(cl_svm_mem_flags flags);

// "CL_RGBA", "CL_FLOAT"; nullptr for an unknown value.
const char* ChannelOrderName(cl_channel_order order);
const char* ChannelTypeName(cl_channel_type type);

}  // namespace gpusan::opencl
