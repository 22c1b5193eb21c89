// Defect: Each iteration of a loop keeps device memory that the program no longer needs.
// Fix: Each iteration frees the memory that it allocated. A cache is filled once and kept.
// OPTION --sample-signal
// DEFECT-OPTION --leaks=0
// EXPECT warning leak-growth cuMemAlloc_v2 at HERE
// EXPECT-FACT figure=live
// EXPECT-TEXT memory created here grows steadily
#include "common/cuda.h"
#include "common/driven_clock.h"

int main() {
  SampleEverySecond();
  Open();
#ifdef DEFECT
  static CUdeviceptr kept[700];
  for (CUdeviceptr& memory : kept) {
    // @HERE
    OK(cuMemAlloc(&memory, 4096));
    Sleep(1);
  }
#else
  static CUdeviceptr kept[20];
  for (int i = 0; i < 700; ++i) {
    if (i < 20) OK(cuMemAlloc(&kept[i], 65536));
    CUdeviceptr memory;
    OK(cuMemAlloc(&memory, 4096));
    Sleep(1);
    OK(cuMemFree(memory));
  }
  for (CUdeviceptr memory : kept) OK(cuMemFree(memory));
#endif
  Close();
}
