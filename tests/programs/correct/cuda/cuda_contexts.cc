// Contexts come and go, and keep their own objects. A green context shares the memory of the
// primary context.
#include <thread>

#include "common/cuda.h"

// Two contexts with the same program in each; what one frees is not the other's.
static void TwoContexts() {
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  OK(cuCtxSetCurrent(context));
  static char data[4096];
  CUdeviceptr here = NewZeros(4096);
  OK(cuCtxPushCurrent(other));
  CUdeviceptr there = NewZeros(4096);
  OK(cuMemcpyDtoH(data, there, 4096));
  OK(cuMemFree(there));
  OK(cuCtxPopCurrent(nullptr));
  OK(cuMemcpyDtoH(data, here, 4096));
  OK(cuMemFree(here));
  OK(cuCtxDestroy(other));
}

// A context takes its streams and modules along; the program frees its memory first.
static void MemoryOfADestroyedContext() {
  for (int round = 0; round < 2; ++round) {
    CUcontext other;
    OK(cuCtxCreate(&other, nullptr, 0, device));
    CUmodule module;
    OK(cuModuleLoadData(&module, kKernels));
    CUstream stream = NewStream();
    CUdeviceptr buffer = NewZeros(4096);
    OK(cuMemsetD8Async(buffer, 1, 4096, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(buffer));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
  }
}

// What belongs to one context is used and given back while another one is current: memory, streams,
// events, graphs. Contexts that come and go may have the same handles.
static void ObjectsOfOtherContexts() {
  static char data[4096];
  for (int round = 0; round < 3; ++round) {
    CUcontext other;
    OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
    CUdeviceptr there = NewZeros(4096);
    CUstream stream = NewStream();
    CUevent event = NewEvent();
    char* pinned = NewPinned(4096);
    OK(cuCtxSetCurrent(context));
    CUdeviceptr here = NewZeros(4096);
    // A stream brings its own context along.
    OK(cuMemcpyHtoDAsync(there, pinned, 4096, stream));
    OK(cuMemsetD8Async(there, 3, 4096, stream));
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(nullptr, event, 0));
    OK(cuMemcpyDtoDAsync(here, there, 4096, nullptr));
    OK(cuStreamSynchronize(nullptr));
    OK(cuMemcpyDtoH(data, here, 4096));
    CHECK(data[4095] == 3);
    OK(cuEventSynchronize(event));
    OK(cuEventDestroy(event));
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost(pinned));
    OK(cuMemFree(there));
    OK(cuCtxSetCurrent(other));
    OK(cuMemFree(here));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
  }
}

// A context goes from thread to thread, as a pool of workers hands it on; what one enqueued the
// next one waits for. The streams and events of another context of the device take part.
static void FloatingContext() {
  CUcontext floating;
  OK(cuCtxCreate(&floating, nullptr, 0, device));
  CUstream theirs = NewStream();
  CUevent filled = NewEvent();
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuCtxPopCurrent(&floating));
  OK(cuCtxSetCurrent(context));
  CUstream ours = NewStream();
  CUevent taken = NewEvent();
  char* result = NewPinned(4096);
  for (int round = 1; round <= 3; ++round) {
    std::thread([&] {
      OK(cuCtxPushCurrent(floating));
      OK(cuStreamWaitEvent(theirs, taken, 0));
      OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, theirs));
      OK(cuEventRecord(filled, theirs));
      CUcontext popped;
      OK(cuCtxPopCurrent(&popped));
      CHECK(popped == floating);
    }).join();
    OK(cuStreamWaitEvent(ours, filled, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, ours));
    OK(cuEventRecord(taken, ours));
    if (round % 2 != 0) {
      OK(cuEventSynchronize(taken));
      CHECK(result[0] == round);
    }
  }
  OK(cuStreamSynchronize(ours));
  std::thread([&] {
    OK(cuCtxPushCurrent(floating));
    OK(cuCtxSynchronize());
    OK(cuMemFree(buffer));
    OK(cuStreamDestroy(theirs));
    OK(cuEventDestroy(filled));
    OK(cuCtxDestroy(floating));
  }).join();
  Release(result, taken, ours);
}

