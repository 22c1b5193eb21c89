// Renames the calls of CUDA findings.
#include "report/text/runtime_calls.h"

#include <cctype>
#include <utility>

namespace gpusan {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// Returns the function of the CUDA runtime that the program called; empty: none. Looks only at the
// frames inside the innermost frame with a source line, and skips frames of interpreted languages.
std::string RuntimeCallOf(const std::vector<TextFrame>& frames) {
  std::string call;
  for (const TextFrame& frame : frames) {
    if (frame.IsInterpreted()) continue;
    if (!frame.file.empty()) break;
    if (std::string name = RuntimeCall(frame.function); !name.empty()) {
      call = std::move(name);
    } else if (!call.empty()) {
      break;
    }
  }
  return call;
}

// Codes of the driver that have the same number in the runtime (CUDA 10.1 and later).
constexpr struct {
  std::string_view driver, runtime;
} kCodes[] = {
    {"CUDA_ERROR_INVALID_VALUE", "cudaErrorInvalidValue"},
    {"CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation"},
    {"CUDA_ERROR_NOT_INITIALIZED", "cudaErrorInitializationError"},
    {"CUDA_ERROR_NO_DEVICE", "cudaErrorNoDevice"},
    {"CUDA_ERROR_INVALID_DEVICE", "cudaErrorInvalidDevice"},
    {"CUDA_ERROR_INVALID_IMAGE", "cudaErrorInvalidKernelImage"},
    {"CUDA_ERROR_NO_BINARY_FOR_GPU", "cudaErrorNoKernelImageForDevice"},
    {"CUDA_ERROR_INVALID_PTX", "cudaErrorInvalidPtx"},
    {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "cudaErrorUnsupportedPtxVersion"},
    {"CUDA_ERROR_INVALID_HANDLE", "cudaErrorInvalidResourceHandle"},
    {"CUDA_ERROR_NOT_READY", "cudaErrorNotReady"},
    {"CUDA_ERROR_ILLEGAL_ADDRESS", "cudaErrorIllegalAddress"},
    {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "cudaErrorLaunchOutOfResources"},
    {"CUDA_ERROR_LAUNCH_TIMEOUT", "cudaErrorLaunchTimeout"},
    {"CUDA_ERROR_LAUNCH_FAILED", "cudaErrorLaunchFailure"},
    {"CUDA_ERROR_MISALIGNED_ADDRESS", "cudaErrorMisalignedAddress"},
    {"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "cudaErrorHostMemoryAlreadyRegistered"},
    {"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "cudaErrorHostMemoryNotRegistered"},
    {"CUDA_ERROR_NOT_PERMITTED", "cudaErrorNotPermitted"},
    {"CUDA_ERROR_NOT_SUPPORTED", "cudaErrorNotSupported"},
    {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "cudaErrorStreamCaptureUnsupported"},
    {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "cudaErrorStreamCaptureInvalidated"},
    {"CUDA_ERROR_STREAM_CAPTURE_MERGE", "cudaErrorStreamCaptureMerge"},
    {"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "cudaErrorStreamCaptureUnmatched"},
    {"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "cudaErrorStreamCaptureUnjoined"},
    {"CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "cudaErrorStreamCaptureIsolation"},
    {"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "cudaErrorStreamCaptureImplicit"},
    {"CUDA_ERROR_CAPTURED_EVENT", "cudaErrorCapturedEvent"},
    {"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "cudaErrorStreamCaptureWrongThread"},
    {"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "cudaErrorGraphExecUpdateFailure"},
    {"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "cudaErrorCooperativeLaunchTooLarge"},
    {"CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "cudaErrorPeerAccessAlreadyEnabled"},
    {"CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "cudaErrorPeerAccessNotEnabled"},
    {"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "cudaErrorPeerAccessUnsupported"},
    {"CUDA_ERROR_NOT_FOUND", "cudaErrorSymbolNotFound"},
    {"CUDA_ERROR_ILLEGAL_STATE", "cudaErrorIllegalState"},
    {"CUDA_ERROR_CONTEXT_IS_DESTROYED", "cudaErrorContextIsDestroyed"},
    {"CUDA_ERROR_ASSERT", "cudaErrorAssert"},
    {"CUDA_ERROR_HARDWARE_STACK_ERROR", "cudaErrorHardwareStackError"},
    {"CUDA_ERROR_ILLEGAL_INSTRUCTION", "cudaErrorIllegalInstruction"},
    {"CUDA_ERROR_INVALID_ADDRESS_SPACE", "cudaErrorInvalidAddressSpace"},
    {"CUDA_ERROR_INVALID_PC", "cudaErrorInvalidPc"},
};

// The runtime returns another code for a launch that the driver refuses.
bool HasCodeOfDriver(std::string_view call, std::string_view code) {
  return call.starts_with("cudaLaunch") && code == "CUDA_ERROR_INVALID_VALUE";
}

// Calls of the runtime that query a kernel. The driver sees the same calls as for a launch: a
// look-up of a kernel that does not exist.
bool IsKernelQuery(const std::string& call) {
  for (const std::string_view begin :
       {"cudaFuncGet", "cudaFuncSet", "cudaOccupancy", "cudaGetFuncBySymbol", "cudaGetKernel"}) {
    if (std::string_view(call).substr(0, begin.size()) == begin) return true;
  }
  return false;
}

}  // namespace

std::string RuntimeCall(std::string_view function) {
  // The launches of code that nvcc 13 compiled.
  if (function.starts_with("__cudaLaunchKernel") || function.starts_with("__cudaGetKernel"))
    function.remove_prefix(2);
  if (function.size() < 5 || function.substr(0, 4) != "cuda" || !IsUpper(function[4])) return "";
  for (const char c : function) {
    if (!IsWord(c)) return "";
  }
  for (const std::string_view suffix : {"_ptsz", "_ptds"}) {
    if (function.size() > 5 && function.substr(function.size() - 5) == suffix)
      function.remove_suffix(5);
  }
  return std::string(function);
}

std::string DriverCallIn(std::string_view text) {
  std::string found;
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    if ((i != 0 && IsWord(text[i - 1])) || text[i] != 'c' || text[i + 1] != 'u' ||
        !IsUpper(text[i + 2])) {
      continue;
    }
    size_t end = i;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (!found.empty() && found != text.substr(i, end - i)) return "";
    found = text.substr(i, end - i);
    i = end;
  }
  return found;
}

void ReplaceWord(std::string* text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text->find(from, at)) != std::string::npos;) {
    const size_t end = at + from.size();
    if ((at != 0 && IsWord((*text)[at - 1])) || (end < text->size() && IsWord((*text)[end]))) {
      at = end;
      continue;
    }
    text->replace(at, from.size(), to);
    at += to.size();
  }
}

void NamePendingCall(std::string_view call, std::string_view driver, std::string_view runtime,
                     std::string* what, std::string* fix) {
  const std::string name(runtime);
  const bool same = call == runtime;
  // If both calls are of one runtime function, "earlier" and "later" distinguish them.
  std::string named = *fix;
  ReplaceWord(&named, driver, name);
  if (same && named != *fix) {
    ReplaceWord(fix, name, "the later " + name);
    ReplaceWord(fix, driver, "the earlier " + name);
  } else {
    *fix = std::move(named);
  }
  ReplaceWord(what, driver, same ? "an earlier " + name : name);
}

void NameRuntimeRemedies(std::string* text) {
  if (text->find("cu") == std::string::npos) return;
  static constexpr struct {
    std::string_view driver, runtime;
  } kNames[] = {
      {"cuStreamSynchronize", "cudaStreamSynchronize"},
      {"cuEventSynchronize", "cudaEventSynchronize"},
      {"cuCtxSynchronize", "cudaDeviceSynchronize"},
      {"cuEventRecord", "cudaEventRecord"},
      {"cuStreamWaitEvent", "cudaStreamWaitEvent"},
      {"cuMemFree", "cudaFree"},
      {"cuMemFreeHost", "cudaFreeHost"},
      {"cuMemFreeAsync", "cudaFreeAsync"},
      {"cuMemHostUnregister", "cudaHostUnregister"},
      {"cuStreamDestroy", "cudaStreamDestroy"},
      {"cuEventDestroy", "cudaEventDestroy"},
      {"cuArrayDestroy", "cudaFreeArray"},
      {"cuMipmappedArrayDestroy", "cudaFreeMipmappedArray"},
      {"cuTexObjectDestroy", "cudaDestroyTextureObject"},
      {"cuSurfObjectDestroy", "cudaDestroySurfaceObject"},
      {"cuGraphDestroy", "cudaGraphDestroy"},
      {"cuGraphExecDestroy", "cudaGraphExecDestroy"},
      {"cuLibraryUnload", "cudaLibraryUnload"},
      {"cuUserObjectRelease", "cudaUserObjectRelease"},
      {"cuMemPoolDestroy", "cudaMemPoolDestroy"},
      {"cuMemPoolTrimTo", "cudaMemPoolTrimTo"},
      {"cuCtxEnablePeerAccess", "cudaDeviceEnablePeerAccess"},
      {"cuDestroyExternalMemory", "cudaDestroyExternalMemory"},
      {"cuDestroyExternalSemaphore", "cudaDestroyExternalSemaphore"},
  };
  for (const auto& name : kNames) ReplaceWord(text, name.driver, name.runtime);
}

void NameRuntimeArguments(std::string_view call, std::string* text) {
  static constexpr struct {
    std::string_view driver, runtime;
  } kNames[] = {
      {"srcDevice", "src"},
      {"srcHost", "src"},
      {"dstDevice", "dst"},
      {"dstHost", "dst"},
      {"dptr", "devPtr"},
      {"dstPitch", "dpitch"},
      {"srcPitch", "spitch"},
      {"ByteCount", "count"},
      {"bytesize", "size"},
      {"WidthInBytes", "width"},
      {"hEvent", "event"},
      {"hStart", "start"},
      {"hEnd", "end"},
      {"sharedMemBytes", "sharedMem"},
      {"CU_EVENT_DISABLE_TIMING", "cudaEventDisableTiming"},
      {"cuFuncSetAttribute", "cudaFuncSetAttribute"},
      {"CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
       "cudaFuncAttributeMaxDynamicSharedMemorySize"},
  };
  for (const auto& name : kNames) ReplaceWord(text, name.driver, name.runtime);
  // The functions of stream-ordered memory have the driver's name.
  if (call.find("Malloc") == std::string_view::npos && call.find("Free") == std::string_view::npos)
    ReplaceWord(text, "hStream", "stream");
}

std::string CodeNameFor(std::string_view call, std::string_view code) {
  if (!RuntimeCall(call).empty() && !HasCodeOfDriver(call, code)) {
    for (const auto& known : kCodes) {
      if (known.driver == code) return std::string(known.runtime);
    }
  }
  return std::string(code);
}

void NameRuntimeCalls(TextFinding* finding) {
  const auto rename = [&](const std::string& driver, const std::string& runtime) {
    for (std::string* text : {&finding->what, &finding->why, &finding->fix})
      ReplaceWord(text, driver, runtime);
  };
  if (!finding->call.empty() && DriverCallIn(finding->call) == finding->call) {
    if (const std::string runtime = RuntimeCallOf(finding->frames); !runtime.empty()) {
      rename(finding->call, runtime);
      finding->facts.emplace_back("driver_call", finding->call);
      finding->call = runtime;
      NameRuntimeRemedies(&finding->fix);
      if (finding->rule == "mismatched-free") NameRuntimeRemedies(&finding->what);
      for (std::string* text : {&finding->what, &finding->why, &finding->fix})
        NameRuntimeArguments(runtime, text);
      if (finding->rule == "module-invalid" && IsKernelQuery(runtime))
        finding->severity = Severity::kNote;
    }
  }
  for (TextParty& party : finding->parties) {
    const std::string driver = DriverCallIn(party.text);
    const std::string runtime = driver.empty() ? "" : RuntimeCallOf(party.frames);
    if (runtime.empty()) continue;
    ReplaceWord(&party.text, driver, runtime);
    if (party.role == "pending-command")
      NamePendingCall(finding->call, driver, runtime, &finding->what, &finding->fix);
    rename(driver, runtime);
  }
  if (RuntimeCall(finding->call).empty()) return;
  std::vector<std::string*> texts = {&finding->what, &finding->why, &finding->fix};
  for (TextParty& party : finding->parties) texts.push_back(&party.text);
  for (std::string* text : texts) {
    if (text->find("CUDA_ERROR_") == std::string::npos) continue;
    for (const auto& code : kCodes) {
      if (!HasCodeOfDriver(finding->call, code.driver))
        ReplaceWord(text, code.driver, code.runtime);
    }
  }
}

}  // namespace gpusan
