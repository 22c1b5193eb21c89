// Renames the calls of CUDA findings.
#include "report/text/runtime_calls.h"

#include <cctype>

namespace gpusan {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// Considers the frames inside the innermost frame with a source line. Frames of an interpreted
// language are outside of those.
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

// Calls of the runtime that query a kernel. The driver sees the same calls as for a launch: a
// look-up of a kernel that does not exist.
bool AsksAboutKernel(const std::string& call) {
  for (const std::string_view begin :
       {"cudaFuncGet", "cudaFuncSet", "cudaOccupancy", "cudaGetFuncBySymbol", "cudaGetKernel"}) {
    if (std::string_view(call).substr(0, begin.size()) == begin) return true;
  }
  return false;
}

}  // namespace

std::string RuntimeCall(std::string_view function) {
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
      {"srcDevice", "src"},      {"srcHost", "src"},     {"dstDevice", "dst"},
      {"dstHost", "dst"},        {"dptr", "devPtr"},     {"dstPitch", "dpitch"},
      {"srcPitch", "spitch"},    {"ByteCount", "count"}, {"bytesize", "size"},
      {"WidthInBytes", "width"}, {"hEvent", "event"},
  };
  for (const auto& name : kNames) ReplaceWord(text, name.driver, name.runtime);
  // The functions of stream-ordered memory have the driver's name.
  if (call.find("Malloc") == std::string_view::npos && call.find("Free") == std::string_view::npos)
    ReplaceWord(text, "hStream", "stream");
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
      for (std::string* text : {&finding->what, &finding->why, &finding->fix})
        NameRuntimeArguments(runtime, text);
      if (finding->rule == "module-invalid" && AsksAboutKernel(runtime))
        finding->severity = Severity::kNote;
    }
  }
  for (TextParty& party : finding->parties) {
    const std::string driver = DriverCallIn(party.text);
    const std::string runtime = driver.empty() ? "" : RuntimeCallOf(party.frames);
    if (runtime.empty()) continue;
    ReplaceWord(&party.text, driver, runtime);
    rename(driver, runtime);
  }
}

}  // namespace gpusan
