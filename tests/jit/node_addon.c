// A module of node that calls CUDA: run() uploads and downloads one allocation on two streams,
// without order.
#include <cuda.h>
#include <node_api.h>
#include <stddef.h>
#include <stdlib.h>

enum { kBytes = 4096 };
static CUdeviceptr g_memory;
static CUstream g_streams[2];
static void* g_block;

static void Check(CUresult result) {
  if (result != CUDA_SUCCESS) abort();
}

static napi_value Start(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  CUcontext context;
  Check(cuInit(0));
  Check(cuDevicePrimaryCtxRetain(&context, 0));
  Check(cuCtxSetCurrent(context));
  Check(cuMemAlloc(&g_memory, kBytes));
  Check(cuMemAllocHost(&g_block, 2 * kBytes));
  for (int i = 0; i < 2; ++i) Check(cuStreamCreate(&g_streams[i], CU_STREAM_NON_BLOCKING));
  return NULL;
}

static napi_value Run(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  Check(cuMemcpyHtoDAsync(g_memory, g_block, kBytes, g_streams[0]));
  Check(cuMemcpyDtoHAsync((char*)g_block + kBytes, g_memory, kBytes, g_streams[1]));
  Check(cuCtxSynchronize());
  return NULL;
}

static napi_value End(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  for (int i = 0; i < 2; ++i) Check(cuStreamDestroy(g_streams[i]));
  Check(cuMemFreeHost(g_block));
  Check(cuMemFree(g_memory));
  Check(cuDevicePrimaryCtxRelease(0));
  return NULL;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char* name;
    napi_callback function;
  } kFunctions[] = {{"start", Start}, {"run", Run}, {"end", End}};
  for (size_t i = 0; i < sizeof(kFunctions) / sizeof(kFunctions[0]); ++i) {
    napi_value function;
    if (napi_create_function(env, kFunctions[i].name, NAPI_AUTO_LENGTH, kFunctions[i].function,
                             NULL, &function) != napi_ok ||
        napi_set_named_property(env, exports, kFunctions[i].name, function) != napi_ok)
      return NULL;
  }
  return exports;
}
