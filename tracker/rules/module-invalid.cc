// Check module-invalid: a module image cannot be loaded; compares its content with the needs of
// the device.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct ModuleInvalid {
  static void OnInvalidModule(const InvalidModule& invalid, Call& call) {
    FindingBuilder finding = call.Add(RuleId::kModuleInvalid);
    finding.What(invalid.what).Why(invalid.why).Fix(invalid.fix).Fact("image", invalid.image);
    if (!invalid.device.empty()) finding.Fact("device", invalid.device);
    if (!invalid.driver.empty()) finding.Fact("driver", invalid.driver);
    if (!invalid.log.empty()) finding.Fact("log", invalid.log);
    if (invalid.tried) finding.Severe(Severity::kNote);
    if (invalid.module != nullptr) finding.CreatedBy(*invalid.module).About(*invalid.module);
  }
};

}  // namespace
}  // namespace gpusan::rules
