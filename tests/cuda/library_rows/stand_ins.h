// What the stand-ins of the CUDA libraries and their test share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

inline constexpr int kSize = 8;  // rows and columns of all matrices

struct GivenCall {
  const char* name = "";        // of the last function that was called
  std::vector<uint64_t> words;  // its arguments
  int code = 0;                 // what all functions return
};
GivenCall& LastCall();
