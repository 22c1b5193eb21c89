// Names of errors, and the last one.
#include "driver.h"

namespace {

struct Name {
  cudaError_t code;
  const char* name;
};

#define NAME(code) \
  { code, #code }
constexpr Name kNames[] = {
    NAME(cudaSuccess),
    NAME(cudaErrorInvalidValue),
    NAME(cudaErrorMemoryAllocation),
    NAME(cudaErrorInitializationError),
    NAME(cudaErrorInvalidConfiguration),
    NAME(cudaErrorInvalidPitchValue),
    NAME(cudaErrorInvalidSymbol),
    NAME(cudaErrorInvalidChannelDescriptor),
    NAME(cudaErrorInvalidMemcpyDirection),
    NAME(cudaErrorInsufficientDriver),
    NAME(cudaErrorInvalidDeviceFunction),
    NAME(cudaErrorNoDevice),
    NAME(cudaErrorInvalidDevice),
    NAME(cudaErrorInvalidKernelImage),
    NAME(cudaErrorDeviceUninitialized),
    NAME(cudaErrorNoKernelImageForDevice),
    NAME(cudaErrorInvalidPtx),
    NAME(cudaErrorUnsupportedPtxVersion),
    NAME(cudaErrorFileNotFound),
    NAME(cudaErrorInvalidResourceHandle),
    NAME(cudaErrorIllegalState),
    NAME(cudaErrorSymbolNotFound),
    NAME(cudaErrorNotReady),
    NAME(cudaErrorIllegalAddress),
    NAME(cudaErrorLaunchOutOfResources),
    NAME(cudaErrorPeerAccessAlreadyEnabled),
    NAME(cudaErrorContextIsDestroyed),
    NAME(cudaErrorHostMemoryAlreadyRegistered),
    NAME(cudaErrorHostMemoryNotRegistered),
    NAME(cudaErrorLaunchFailure),
    NAME(cudaErrorCooperativeLaunchTooLarge),
    NAME(cudaErrorNotPermitted),
    NAME(cudaErrorNotSupported),
    NAME(cudaErrorStreamCaptureUnsupported),
    NAME(cudaErrorStreamCaptureInvalidated),
    NAME(cudaErrorStreamCaptureMerge),
    NAME(cudaErrorStreamCaptureUnmatched),
    NAME(cudaErrorStreamCaptureUnjoined),
    NAME(cudaErrorStreamCaptureIsolation),
    NAME(cudaErrorStreamCaptureImplicit),
    NAME(cudaErrorCapturedEvent),
    NAME(cudaErrorStreamCaptureWrongThread),
    NAME(cudaErrorGraphExecUpdateFailure),
    NAME(cudaErrorUnknown),
};
#undef NAME

}  // namespace

extern "C" {

const char* CUDARTAPI cudaGetErrorName(cudaError_t error) {
  for (const Name& known : kNames) {
    if (known.code == error) {
      return known.name;
    }
  }
  return "unrecognized error code";
}

const char* CUDARTAPI cudaGetErrorString(cudaError_t error) {
  const char* text = nullptr;
  const runtime::Driver* driver = runtime::TheDriver();
  if (driver != nullptr) {
    driver->GetErrorString(static_cast<CUresult>(error), &text);
  }
  return text == nullptr ? "unrecognized error code" : text;
}

cudaError_t CUDARTAPI cudaGetLastError() { return runtime::LastError(true); }
cudaError_t CUDARTAPI cudaPeekAtLastError() { return runtime::LastError(false); }

}  // extern "C"
