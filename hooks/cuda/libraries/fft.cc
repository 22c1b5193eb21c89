// The effects of cuFFT. A plan has no function that returns its stream or its layout, so both are
// kept here.
#include "hooks/cuda/libraries/fft.h"

#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda::fft {
namespace {

enum Type : int {
  kC2C = 0x29,
  kR2C = 0x2a,
  kC2R = 0x2c,
  kZ2Z = 0x69,
  kD2Z = 0x6a,
  kZ2D = 0x6c,
};

struct Plan {
  void* stream = nullptr;
  int type = 0;       // 0: the layout is not known
  uint64_t rows = 0;  // of all transforms of the batch
  uint64_t row = 0;   // elements of the fastest dimension
  bool calls_back = false;
};

using Key = std::pair<uintptr_t, int>;  // library and handle

constinit SpinLock g_lock;
constinit std::map<Key, Plan>* g_plans = nullptr;  // never destroyed

// A thread of the parent may have changed the map.
const ForkReset g_reset([] {
  new (&g_lock) SpinLock;
  g_plans = nullptr;
});

std::map<Key, Plan>& Plans() {
  if (g_plans == nullptr) g_plans = new std::map<Key, Plan>;
  return *g_plans;
}

}  // namespace

int TypeOf(int input, int output) {
  constexpr int kR32 = 0, kR64 = 1, kC32 = 4, kC64 = 5;  // CUDA_R_32F and so on
  if (input == kC32 && output == kC32) return kC2C;
  if (input == kR32 && output == kC32) return kR2C;
  if (input == kC32 && output == kR32) return kC2R;
  if (input == kC64 && output == kC64) return kZ2Z;
  if (input == kR64 && output == kC64) return kD2Z;
  if (input == kC64 && output == kR64) return kZ2D;
  return 0;
}

void NotePlan(uintptr_t library, int plan, int type, const int64_t* lengths, int rank,
              int64_t batch) {
  uint64_t rows = batch > 0 ? static_cast<uint64_t>(batch) : 0;
  for (int i = 0; i + 1 < rank; ++i)
    rows = lengths[i] > 0 ? SaturatingMultiply(rows, static_cast<uint64_t>(lengths[i])) : 0;
  std::lock_guard lock(g_lock);
  Plan& one = Plans()[{library, plan}];
  one.type = rows != 0 && lengths[rank - 1] > 0 ? type : 0;
  one.rows = rows;
  one.row = static_cast<uint64_t>(lengths[rank - 1]);
}

void Planned(uintptr_t library, int plan, int type, std::initializer_list<int64_t> lengths,
             int64_t batch) {
  NotePlan(library, plan, type, lengths.begin(), static_cast<int>(lengths.size()), batch);
}

void ForgetLayout(uintptr_t library, int plan) {
  std::lock_guard lock(g_lock);
  Plans()[{library, plan}].type = 0;
}

void StreamSet(uintptr_t library, int plan, void* stream) {
  std::lock_guard lock(g_lock);
  Plans()[{library, plan}].stream = stream;
}

void Destroyed(uintptr_t library, int plan) {
  std::lock_guard lock(g_lock);
  Plans().erase({library, plan});
}

void CallsBack(uintptr_t library, int plan) {
  std::lock_guard lock(g_lock);
  Plans()[{library, plan}].calls_back = true;
}

void Run(LibraryCall& call, int plan, const void* input, const void* output, Operand of_input,
         Operand of_output) {
  Plan one;
  {
    std::lock_guard lock(g_lock);
    const auto found = Plans().find({LibraryOf(call.real()), plan});
    if (found == Plans().end() || found->second.calls_back) return;
    one = found->second;
  }
  call.EnqueuesTo(one.stream);
  const bool is_double = one.type == kZ2Z || one.type == kD2Z || one.type == kZ2D;
  const uint64_t real = is_double ? 8 : 4, complex = 2 * real;
  const auto whole = [&](uint64_t elements, uint64_t bytes) {
    return SaturatingMultiply(SaturatingMultiply(elements, one.rows), bytes);
  };
  const uint64_t half = one.row / 2 + 1;  // complex elements of a row of a real transform
  switch (one.type) {
    case kC2C:
    case kZ2Z:
      if (input == output) return call.Updates(of_input, input, whole(one.row, complex));
      call.Reads(of_input, input, whole(one.row, complex));
      return call.Writes(of_output, output, whole(one.row, complex));
    case kR2C:
    case kD2Z:
      if (input == output) return call.Updates(of_input, input, whole(half, complex));
      call.Reads(of_input, input, whole(one.row, real));
      return call.Writes(of_output, output, whole(half, complex));
    case kC2R:
    case kZ2D:
      // The rows of a transform in place keep the distance of its input.
      call.Reads(of_input, input, whole(half, complex));
      if (input != output) return call.Writes(of_output, output, whole(one.row, real));
      return call.Writes(of_output, output,
                         Region::Strided(0, one.row * real, one.rows, half * complex, 1, 0));
    default:
      return;
  }
}

}  // namespace gpusan::cuda::fft
