// What the questions to a driver share: how an answer is printed, and a process for each subject.
#ifndef GPUSAN_TESTS_CUDA_DRIVER_ANSWERS_H_
#define GPUSAN_TESTS_CUDA_DRIVER_ANSWERS_H_

#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

inline CUdevice device;
inline CUcontext context;

inline std::string NameOf(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name == nullptr ? std::to_string(result) : name;
}

inline void Say(const char* question, CUresult result) {
  std::printf("%s = %s\n", question, NameOf(result).c_str());
  std::fflush(stdout);
}

inline void Say(const char* question, long long value) {
  std::printf("%s = %lld\n", question, value);
  std::fflush(stdout);
}

inline void Must(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) {
    std::printf("cannot go on: %s = %s\n", call, NameOf(result).c_str());
    std::exit(1);
  }
}
#define MUST(call) Must(call, #call)

// Asks in a process of its own: a question may end it, or leave its context with a fault.
inline void InChild(const char* subject, const std::function<void()>& ask) {
  const pid_t child = fork();
  if (child == 0) {
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuCtxCreate(&context, nullptr, 0, device));
    ask();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    std::printf("%s: ended by signal %d\n", subject, WTERMSIG(status));
  }
}

inline CUdeviceptr Memory(size_t bytes) {
  CUdeviceptr memory = 0;
  MUST(cuMemAlloc(&memory, bytes));
  return memory;
}

inline CUdeviceptr AsDevice(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
inline void* AsHost(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

// The subjects of driver_answers_memory.cc.
void AskCopies();
void AskRectangles();
void AskMemory();
void AskPools();
void AskVirtualMemory();
void AskArrays();
void AskTextures();

#endif  // GPUSAN_TESTS_CUDA_DRIVER_ANSWERS_H_
