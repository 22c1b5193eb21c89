// Defect: Uploads on another stream use the source and the target of a download that is pending.
// Fix: The uploads wait for the download.
#include "common/cuda.h"

// Defect: The next upload overwrites a buffer while another stream still downloads it.
// Fix: The program waits for the download before the next upload.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at DOWNLOAD
// EXPECT-FACT hazard=WAR
static void UploadOverPendingDownload() {
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuCtxSynchronize());
  Release(buffer, result, data, second, first);
}

// Defect: Another stream uses the target of a download before anything has waited for the download.
// Fix: The other stream waits for an event after the download.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE_2
// EXPECT-PARTY pending-command at FIRST_2
// EXPECT-FACT hazard=RAW
static void UploadFromBlockBeingDownloadedInto() {
  CUstream first = NewStream(), second = NewStream();
  CUevent downloaded = NewEvent();
  CUdeviceptr one = NewZeros(4096), two = NewMemory(4096);
  char* result = NewPinned(4096);
  // @FIRST_2
  OK(cuMemcpyDtoHAsync(result, one, 4096, first));
  OK(cuEventRecord(downloaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, downloaded, 0));
#endif
  // @HERE_2
  OK(cuMemcpyHtoDAsync(two, result, 4096, second));
  OK(cuCtxSynchronize());
  Release(result, two, one, downloaded, second, first);
}

int main() {
  Open();
  UploadOverPendingDownload();
  UploadFromBlockBeingDownloadedInto();
  Close();
}
