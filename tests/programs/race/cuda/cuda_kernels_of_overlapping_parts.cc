// Defect: Kernels on two streams write parts of a buffer that have an element or rows in common.
// Arguments of 32 and 64 bits and divisions tell where the parts are.
// Fix: The parts lie side by side.
#include "common/cuda_machine_code.h"

// Defect: Kernels on two streams, which write as many elements as an argument says, overlap by one
// element.
// Fix: The second kernel begins behind the elements of the first.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=3996 to 7995
// EXPECT-FACT earlier_byte_range=0 to 3999
static void KernelsOfCountedElements() {
  CUfunction set = CodeKernel(CODE_SET);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(8000);
#ifdef DEFECT
  CUdeviceptr behind = data + 3996;
#else
  CUdeviceptr behind = data + 4000;
#endif
  int value = 5, count = 1000;
  void *low[] = {&data, &value, &count}, *high[] = {&behind, &value, &count};
  // @FIRST
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Defect: Kernels on two streams, which write as many elements as an argument of 64 bits says,
// overlap by one element.
// Fix: The second kernel begins behind the elements of the first.
// EXPECT error race cuLaunchKernel at SECOND_2
// EXPECT-PARTY pending-command at FIRST_2
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=3996 to 7995
// EXPECT-FACT earlier_byte_range=0 to 3999
static void KernelsOfLongCounts() {
  CUfunction set = CodeKernel(CODE_SET_LONG);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(8000);
#ifdef DEFECT
  CUdeviceptr behind = data + 3996;
#else
  CUdeviceptr behind = data + 4000;
#endif
  int value = 5;
  long long count = 1000;
  void *low[] = {&data, &value, &count}, *high[] = {&behind, &value, &count};
  // @FIRST_2
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND_2
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Defect: Kernels on two streams change halves of a buffer that overlap by one element.
// Fix: The second kernel begins behind the first one's half.
// EXPECT error race cuLaunchKernel at SECOND_3
// EXPECT-PARTY pending-command at FIRST_3
// EXPECT-FACT byte_range=1020 to 2043
// EXPECT-FACT earlier_byte_range=0 to 1023
static void KernelsOfOverlappingHalves() {
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(2048);
#ifdef DEFECT
  const int half = 255;
#else
  const int half = 256;
#endif
  int begins[] = {0, half};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  // @FIRST_3
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND_3
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Defect: Kernels in two streams write images of one buffer whose rows they find by a division, and the
// second image begins where the first one does.
// Fix: The images lie side by side.
// EXPECT error race cuLaunchKernel at HERE_4
// EXPECT-FACT hazard=WAW
static void ImagesOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction image = CodeKernel(CODE_IMAGE);
  int width = 24, pitch = 32, count = 24 * 8;
  const size_t row = 32 * sizeof(float);
  CUdeviceptr out = NewMemory(16 * row);
#ifdef DEFECT
  CUdeviceptr rest = out;
#else
  CUdeviceptr rest = out + 8 * row;
#endif
  void *low[] = {&out, &width, &pitch, &count}, *high[] = {&rest, &width, &pitch, &count};
  OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  // @HERE_4
  OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(out, second, first);
}

int main() {
  Open();
  KernelsOfCountedElements();
  KernelsOfLongCounts();
  KernelsOfOverlappingHalves();
  ImagesOfTwoStreams();
  Close();
}
