// Asks a driver what it answers to calls at the edge of what is allowed, one line an answer: "what
// is asked = result". driver_answers.txt is what the driver of an H200 said; the fake driver must
// say the same.
#include <cuda.h>
#include <dlfcn.h>

#include <cstring>
#include <vector>

#include "common/cuda_kernels.h"
#include "driver_answers.h"

namespace {

void AskModules() {
  CUmodule module = nullptr;
  auto load = [&](const char* text) { return cuModuleLoadData(&module, text); };
  Say("module: empty text", load(""));
  Say("module: prose", load("this is no module, it is a sentence\n"));
  Say("module: no version", load(".target sm_75\n.address_size 64\n"));
  Say("module: PTX 99", load(".version 99.0\n.target sm_75\n.address_size 64\n"));
  Say("module: PTX for sm_100", load(".version 8.8\n.target sm_100\n.address_size 64\n"));
  Say("module: PTX for sm_90a", load(".version 8.0\n.target sm_90a\n.address_size 64\n"));
  Say("module: PTX for sm_75", load(".version 7.0\n.target sm_75\n.address_size 64\n"));
  Say("module: PTX cut off",
      load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry f("));
  Say("module: PTX with an unknown word",
      load(".version 7.0\n.target sm_75\n.address_size 64\n.nonsense\n"));
  Say("module: PTX with an unknown instruction",
      load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry f() { nonsense; }\n"));
  Say("module: PTX version and target exchanged", load(".target sm_75\n.version 7.0\n"));
  std::vector<unsigned char> elf(65536);
  std::memcpy(elf.data(), "\177ELF\2\1\1", 7);
  elf[16] = 2;
  elf[18] = 62;
  elf[20] = 1;
  elf[52] = 64;
  Say("module: x86-64 program", cuModuleLoadData(&module, elf.data()));
  elf[7] = 0x41;
  elf[8] = 8;
  elf[18] = 190;
  elf[49] = 100;
  Say("module: header of a cubin for sm_100", cuModuleLoadData(&module, elf.data()));
  elf[49] = 50;
  Say("module: header of a cubin for sm_50", cuModuleLoadData(&module, elf.data()));
  elf[49] = 90;
  Say("module: header of a cubin for sm_90", cuModuleLoadData(&module, elf.data()));
  const unsigned char zeros[64] = {};
  Say("module: zeros", cuModuleLoadData(&module, zeros));
  std::vector<unsigned char> noise(4096, 0xab);
  Say("module: noise", cuModuleLoadData(&module, noise.data()));
  const unsigned fatbin[32] = {0xba55ed50, 0x00100001, 0, 0};
  Say("module: empty fat binary", cuModuleLoadData(&module, fatbin));
  Say("module: null", cuModuleLoadData(&module, nullptr));
  Say("module: no file", cuModuleLoad(&module, "/nonexistent/no.cubin"));
  CUlibrary library = nullptr;
  Say("library: prose",
      cuLibraryLoadData(&library, "no module\n", nullptr, nullptr, 0, nullptr, nullptr, 0));
  MUST(cuModuleLoadData(&module, kKernels));
  MUST(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUfunction function = nullptr;
  CUkernel kernel = nullptr;
  CUdeviceptr address = 0;
  size_t offset = 0;
  size_t bytes = 0;
  const char* name = nullptr;
  Say("function: unknown", cuModuleGetFunction(&function, module, "unknown"));
  Say("global: unknown", cuModuleGetGlobal(&address, &bytes, module, "unknown"));
  Say("kernel: unknown", cuLibraryGetKernel(&kernel, library, "unknown"));
  MUST(cuLibraryGetKernel(&kernel, library, KERNEL_ADD));
  MUST(cuModuleGetFunction(&function, module, KERNEL_ADD));
  Say("parameter beyond the last", cuFuncGetParamInfo(function, 4, &offset, &bytes));
  Say("name of a kernel as a function", cuFuncGetName(&name, reinterpret_cast<CUfunction>(kernel)));
  Say("parameter of a kernel as a function",
      cuFuncGetParamInfo(reinterpret_cast<CUfunction>(kernel), 1, &offset, &bytes));
  Say("its offset", static_cast<long long>(offset));
  Say("library: unload", cuLibraryUnload(library));
}

void AskLaunches() {
  CUmodule module = nullptr;
  CUfunction nothing = nullptr;
  CUfunction copy = nullptr;
  MUST(cuModuleLoadData(&module, kKernels));
  MUST(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  MUST(cuModuleGetFunction(&copy, module, KERNEL_COPY));
  auto launch = [&](unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    unsigned shared) {
    return cuLaunchKernel(nothing, gx, gy, gz, bx, by, bz, shared, nullptr, nullptr, nullptr);
  };
  Say("launch: 1024 threads", launch(1, 1, 1, 1024, 1, 1, 0));
  Say("launch: 1025 threads", launch(1, 1, 1, 1025, 1, 1, 0));
  Say("launch: 32 by 33 threads", launch(1, 1, 1, 32, 33, 1, 0));
  Say("launch: 65 threads in z", launch(1, 1, 1, 1, 1, 65, 0));
  Say("launch: no blocks", launch(0, 1, 1, 1, 1, 1, 0));
  Say("launch: no threads", launch(1, 1, 1, 0, 1, 1, 0));
  Say("launch: 65536 blocks in y", launch(1, 65536, 1, 1, 1, 1, 0));
  Say("launch: 48 KiB shared", launch(1, 1, 1, 1, 1, 1, 48 << 10));
  Say("launch: 49 KiB shared", launch(1, 1, 1, 1, 1, 1, 49 << 10));
  Say("launch: allow 64 KiB",
      cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
  Say("launch: 49 KiB shared, allowed", launch(1, 1, 1, 1, 1, 1, 49 << 10));
  Say("launch: allow 228 KiB",
      cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 228 << 10));
  Say("launch: null function",
      cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  Say("launch: no arguments where two are",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CUdeviceptr packed[2] = {Memory(64), Memory(64)};
  size_t bytes = 8;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  bytes = 16;
  Say("launch: packed arguments",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  bytes = 24;
  Say("launch: packed arguments too long",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  Say("launch: cooperative, too large",
      cuLaunchCooperativeKernel(nothing, 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, nullptr));
  Say("host function: null", cuLaunchHostFunc(nullptr, nullptr, nullptr));
  bytes = 8;
  Say("launch: packed arguments too short",
      cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  Say("the context afterwards", cuCtxSynchronize());
}

void AskStreams() {
  CUstream stream = nullptr;
  CUstream blocking = nullptr;
  CUevent event = nullptr;
  CUevent timed = nullptr;
  float milliseconds = 0;
  Say("stream: unknown flag", cuStreamCreate(&stream, 2));
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  Say("stream: destroy the legacy one", cuStreamDestroy(CU_STREAM_LEGACY));
  Say("stream: destroy null", cuStreamDestroy(nullptr));
  int least = 0;
  int greatest = 0;
  MUST(cuCtxGetStreamPriorityRange(&least, &greatest));
  Say("stream: least priority", least);
  Say("stream: greatest priority", greatest);
  Say("event: unknown flag", cuEventCreate(&event, 64));
  Say("event: between processes and timed", cuEventCreate(&event, CU_EVENT_INTERPROCESS));
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  MUST(cuEventCreate(&timed, 0));
  Say("event: query, never recorded", cuEventQuery(event));
  Say("event: synchronize, never recorded", cuEventSynchronize(event));
  Say("event: wait, never recorded", cuStreamWaitEvent(stream, event, 0));
  Say("event: elapsed, never recorded", cuEventElapsedTime(&milliseconds, timed, timed));
  MUST(cuEventRecord(event, stream));
  MUST(cuEventRecord(timed, stream));
  MUST(cuStreamSynchronize(stream));
  Say("event: elapsed without timing", cuEventElapsedTime(&milliseconds, timed, event));
  Say("event: elapsed", cuEventElapsedTime(&milliseconds, timed, timed));
  Say("event: destroy null", cuEventDestroy(nullptr));
  CUcontext second = nullptr;
  CUevent foreign = nullptr;
  MUST(cuCtxCreate(&second, nullptr, 0, device));
  MUST(cuEventCreate(&foreign, 0));
  MUST(cuCtxSetCurrent(context));
  Say("event: record in another context's stream", cuEventRecord(foreign, stream));
  Say("stream: wait for a value at null", cuStreamWaitValue32(stream, 0, 1, 0));
  CUdeviceptr flag = Memory(64);
  Say("stream: wait for a value, misaligned", cuStreamWaitValue32(stream, flag + 2, 0, 0));
  Say("stream: write a value", cuStreamWriteValue32(stream, flag, 1, 0));
  CUresult inside = CUDA_SUCCESS;
  MUST(cuLaunchHostFunc(
      stream,
      [](void* data) {
        CUdeviceptr memory = 0;
        *static_cast<CUresult*>(data) = cuMemAlloc(&memory, 16);
      },
      &inside));
  MUST(cuStreamSynchronize(stream));
  Say("host function: allocates", inside);
  MUST(cuCtxSetCurrent(nullptr));
  CUdeviceptr memory = 0;
  Say("no context: alloc", cuMemAlloc(&memory, 16));
  Say("no context: free null", cuMemFree(0));
  Say("no context: synchronize", cuCtxSynchronize());
  CUdevice current = 0;
  Say("no context: device", cuCtxGetDevice(&current));
  MUST(cuCtxSetCurrent(context));
}

void AskCaptures() {
  CUstream stream = nullptr;
  CUstream other = nullptr;
  CUstream blocking = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  CUdeviceptr memory = Memory(64);
  CUdeviceptr allocated = 0;
  static char host[64];
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  auto begin = [&](CUstream on, CUstreamCaptureMode mode) { MUST(cuStreamBeginCapture(on, mode)); };
  auto end = [&](const char* question) { Say(question, cuStreamEndCapture(stream, &graph)); };
  Say("capture: legacy stream", cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED));
  Say("capture: end without begin", cuStreamEndCapture(stream, &graph));
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture: begin twice", cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  end("capture: end after that");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: alloc", cuMemAlloc(&allocated, 64));
  end("capture global: end after alloc");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: free", cuMemFree(memory));
  end("capture global: end after free");
  memory = Memory(64);
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: HtoD", cuMemcpyHtoD(memory, host, 64));
  end("capture global: end after HtoD");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: memset", cuMemsetD8(memory, 0, 64));
  end("capture global: end after memset");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: synchronize the context", cuCtxSynchronize());
  end("capture global: end after that");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: synchronize another stream", cuStreamSynchronize(other));
  end("capture global: end after that too");
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  Say("capture global: host alloc", cuMemAllocHost(reinterpret_cast<void**>(&allocated), 64));
  end("capture global: end after host alloc");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture relaxed: alloc", cuMemAlloc(&allocated, 64));
  Say("capture relaxed: HtoD", cuMemcpyHtoD(memory, host, 64));
  end("capture relaxed: end");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: query the stream", cuStreamQuery(stream));
  end("capture: end after the query");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: synchronize the stream", cuStreamSynchronize(stream));
  end("capture: end after the synchronization");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  MUST(cuEventRecord(event, stream));
  Say("capture: query the event", cuEventQuery(event));
  Say("capture: synchronize the event", cuEventSynchronize(event));
  end("capture: end after asking the event");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  MUST(cuEventRecord(event, stream));
  MUST(cuStreamWaitEvent(other, event, 0));
  MUST(cuMemsetD8Async(memory, 0, 64, other));
  Say("capture: end in the other stream", cuStreamEndCapture(other, &graph));
  end("capture: end after that attempt");
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  MUST(cuEventRecord(event, stream));
  MUST(cuStreamWaitEvent(other, event, 0));
  MUST(cuMemsetD8Async(memory, 0, 64, other));
  end("capture: end without a join");
  MUST(cuEventRecord(event, other));
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: wait for uncaptured work", cuStreamWaitEvent(stream, event, 0));
  end("capture: end after that wait");
  begin(blocking, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: memset in the legacy stream", cuMemsetD8Async(memory, 0, 64, nullptr));
  Say("capture: end of the blocking stream", cuStreamEndCapture(blocking, &graph));
  begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  Say("capture: memset beside it in the legacy stream", cuMemsetD8Async(memory, 0, 64, nullptr));
  Say("capture: pageable upload", cuMemcpyHtoDAsync(memory, host, 64, stream));
  Say("capture: bad memset", cuMemsetD8Async(memory, 0, 1 << 30, stream));
  end("capture: end after a bad memset");
}

void AskGraphs() {
  CUgraph graph = nullptr;
  CUgraph other = nullptr;
  CUgraphNode first = nullptr;
  CUgraphNode second = nullptr;
  CUgraphNode third = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr memory = Memory(64);
  Say("graph: flags", cuGraphCreate(&graph, 1));
  MUST(cuGraphCreate(&graph, 0));
  MUST(cuGraphCreate(&other, 0));
  MUST(cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  MUST(cuGraphAddEmptyNode(&second, graph, &first, 1));
  Say("graph: dependency of another graph", cuGraphAddEmptyNode(&third, other, &first, 1));
  CUgraphNode twice[] = {first, first};
  Say("graph: dependency twice", cuGraphAddEmptyNode(&third, graph, twice, 2));
  Say("graph: edge twice", cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
  Say("graph: edge to itself", cuGraphAddDependencies(graph, &first, &first, nullptr, 1));
  Say("graph: remove no edge", cuGraphRemoveDependencies(graph, &second, &first, nullptr, 1));
  CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 0, 4, 17, 1};
  Say("graph: memset of too much", cuGraphAddMemsetNode(&third, graph, nullptr, 0, &fill, context));
  fill.width = 0;
  Say("graph: memset of nothing", cuGraphAddMemsetNode(&third, graph, nullptr, 0, &fill, context));
  fill.width = 16;
  fill.elementSize = 3;
  Say("graph: memset of three bytes",
      cuGraphAddMemsetNode(&third, graph, nullptr, 0, &fill, context));
  Say("graph: instantiate", cuGraphInstantiate(&exec, graph, 0));
  CUgraphExecUpdateResultInfo info{};
  Say("graph: update of another shape", cuGraphExecUpdate(exec, other, &info));
  Say("graph: update's result", info.result);
  Say("graph: edge back", cuGraphAddDependencies(graph, &second, &first, nullptr, 1));
  CUgraphExec cyclic = nullptr;
  Say("graph: instantiate a cycle", cuGraphInstantiate(&cyclic, graph, 0));
  Say("graph: memory free of plain memory",
      cuGraphAddMemFreeNode(&third, other, nullptr, 0, memory));
  Say("graph: launch", cuGraphLaunch(exec, nullptr));
  Say("graph: destroy exec", cuGraphExecDestroy(exec));
  Say("graph: destroy", cuGraphDestroy(graph));
}

void AskFault() {
  CUmodule module = nullptr;
  CUfunction poke = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr memory = Memory(64);
  void* host = nullptr;
  MUST(cuMemAllocHost(&host, 64));
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuEventCreate(&event, 0));
  MUST(cuModuleLoadData(&module, kKernels));
  MUST(cuModuleGetFunction(&poke, module, KERNEL_POKE));
  CUdeviceptr nobody = 64;
  int64_t index = 0;
  void* parameters[] = {&nobody, &index};
  MUST(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  Say("fault: synchronize the stream", cuStreamSynchronize(stream));
  Say("fault: query the stream", cuStreamQuery(stream));
  Say("fault: query the event", cuEventQuery(event));
  Say("fault: alloc", cuMemAlloc(&memory, 64));
  Say("fault: copy", cuMemcpyDtoH(host, memory, 16));
  Say("fault: free", cuMemFree(memory));
  Say("fault: free null", cuMemFree(0));
  Say("fault: free host", cuMemFreeHost(host));
  Say("fault: launch", cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  Say("fault: unload", cuModuleUnload(module));
  Say("fault: destroy the event", cuEventDestroy(event));
  Say("fault: destroy the stream", cuStreamDestroy(stream));
  CUcontext current = nullptr;
  CUdevice which = 0;
  size_t bytes = 0;
  Say("fault: current context", cuCtxGetCurrent(&current));
  Say("fault: its device", cuCtxGetDevice(&which));
  Say("fault: memory info", cuMemGetInfo(&bytes, &bytes));
  Say("fault: destroy the context", cuCtxDestroy(context));
  Say("fault: another context", cuCtxCreate(&context, nullptr, 0, device));
  Say("fault: alloc there", cuMemAlloc(&memory, 64));
}

void AskEntryPoints() {
  auto find = [&](const char* name, int version, cuuint64_t flags) {
    void* address = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult result = cuGetProcAddress(name, &address, version, flags, &status);
    Dl_info info{};
    const bool known =
        address != nullptr && dladdr(address, &info) != 0 && info.dli_sname != nullptr;
    std::printf("find \"%s\" %d %llu = %s, status %d, %s\n", name, version,
                static_cast<unsigned long long>(flags), NameOf(result).c_str(), status,
                known ? info.dli_sname : "nothing");
  };
  find("", 0, 0);
  find("cuNoSuchFunction", 13000, 0);
  find("cuMemAllocAsync", 10000, 0);
  find("cuMemAlloc", 1000, 0);
  find("cuMemAlloc_v2", 13000, 0);
  find("cuMemAlloc", 99000, 0);
  find("cuMemAlloc", 13000, 8);
  for (const char* name :
       {"cuMemAlloc", "cuMemFree", "cuMemcpyHtoD", "cuMemcpyHtoDAsync", "cuLaunchKernel",
        "cuCtxCreate", "cuGraphInstantiate", "cuStreamBeginCapture", "cuStreamGetCaptureInfo",
        "cuGetProcAddress", "cuMemPrefetchAsync", "cuGraphAddKernelNode", "cuEventElapsedTime",
        "cuMemcpyBatchAsync", "cuStreamWaitValue32", "cuMemHostRegister", "cuStreamDestroy"}) {
    for (int version : {3020, 7000, 11000, 12000, 13000}) {
      find(name, version, 0);
      find(name, version, 2);
    }
  }
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  InChild("entry points", AskEntryPoints);
  InChild("copies", AskCopies);
  InChild("rectangles", AskRectangles);
  InChild("memory", AskMemory);
  InChild("pools", AskPools);
  InChild("virtual memory", AskVirtualMemory);
  InChild("arrays", AskArrays);
  InChild("textures", AskTextures);
  InChild("modules", AskModules);
  InChild("launches", AskLaunches);
  InChild("streams", AskStreams);
  InChild("captures", AskCaptures);
  InChild("graphs", AskGraphs);
  InChild("fault", AskFault);
  CUdeviceptr memory = 0;
  Say("not initialised: alloc", cuMemAlloc(&memory, 16));
  int count = 0;
  Say("not initialised: count", cuDeviceGetCount(&count));
  return 0;
}
