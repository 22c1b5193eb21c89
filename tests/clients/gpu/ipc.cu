// A process fills memory that another one allocated, by an IPC handle.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__global__ void Fill(float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2.0f * i;
}

int main() {
  constexpr int kCount = 1 << 16;
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) return 1;
  const pid_t child = fork();  // before CUDA is used
  if (child == 0) {
    cudaIpcMemHandle_t handle;
    if (read(there[0], &handle, sizeof handle) != sizeof handle) _exit(1);
    float* memory;
    CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&memory), handle, cudaIpcMemLazyEnablePeerAccess));
    Fill<<<kCount / 256, 256>>>(memory, kCount);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcCloseMemHandle(memory));
    if (write(back[1], "k", 1) != 1) _exit(1);
    return 0;
  }
  float* memory;
  CHECK(cudaMalloc(&memory, kCount * sizeof(float)));
  cudaIpcMemHandle_t handle;
  CHECK(cudaIpcGetMemHandle(&handle, memory));
  if (write(there[1], &handle, sizeof handle) != sizeof handle) return 1;
  char done;
  if (read(back[0], &done, 1) != 1) return 1;
  std::vector<float> result(kCount);
  CHECK(cudaMemcpy(result.data(), memory, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  PrintChecksum("ipc", result.data(), kCount * sizeof(float));
  CHECK(cudaFree(memory));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
