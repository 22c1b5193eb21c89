// Fuzz target: files of suppressions, and generated suppressions for hostile names.
#include <cstddef>
#include <cstdint>
#include <string>

#include "report/text/suppressions.h"
#include "report/text/text.h"

using namespace gpusan;

namespace {

TextFinding MakeFinding() {
  TextFinding finding;
  finding.rule = "race";
  finding.call = "clEnqueueWriteBuffer";
  TextFrame inner, outer;
  inner.function = "void ns::foo<int, std::vector<int>>(int, char const*)";
  inner.file = "/home/user/src/foo.cc";
  inner.module = "/usr/lib/libfoo.so";
  outer.function = "main";
  outer.file = "main.c";
  outer.module = "/bin/app";
  finding.frames = {inner, inner, outer};
  finding.parties.emplace_back();
  finding.parties.back().frames = {outer, inner};
  finding.resources.emplace_back();
  finding.resources.back().label = "label \\*";
  return finding;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const TextFinding finding = MakeFinding();
  const std::string text(reinterpret_cast<const char*>(data), size);
  Suppressions suppressions("2026-12-31");
  if (suppressions.Parse(text, "file").empty()) suppressions.Match(finding);
  TextFinding named = finding;
  named.frames[0].function = text;
  named.resources[0].label = text;
  Suppressions generated("2026-12-31");
  if (generated.Parse(SuppressionFor(named), "file").empty()) generated.Match(named);
  return 0;
}
