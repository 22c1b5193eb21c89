// Names and ranges by NVTX 3: two kernels of two named streams write one buffer, each inside of a
// range that is closed before anything waits.
//
// usage: cuda_nvtx race | levels
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#if __has_include(<nvtx3/nvToolsExtPayload.h>)
#include <nvtx3/nvToolsExtPayload.h>
#endif
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "common/cuda_machine_code.h"

namespace {

nvtxEventAttributes_t Attributes() {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  return attributes;
}

void Race() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  nvtxNameCuStreamA(first, "compute");
  nvtxNameCudaStreamW(second, L"täglich");
  CUevent event;
  OK(cuEventCreate(&event, 0));
  nvtxNameCuEventA(event, "ready");
  CUdeviceptr buffer = NewMemory(4096);
  CUfunction fill = CodeKernel(CODE_FILL);
  int value = 1;
  void* arguments[] = {&buffer, &value};
  const auto launch = [&](CUstream stream) {
    OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  };
  for (int i = 0; i < 3; ++i) {  // later launches are processed later, on another thread
    launch(first);
    OK(cuStreamSynchronize(first));
    launch(second);
    OK(cuStreamSynchronize(second));
  }

  std::thread other([&] {
    OK(cuCtxSetCurrent(context));
    nvtxNameOsThreadA(static_cast<uint32_t>(syscall(SYS_gettid)), "loader");
    // The text of a range may change when the call has returned.
    char text[] = "forward";
    nvtxRangePushA(text);
    launch(first);
    std::memset(text, 'x', sizeof(text) - 1);
    nvtxRangePop();

    const nvtxDomainHandle_t domain = nvtxDomainCreateA("model");
    nvtxEventAttributes_t attributes = Attributes();
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = nvtxDomainRegisterStringA(domain, "optimizer");
    nvtxRangePushA("step");
    nvtxDomainRangePushEx(domain, &attributes);
    nvtxRangePop();  // of the other domain
#ifdef NVTX_PAYLOAD_ENTRY_FLAGS_V1
    // A range that ends with a payload, as those of NCCL do.
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "ended";
    nvtxDomainRangePushEx(domain, &attributes);
    nvtxPayloadData_t payload = {NVTX_PAYLOAD_ENTRY_TYPE_INT, sizeof(value), &value};
    nvtxRangePopPayload(domain, &payload, 1);
#endif
    launch(second);
    nvtxDomainRangePop(domain);
    OK(cuCtxSynchronize());
  });
  other.join();
  OK(cuEventDestroy(event));
  const CUresult again = cuEventDestroy(event);
  std::printf("cuEventDestroy: %d\n", static_cast<int>(again));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}

// The levels that the functions return: negative without a tool.
void Levels() {
  const int outer = nvtxRangePushA("outer");
  const int inner = nvtxRangePushW(L"inner");
  std::printf("%d %d", outer, inner);
  for (int i = 0; i < 100; ++i) nvtxRangePushA("deep");
  for (int i = 0; i < 100; ++i) nvtxRangePop();
  std::printf(" %d", nvtxRangePop());
  std::printf(" %d", nvtxRangePop());
  std::printf(" %d\n", nvtxRangePop() < 0);
  const char* library = std::getenv("NVTX_INJECTION64_PATH");
  std::printf("%s\n", library != nullptr ? library : "none");
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && std::strcmp(words[1], "race") == 0) {
    Race();
  } else {
    Levels();
  }
}
