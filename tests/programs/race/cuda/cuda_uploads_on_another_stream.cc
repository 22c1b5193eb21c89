// Defect: Uploads use memory or a variable that another stream uses at the same time.
// Fix: One stream waits for the other one.
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

// Defect: A variable of a module is downloaded on one stream while another stream uploads it.
// Fix: The download waits for an event behind the upload.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_4
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
static void ModuleVariableOnTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(1024), *result = NewPinned(1024);
  CHECK(Kernel(KERNEL_LOOK_UP) != nullptr);
  CUdeviceptr table;
  // The size of the variable is known to the program.
  OK(cuModuleGetGlobal(&table, nullptr, module_of_kernels, MODULE_TABLE));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(table, data, 1024, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE_4
  OK(cuMemcpyDtoHAsync(result, table, 1024, second));
  OK(cuCtxSynchronize());
  Release(result, data, uploaded, second, first);
}

// Defect: A variable of a module is uploaded on one stream while a kernel that reads it runs on
// another one. Fix: The upload waits for an event behind the kernel.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE_5
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
// EXPECT-FACT earlier_kernel=look_up
static void VariableOfAKernel() {
  CUstream first = NewStream(), second = NewStream();
  CUevent done = NewEvent();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP);
  char* data = NewPinned(1024);
  CUdeviceptr table, out = NewMemory(4096);
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  void* arguments[] = {&out};
  // @LAUNCH
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuEventRecord(done, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @HERE_5
  OK(cuMemcpyHtoDAsync(table, data, bytes, second));
  OK(cuCtxSynchronize());
  Release(out, data, done, second, first);
}

// Defect: The address of a variable is looked up after the launch of a kernel that reads it, and an
// upload of the variable on another stream does not wait for the kernel.
// Fix: The upload waits for an event behind the kernel.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at LAUNCH_2
// EXPECT-FACT hazard=WAR
// EXPECT-FACT earlier_kernel=look_up
static void VariableFoundAfterTheLaunch() {
  CUstream first = NewStream(), second = NewStream();
  CUevent done = NewEvent();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP);
  char* data = NewPinned(1024);
  CUdeviceptr table, out = NewMemory(4096);
  size_t bytes;
  void* arguments[] = {&out};
  // @LAUNCH_2
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuEventRecord(done, first));
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @HERE_3
  OK(cuMemcpyHtoDAsync(table, data, bytes, second));
  OK(cuCtxSynchronize());
  Release(out, data, done, second, first);
}

int main() {
  Open();
  UploadOverPendingDownload();
  UploadFromBlockBeingDownloadedInto();
  ModuleVariableOnTwoStreams();
  VariableOfAKernel();
  VariableFoundAfterTheLaunch();
  Close();
}