// A library's kernel belongs to no context: it is launched in two, with memory and variables of
// each.
static void LibraryInTwoContexts() {
  CUcontext other, contexts[2] = {context};
  OK(cuCtxCreate(&other, nullptr, 0, device));
  contexts[1] = other;
  CUlibrary library;
  CUkernel look_up, twice;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&look_up, library, KERNEL_LOOK_UP));
  OK(cuLibraryGetKernel(&twice, library, KERNEL_TWICE));
  CUdeviceptr outs[2];
  CUstream streams[2];
  for (int i = 0; i < 2; ++i) {
    OK(cuCtxSetCurrent(contexts[i]));
    streams[i] = NewStream();
    outs[i] = NewMemory(4096);
    CUdeviceptr table;
    size_t bytes;
    float values[256];
    for (float& value : values) value = (float)(i + 1);
    OK(cuLibraryGetGlobal(&table, &bytes, library, MODULE_TABLE));
    OK(cuMemcpyHtoD(table, values, bytes));
    OK(cuCtxSynchronize());
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 2; ++i) {
      OK(cuCtxSetCurrent(contexts[i]));
      void* arguments[] = {&outs[i]};
      CUfunction function;
      OK(cuKernelGetFunction(&function, look_up));
      OK(cuLaunchKernel(round == 0 ? (CUfunction)look_up : function, 4, 1, 1, 256, 1, 1, 0,
                        streams[i], arguments, nullptr));
      OK(cuLaunchKernel((CUfunction)twice, 4, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    }
  }
  static float result[1024];
  for (int i = 0; i < 2; ++i) {
    OK(cuCtxSetCurrent(contexts[i]));
    OK(cuStreamSynchronize(streams[i]));
    OK(cuMemcpyDtoH(result, outs[i], 4096));
    CHECK(result[1023] == 2 * (i + 1));
    OK(cuMemFree(outs[i]));
    OK(cuStreamDestroy(streams[i]));
  }
  OK(cuLibraryUnload(library));
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
}

// A reset ends what the context held; the program takes a new one and new memory, at perhaps
// the same addresses.
static void ContextReset() {
  static char result[4096];
  for (int round = 0; round < 2; ++round) {
    CUstream stream = NewStream();
    CUdeviceptr buffer = NewMemory(4096);
    OK(cuMemsetD8Async(buffer, round, 4096, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(result, buffer, 4096));
    CHECK(result[0] == round);
    OK(cuMemFree(buffer));
    OK(cuStreamDestroy(stream));
    OK(cuDevicePrimaryCtxRelease(device));
    OK(cuDevicePrimaryCtxReset(device));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
  }
}

// A part of the device as a green context: its streams and the primary context's wait for each
// other by events, and use the same memory.
static void GreenContext() {
  CUdevResource all = {}, part = {};
  unsigned groups = 1;
  if (cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
      cuDevSmResourceSplitByCount(&part, &groups, &all, nullptr, 0, 8) != CUDA_SUCCESS)
    return;
  CUdevResourceDesc description;
  CUgreenCtx green;
  OK(cuDevResourceGenerateDesc(&description, &part, 1));
  OK(cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
  CUstream theirs, ours = NewStream();
  OK(cuGreenCtxStreamCreate(&theirs, green, CU_STREAM_NON_BLOCKING, 0));
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_TWICE));
  const CUfunction twice = (CUfunction)kernel;
  float *data = (float*)NewPinned(4096), *result = (float*)NewPinned(4096);
  for (int i = 0; i < 1024; ++i) data[i] = 1;
  CUdeviceptr memory = NewMemory(4096);
  CUevent uploaded = NewEvent(), done = NewEvent();
  void* arguments[] = {&memory};
  OK(cuMemcpyHtoDAsync(memory, data, 4096, ours));
  OK(cuEventRecord(uploaded, ours));
  OK(cuStreamWaitEvent(theirs, uploaded, 0));
  CUcontext of_green;
  OK(cuCtxFromGreenCtx(&of_green, green));
  OK(cuCtxPushCurrent(of_green));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, theirs, arguments, nullptr));
  CUdeviceptr more = NewMemory(4096);
  OK(cuMemcpyDtoDAsync(more, memory, 4096, theirs));
  OK(cuStreamSynchronize(theirs));
  OK(cuMemFree(more));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, theirs, arguments, nullptr));
  OK(cuCtxPopCurrent(nullptr));
  OK(cuGreenCtxRecordEvent(green, done));
  OK(cuStreamWaitEvent(ours, done, 0));
  OK(cuMemcpyDtoHAsync(result, memory, 4096, ours));
  OK(cuStreamSynchronize(ours));
  CHECK(result[1023] == 4);
  OK(cuStreamDestroy(theirs));
  OK(cuGreenCtxDestroy(green));
  OK(cuLibraryUnload(library));
  Release(done, uploaded, memory, result, data, ours);
}

int main() {
  Open();
  TwoContexts();
  MemoryOfADestroyedContext();
  ObjectsOfOtherContexts();
  FloatingContext();
  LibraryInTwoContexts();
  ContextReset();
  GreenContext();
  Close();
}
