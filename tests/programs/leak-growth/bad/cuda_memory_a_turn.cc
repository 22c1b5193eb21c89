// Each turn of a loop keeps device memory that nobody needs any more.
// OPTION --sample-signal
// OPTION --leaks=0
// EXPECT warning leak-growth cuMemAlloc_v2 at HERE
// EXPECT-FACT figure=live
// EXPECT-TEXT memory created here grows steadily
#include "common/cuda.h"
#include "common/driven_clock.h"

int main() {
  SampleEverySecond();
  Open();
  static CUdeviceptr kept[700];
  for (CUdeviceptr& memory : kept) {
    // @HERE
    OK(cuMemAlloc(&memory, 4096));
    Sleep(1);
  }
  Close();
}
