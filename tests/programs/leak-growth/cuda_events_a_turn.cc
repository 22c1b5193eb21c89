// Defect: Each iteration of a loop keeps an event that the program no longer needs.
// Fix: Each iteration destroys the event that it created. A pool is filled once and kept.
// OPTION --sample-signal
// DEFECT-OPTION --leaks=0
// EXPECT warning leak-growth cuEventCreate at HERE
// EXPECT-FACT figure=objects
// EXPECT-TEXT the number of objects created here grows steadily
#include "common/cuda.h"
#include "common/driven_clock.h"

int main() {
  SampleEverySecond();
  Open();
#ifdef DEFECT
  static CUevent kept[700];
  for (CUevent& event : kept) {
    // @HERE
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(event, nullptr));
    OK(cuEventSynchronize(event));
    Sleep(1);
  }
#else
  static CUevent pool[50];
  for (CUevent& event : pool) event = NewEvent();
  for (int i = 0; i < 700; ++i) {
    CUevent event = NewEvent();
    OK(cuEventRecord(event, nullptr));
    OK(cuEventRecord(pool[i % 50], nullptr));
    OK(cuEventSynchronize(event));
    Sleep(1);
    OK(cuEventDestroy(event));
  }
#endif
  Close();
}
