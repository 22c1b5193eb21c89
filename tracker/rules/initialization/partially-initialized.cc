// Check partially-initialized: a kernel reads a whole buffer of which only a part was written.
#include "tracker/rules/rules.h"
#include "tracker/rules/unwritten_argument.h"

namespace gpusan::rules {
namespace {

struct PartiallyInitialized {
  static void OnLaunch(const Launch& launch, Call& call) {
    for (const LaunchArgument& argument : launch.arguments) {
      UnwrittenBytes unwritten;
      if (!FindUnwritten(launch, argument, call, &unwritten) || unwritten.written == 0) [[likely]]
        continue;
      FindingBuilder finding = call.Add(RuleId::kPartiallyInitialized);
      AddUnwritten(finding, launch, argument, unwritten,
                   absl::StrCat("only ", BytesText(unwritten.written), " were written; bytes ",
                                unwritten.gap_begin, " to ", unwritten.gap_end - 1, " were not"),
                   call.words());
    }
  }
};

}  // namespace
}  // namespace gpusan::rules
