// The effects of the rows of fft.def: cuFFT plans and their executions. Thread-safe.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "hooks/cuda/libraries/library_call.h"

namespace gpusan::cuda::fft {

inline constexpr int kSetupFailed = 7;  // CUFFT_SETUP_FAILED

// `library` is that of LibraryOf: each copy of the library counts its plans.
//
// A plan was made: `type` is a cufftType, `lengths` are those of one transform, slowest dimension
// first. The layout is the default one.
void Planned(uintptr_t library, int plan, int type, std::initializer_list<int64_t> lengths,
             int64_t batch);
void NotePlan(uintptr_t library, int plan, int type, const int64_t* lengths, int rank,
              int64_t batch);
void ForgetLayout(uintptr_t library, int plan);
template <typename Integer>
void PlannedMany(uintptr_t library, int plan, int type, int rank, const Integer* lengths,
                 bool default_layout, int64_t batch) {
  if (!default_layout || rank < 1 || rank > 3 || lengths == nullptr)
    return ForgetLayout(library, plan);
  int64_t wide[3];
  for (int i = 0; i < rank; ++i) wide[i] = lengths[i];
  NotePlan(library, plan, type, wide, rank, batch);
}
// The cufftType of a plan by the cudaDataType_t of input and output; 0: none.
int TypeOf(int input, int output);
void StreamSet(uintptr_t library, int plan, void* stream);
void Destroyed(uintptr_t library, int plan);

// The plan has callbacks from now on.
void CallsBack(uintptr_t library, int plan);

void Run(LibraryCall& call, int plan, const void* input, const void* output,
         Operand of_input = Operand::kIdata, Operand of_output = Operand::kOdata);

}  // namespace gpusan::cuda::fft
