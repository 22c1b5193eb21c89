// Check module-invalid: a module image cannot be loaded; compares its content with the needs of
// the device.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct ModuleInvalid {
  static void OnInvalidModule(const InvalidModule& invalid, Call& call) {
    FindingBuilder finding = call.Add(RuleId::kModuleInvalid);
    Explain(finding, invalid);
    finding.What(What(invalid)).Fact("image", invalid.image);
    if (!invalid.capability.empty())
      finding.Fact("device", absl::StrCat("compute capability ", invalid.capability));
    if (!invalid.driver.empty()) finding.Fact("driver", invalid.driver);
    if (!invalid.log.empty()) finding.Fact("log", invalid.log);
    if (invalid.tried) finding.Severe(Severity::kNote);
    if (invalid.module != nullptr) finding.WithCreation(*invalid.module);
  }

 private:
  static std::string What(const InvalidModule& invalid) {
    std::string what = invalid.name.empty()
                           ? absl::StrCat("the image is ", invalid.image)
                           : absl::StrCat("\"", invalid.name, "\" holds ", invalid.image);
    if (!invalid.damage.empty()) absl::StrAppend(&what, ", but ", invalid.damage);
    if (!invalid.log.empty()) absl::StrAppend(&what, "; the compiler reports: ", invalid.log);
    return what;
  }

  // Adds the reason and the fix.
  static void Explain(FindingBuilder& finding, const InvalidModule& invalid) {
    using Flaw = InvalidModule::Flaw;
    switch (invalid.flaw) {
      case Flaw::kUnreadable:
        finding
            .Why(
                "a module image is PTX that ends in a zero byte, a cubin or a fat binary (CUDA "
                "driver API, cuModuleLoadData); the error code means this image, not an array or "
                "a texture")
            .Fix("pass the address of the whole content of a .ptx, .cubin or .fatbin file");
        break;
      case Flaw::kDamaged:
        finding
            .Why(
                "the structure of the image contradicts its own headers (CUDA driver API, "
                "cuModuleLoadData)")
            .Fix(invalid.is_ptx ? "pass PTX from its first line on, .version and .target"
                                : "load the whole file, compare its size with the file's, and "
                                  "build the file again if it is damaged");
        break;
      case Flaw::kPtxTooNew:
        finding
            .Why(absl::StrCat("a driver compiles only PTX of its own version or older (CUDA driver "
                              "API, cuModuleLoadData): this driver is ",
                              invalid.driver))
            .Fix(absl::StrCat("update the driver, compile with a toolkit of the driver's version, "
                              "or add machine code for sm_",
                              invalid.arch));
        break;
      case Flaw::kNoCode:
        finding
            .Why(absl::StrCat("a cubin runs on devices with the same major compute capability and "
                              "the same or a higher minor one, and PTX on its target and on newer "
                              "devices (CUDA driver API, cuModuleLoadData): this device has ",
                              invalid.capability))
            .Fix(absl::StrCat("compile for this device too: nvcc -gencode arch=compute_",
                              invalid.arch, ",code=[sm_", invalid.arch, ",compute_", invalid.arch,
                              "]"));
        break;
      case Flaw::kPtxRejected:
        finding
            .Why(absl::StrCat("a driver compiles only PTX of its own version or older; this driver "
                              "is ",
                              invalid.driver.empty() ? "unknown" : invalid.driver))
            .Fix("update the driver, or compile with a toolkit of the driver's version");
        break;
      case Flaw::kNoCompiler:
        finding
            .Why(
                "the image has to be compiled for this device, and the driver's compiler "
                "(libnvidia-ptxjitcompiler) is not installed")
            .Fix("install the driver's compiler, or add code for the device itself");
        break;
      case Flaw::kCompilerDisabled:
        finding
            .Why(
                "the image has to be compiled for this device, and that is switched off "
                "(CUDA_DISABLE_PTX_JIT)")
            .Fix("unset CUDA_DISABLE_PTX_JIT, or add code for the device itself");
        break;
      case Flaw::kRejected:
        finding
            .Why(absl::StrCat("the image contains code for the device, but the driver's ",
                              invalid.has_ptx ? "compiler" : "loader",
                              " rejects its content (CUDA driver API, cuModuleLoadDataEx)"))
            .Fix("fix the reported error; CU_JIT_ERROR_LOG_BUFFER returns it to the program too");
        break;
    }
  }
};

}  // namespace
}  // namespace gpusan::rules
