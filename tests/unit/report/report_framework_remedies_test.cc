// Remedies in the words of Python frameworks.
#include <catch2/catch.hpp>
#include <utility>

#include "report/text/framework_remedies.h"

namespace gpusan {
namespace {

TextFrame PythonFrame(const char* file) {
  TextFrame frame;
  frame.function = "train";
  frame.file = file;
  frame.language = "python";
  return frame;
}

TextFrame NativeFrame(const char* module) {
  TextFrame frame;
  frame.module = module;
  return frame;
}

TextFinding Race() {
  TextFinding finding;
  finding.rule = "race";
  finding.fix = "record an event";
  finding.facts = {{"hazard", "RAW"}};
  finding.frames = {NativeFrame("/venv/lib/libtorch_cuda.so"), PythonFrame("/home/a/train.py")};
  return finding;
}

std::string FixOf(TextFinding finding) {
  NameFrameworkRemedy(&finding);
  return finding.fix;
}

TEST_CASE("a race of PyTorch names wait_stream, and record_stream if a block was reused") {
  TextFinding finding = Race();
  CHECK_THAT(FixOf(finding),
             Catch::Matchers::StartsWith("record an event; in PyTorch: call wait_stream of"));
  finding.facts.emplace_back("reused", "1");
  CHECK_THAT(FixOf(finding),
             Catch::Matchers::StartsWith("record an event; in PyTorch: call record_stream"));
}

TEST_CASE("the framework follows from the frames") {
  TextFinding finding = Race();
  finding.frames[0] = NativeFrame("/venv/site-packages/cupy/cuda/function.cpython-312.so");
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in CuPy: "));
  finding.frames[0] = PythonFrame("/venv/site-packages/numba/cuda/cudadrv/driver.py");
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in Numba: "));
  finding.frames[0] = NativeFrame("/home/a/libmine.so");
  CHECK(FixOf(finding) == "record an event");
}

TEST_CASE("a race of an extension with PyTorch names PyTorch's stream") {
  TextFinding finding = Race();
  TextParty earlier;
  earlier.role = "pending-command";
  earlier.frames = {PythonFrame("/home/a/train.py"), NativeFrame("/home/a/scale.cpython-312.so")};
  finding.parties = {earlier};
  CHECK_THAT(FixOf(finding), Catch::Matchers::EndsWith("at::cuda::getCurrentCUDAStream() returns"));
  std::swap(finding.frames, finding.parties[0].frames);
  CHECK_THAT(FixOf(finding), Catch::Matchers::EndsWith("at::cuda::getCurrentCUDAStream() returns"));
  finding.frames.insert(finding.frames.begin(), NativeFrame("/usr/lib/libcudart.so.13"));
  CHECK_THAT(FixOf(finding), Catch::Matchers::EndsWith("at::cuda::getCurrentCUDAStream() returns"));

  finding.frames = Race().frames;  // both are PyTorch's
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in PyTorch: call wait_stream of"));
  finding.frames[0] = NativeFrame("/venv/site-packages/cupy/cuda/function.cpython-312.so");
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in CuPy: "));
  finding.frames = {PythonFrame("/home/a/train.py"),
                    NativeFrame("/usr/lib/_ctypes.cpython-312.so")};
  CHECK(FixOf(finding) == "record an event");
  finding.parties[0].role = "created";
  finding.frames = {NativeFrame("/home/a/libmine.so"), PythonFrame("/home/a/train.py")};
  CHECK(FixOf(finding) == "record an event");
}

TEST_CASE("a race behind a collective names the wait of its Work") {
  TextFinding finding = Race();
  TextParty earlier;
  earlier.role = "pending-command";
  earlier.frames = {PythonFrame("/venv/site-packages/torch/distributed/distributed_c10d.py"),
                    NativeFrame("/venv/lib/libnccl.so.2"),
                    NativeFrame("/opt/gpusan/libgpusan.so.0"),
                    NativeFrame("/venv/lib/libtorch_cuda.so")};
  finding.parties = {earlier};
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in PyTorch: call wait of the Work"));
  CHECK_THAT(FixOf(finding), !Catch::Matchers::Contains("getCurrentCUDAStream"));
  finding.facts.emplace_back("reused", "1");
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in PyTorch: call record_stream"));
}

TEST_CASE("programs without Python, and other findings, keep their fix") {
  TextFinding finding = Race();
  finding.frames.pop_back();
  CHECK(FixOf(finding) == "record an event");
  finding = Race();
  finding.facts.clear();  // two sides of one copy
  CHECK(FixOf(finding) == "record an event");
  finding = Race();
  finding.rule = "leak";
  CHECK(FixOf(finding) == "record an event");
  finding.rule = "use-after-free";
  CHECK(FixOf(finding) == "record an event");
  finding.call = "cudaGraphLaunch";
  CHECK_THAT(FixOf(finding), Catch::Matchers::Contains("; in PyTorch: keep the arrays"));
}

}  // namespace
}  // namespace gpusan
