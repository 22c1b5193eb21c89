// Remedies of findings in the words of the Python framework that made the call.
#include "report/text/framework_remedies.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace gpusan {
namespace {

struct Framework {
  std::string_view name;
  // A file of the framework has one of these in its path. Empty ones match nothing.
  std::array<std::string_view, 3> parts;
  // For a missing order of two commands; and if memory that the framework divides was reused.
  std::string_view order, reuse;
  std::string_view host_wait;
  std::string_view collective = {};  // for a missing order behind a collective; may be empty
};

// The launcher of Triton has a folder of its own; its streams are those of PyTorch.
constexpr Framework kFrameworks[] = {
    {"PyTorch",
     {"/libtorch", "/libc10", "/__triton_launcher"},
     "call wait_stream of the later stream with the earlier one, or wait_event with an Event that "
     "the earlier one recorded",
     "call record_stream of the tensor with each stream that uses it, before its last reference "
     "goes",
     "call synchronize of the stream, or of an Event recorded after the copy, before the CPU uses "
     "or frees the tensor",
     "call wait of the Work that the collective returned, with the later stream as the current "
     "one, before the tensor is used"},
    {"CuPy",
     {"/cupy/", "/cupy_backends/", "/cupyx/"},
     "call wait_event of the later stream with the event that record of the earlier one returns",
     "call wait_event of the stream that owns the array with an event of each other stream that "
     "uses it, before its last reference goes",
     "call synchronize of the stream before the CPU uses or frees the array"},
    {"Numba",
     {"/numba/", "/numba_cuda/"},
     "record an event in the earlier stream, and call its wait with the later one",
     "wait for each stream that uses the array before its last reference goes",
     "call synchronize of the stream before the CPU uses or frees the array"},
};

bool HasAnyOf(std::string_view file, absl::Span<const std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return !part.empty() && file.find(part) != std::string_view::npos;
  });
}

const Framework* FrameworkOf(const std::vector<TextFrame>& frames) {
  const bool python = std::any_of(frames.begin(), frames.end(), [](const TextFrame& frame) {
    return frame.language == "python";
  });
  if (!python) return nullptr;
  for (const Framework& framework : kFrameworks) {
    for (const TextFrame& frame : frames) {
      const std::string_view file = frame.IsInterpreted() ? frame.file : frame.module;
      if (HasAnyOf(file, framework.parts)) return &framework;
    }
  }
  return nullptr;
}

// Libraries between the code that launches and the driver.
constexpr std::string_view kCudaLibraries[] = {
    "/libcuda.",   "/libcudart.",   "/libcublas",    "/libcudnn", "/libcufft",
    "/libcurand.", "/libcusparse.", "/libcusolver.", "/libnccl.", "/libnvrtc.",
    "/libgpusan.",  // its wrappers of the functions of these libraries
};
// What calls for Python code.
constexpr std::string_view kPythonCalls[] = {"/_ctypes.", "/libffi.", "/_cffi", "/cuda/bindings/",
                                             "/pycuda/"};

// The module of the native code that called CUDA or one of its libraries; empty if there is none.
std::string_view CallerOf(const std::vector<TextFrame>& frames) {
  for (const TextFrame& frame : frames) {
    if (!frame.IsInterpreted() && !frame.module.empty() && !HasAnyOf(frame.module, kCudaLibraries))
      return frame.module;
  }
  return {};
}

// Whether PyTorch itself makes one of the two commands, and native code outside of frameworks makes
// the other one: an extension, or a program with LibTorch.
bool IsBesideTorch(const TextFinding& finding) {
  bool torch_calls = false, other_calls = false;
  const auto look = [&](const std::vector<TextFrame>& frames) {
    const std::string_view caller = CallerOf(frames);
    if (HasAnyOf(caller, kFrameworks[0].parts)) {
      torch_calls = true;
    } else if (!caller.empty() && !HasAnyOf(caller, kPythonCalls)) {
      const Framework* framework = FrameworkOf(frames);
      if (framework == nullptr || framework == &kFrameworks[0]) other_calls = true;
    }
  };
  look(finding.frames);
  for (const TextParty& party : finding.parties)
    if (party.role == "pending-command") look(party.frames);
  return torch_calls && other_calls;
}

// Whether a collective of torch.distributed made the earlier command of a race.
bool IsAfterCollective(const TextFinding& finding) {
  return std::any_of(finding.parties.begin(), finding.parties.end(), [](const TextParty& party) {
    return party.role == "pending-command" &&
           std::any_of(party.frames.begin(), party.frames.end(), [](const TextFrame& frame) {
             return frame.file.find("/torch/distributed/") != std::string::npos ||
                    frame.module.find("/libnccl.") != std::string::npos;
           });
  });
}

bool HasFact(const TextFinding& finding, std::string_view key) {
  return std::any_of(finding.facts.begin(), finding.facts.end(),
                     [&](const auto& fact) { return fact.first == key; });
}

std::string_view RemedyFor(const TextFinding& finding, const Framework& framework) {
  if (finding.rule == "race") {
    if (!HasFact(finding, "hazard")) return {};  // within one copy
    if (HasFact(finding, "reused")) return framework.reuse;
    if (framework.collective.empty() || !IsAfterCollective(finding)) return framework.order;
    return framework.collective;
  }
  if (finding.rule == "stream-order-alloc") return framework.reuse;
  if (finding.rule == "host-race" || finding.rule == "host-free-in-flight")
    return framework.host_wait;
  if (finding.rule == "use-after-free" && finding.call.find("GraphLaunch") != std::string::npos)
    return "keep the arrays that the graph uses, and copy new input into them";
  return {};
}

}  // namespace

void NameFrameworkRemedy(TextFinding* finding) {
  if (finding->rule == "race" && !finding->fix.empty() && !HasFact(*finding, "reused") &&
      IsBesideTorch(*finding)) {
    finding->fix.append(
        "; beside PyTorch: launch on the stream that at::cuda::getCurrentCUDAStream() returns");
    return;
  }
  const Framework* framework = FrameworkOf(finding->frames);
  if (framework == nullptr || finding->fix.empty()) return;
  const std::string_view remedy = RemedyFor(*finding, *framework);
  if (remedy.empty()) return;
  finding->fix.append("; in ").append(framework->name).append(": ").append(remedy);
}

}  // namespace gpusan
