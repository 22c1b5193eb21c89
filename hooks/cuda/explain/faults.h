// Faults of the device: codes by which calls tell of what failed behind the program's back.
//
// One finding a context names what was pending; what fails for it later is counted under that one.
#pragma once

#include <cuda.h>

#include <string>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// The code stays: every later call in the context returns it.
constexpr bool IsFault(CUresult code) {
  switch (static_cast<int>(code)) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case 226:  // CUDA_ERROR_CONTAINED
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case 721:  // CUDA_ERROR_TENSOR_MEMORY_LEAK
      return true;
    default:
      return false;
  }
}

// The call returned such a code. Once its own findings are reported.
void ReportFault(CuCall& call, CUresult code);
// What was found so far in the call about what the program does wrong, but for its first `from`
// findings; empty: nothing.
std::string FlawsOf(const CuCall& call, size_t from = 0);
// What was found about the call's arguments belongs to the command, should the device fault.
void NoteFlaws(const CuCall& call, const Command& command);
// After a fork, in the child. Async-signal-safe.
void ForgetFaults();

}  // namespace gpusan::cuda
