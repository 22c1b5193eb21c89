// Defect: A loader reads the records of a file into a ring of page-locked blocks. It does not wait for the
//   upload from a block before it reads the next record into it.
// Fix: It waits for the event of the block.
// EXPECT error host-race pread at READ
// EXPECT-PARTY pending-command at UPLOAD
#include <sys/mman.h>
#include <unistd.h>

#include "common/cuda.h"

struct Slot {
  char* host;
  CUdeviceptr memory;
  CUevent uploaded;
};

int main() {
  Open();
  constexpr size_t kBytes = 65536;
  CUstream stream = NewStream();
  Slot ring[2];
  for (Slot& slot : ring) slot = {NewPinned(kBytes), NewMemory(kBytes), NewEvent()};
  const int file = memfd_create("records", 0);
  CHECK(ftruncate(file, 3 * kBytes) == 0);
  for (int record = 0; record < 3; ++record) {
    Slot& slot = ring[record % 2];
#ifndef DEFECT
    OK(cuEventSynchronize(slot.uploaded));
#endif
    // @READ
    CHECK(pread(file, slot.host, kBytes, record * kBytes) == (ssize_t)kBytes);
    // @UPLOAD
    OK(cuMemcpyHtoDAsync(slot.memory, slot.host, kBytes, stream));
    OK(cuEventRecord(slot.uploaded, stream));
  }
  OK(cuStreamSynchronize(stream));
  close(file);
  for (Slot& slot : ring) {
    OK(cuMemFreeHost(slot.host));
    OK(cuMemFree(slot.memory));
    OK(cuEventDestroy(slot.uploaded));
  }
  Close(stream);
}
