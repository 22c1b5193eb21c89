// The variable of the common kernels as a program of a CUDA compiler has it: with a symbol on the
// host, which the compiler's code registers before main.
#pragma once

#include "common/cudart.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** image);
void __cudaRegisterVar(void** image, char* host_variable, char* device_address, const char* name,
                       int is_external, size_t bytes, int is_constant, int is_global);
void __cudaUnregisterFatBinary(void** image);
}

// float table[256] of the module.
[[maybe_unused]] static float table_symbol[256];

// The fat binary of one PTX text, as fatbinary writes it without compression.
struct VariableFatbin {
  struct {
    uint32_t magic = 0xba55ed50;
    uint16_t version = 1, header_bytes = 16;
    uint64_t bytes = sizeof(entry) + sizeof(text);
  } header;
  struct {
    uint16_t kind = 1, version = 0x101;
    uint32_t header_bytes = 80;
    uint64_t bytes = sizeof(text);
    uint32_t packed_bytes = 0, options_offset = 64;
    uint16_t minor = 0, major = 7;
    uint32_t arch = 75, name_offset = 0, name_bytes = 0;
    uint64_t flags = 0x11;  // 64 bits, Linux
    uint64_t reserved = 0, unpacked_bytes = 0;
    uint64_t options[2] = {0x48, 0};  // the driver reads them
  } entry;
  char text[(sizeof(kKernels) + 7) / 8 * 8] = {};
};

struct VariableImage {
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void* data;
    void* file;
  } wrapper = {};
  VariableFatbin fatbin;
  void** handle;
  VariableImage() {
    memcpy(fatbin.text, kKernels, sizeof(kKernels));
    wrapper.data = &fatbin;
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterVar(handle, (char*)table_symbol, (char*)MODULE_TABLE, MODULE_TABLE, 0,
                      sizeof(table_symbol), 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
  }
  ~VariableImage() { __cudaUnregisterFatBinary(handle); }
};
static VariableImage variable_image;
