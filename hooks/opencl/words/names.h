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
std::string MapFlagsText(cl_map_flags flags);
std::string MigrationFlagsText(cl_mem_migration_flags flags);
std::string QueuePropertiesText(cl_command_queue_properties properties);

// "CL_MEM_OBJECT_IMAGE2D" and "2D image"; nullptr and "memory object" for an unknown type.
const char* MemTypeName(cl_mem_object_type type);
const char* MemTypeWords(cl_mem_object_type type);

// "CL_COMMAND_READ_BUFFER", "CL_RGBA", "CL_FLOAT"; nullptr for an unknown value.
const char* CommandTypeName(cl_command_type type);
const char* ChannelOrderName(cl_channel_order order);
const char* ChannelTypeName(cl_channel_type type);

// "CL_BLOCKING" or "CL_NON_BLOCKING"
inline const char* BlockingName(cl_bool blocking) {
  return blocking ? "CL_BLOCKING" : "CL_NON_BLOCKING";
}

}  // namespace gpusan::opencl
