// A plug-in that uses the CUDA driver: "linked" with it, or "opened" by itself. It gives the device
// no work: the fake driver's threads would run in code that is unmapped.
#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

void* api = nullptr;

struct Functions {
  decltype(&cuInit) init;
  decltype(&cuDevicePrimaryCtxRetain) retain;
  decltype(&cuDevicePrimaryCtxRelease) release;
  decltype(&cuCtxSetCurrent) set_current;
  decltype(&cuMemAlloc) allocate;
  decltype(&cuMemGetAddressRange) range;
  decltype(&cuStreamCreate) create_stream;
  decltype(&cuStreamDestroy) destroy_stream;
  decltype(&cuMemFree) free;
};

int Work(const Functions& cuda) {
  CUcontext context;
  if (cuda.init(0) != CUDA_SUCCESS) return -1;
  if (cuda.retain(&context, 0) != CUDA_SUCCESS) return -2;
  if (cuda.set_current(context) != CUDA_SUCCESS) return -3;
  CUdeviceptr buffer;
  if (cuda.allocate(&buffer, 1024) != CUDA_SUCCESS) return -4;
  CUdeviceptr begin;
  size_t bytes = 0;
  if (cuda.range(&begin, &bytes, buffer) != CUDA_SUCCESS || begin != buffer) return -5;
  CUstream stream;
  if (cuda.create_stream(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) return -6;
  if (cuda.destroy_stream(stream) != CUDA_SUCCESS) return -10;
  if (cuda.free(buffer) != CUDA_SUCCESS) return -7;
  if (cuda.set_current(nullptr) != CUDA_SUCCESS) return -8;
  if (cuda.release(0) != CUDA_SUCCESS) return -9;
  return static_cast<int>(7 * bytes);
}

}  // namespace

EXPORT void* plugin_api() { return api; }

EXPORT int plugin_work(const char* kind) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return -20;
  const bool opened = std::strcmp(kind, "opened") == 0;
  // Not watched: the driver's own function.
  api = dlsym(library, "cuGetErrorString");
#ifdef LINKED
  const Functions linked = {&cuInit,
                            &cuDevicePrimaryCtxRetain,
                            &cuDevicePrimaryCtxRelease,
                            &cuCtxSetCurrent,
                            &cuMemAlloc,
                            &cuMemGetAddressRange,
                            &cuStreamCreate,
                            &cuStreamDestroy,
                            &cuMemFree};
#else
  const Functions linked = {};
#endif
  int sum = 0;
  if (opened) {
    const auto look_up = [&](auto* function, const char* name) {
      *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
      return *function != nullptr;
    };
    Functions cuda = {};
    if (!look_up(&cuda.init, "cuInit") || !look_up(&cuda.retain, "cuDevicePrimaryCtxRetain") ||
        !look_up(&cuda.release, "cuDevicePrimaryCtxRelease_v2") ||
        !look_up(&cuda.set_current, "cuCtxSetCurrent") ||
        !look_up(&cuda.allocate, "cuMemAlloc_v2") ||
        !look_up(&cuda.range, "cuMemGetAddressRange_v2") ||
        !look_up(&cuda.create_stream, "cuStreamCreate") ||
        !look_up(&cuda.destroy_stream, "cuStreamDestroy_v2") ||
        !look_up(&cuda.free, "cuMemFree_v2"))
      return -21;
    sum = Work(cuda);
  } else {
    sum = linked.init != nullptr ? Work(linked) : -22;
  }
  dlclose(library);
  return sum;
}
