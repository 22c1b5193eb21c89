// Check partially-initialized: a kernel reads a whole buffer of which only a part was written.
#include "tracker/rules/events/unwritten_update.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"
#include "tracker/rules/shared/unwritten_argument.h"

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

  static void OnUnwrittenUpdate(const UnwrittenUpdate& update, Call& call) {
    if (update.written == 0) return;  // uninitialized-read
    const Vocabulary& words = call.words();
    const Resource& resource = *update.resource;
    call.Add(RuleId::kPartiallyInitialized)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(ObjectText(*update.kernel, words), " updates ",
                           ArgumentText(*update.kernel, update.argument), ", ",
                           ObjectText(resource, words), ", in place, but only ",
                           BytesText(update.written), " of it were written; bytes ", update.begin,
                           " to ", update.end - 1, " were not"))
        .Why(absl::StrCat(
                 "the kernel reads each byte of the ", words.KindName(resource.kind),
                 " before it writes it; the content of bytes that nothing wrote is undefined"),
             Clause::kContentUndefined)
        .Fix("write the rest of the buffer before the launch, or launch over the written part only")
        .WithCreation(resource)
        .About(*update.kernel)
        .Fact("argument", uint64_t{update.argument})
        .Fact("kernel", update.kernel->name)
        .Fact("written_bytes", update.written)
        .Fact("resource_bytes", resource.bytes)
        .Fact("gap_begin", update.begin)
        .Fact("gap_end", update.end);
  }
};

}  // namespace
}  // namespace gpusan::rules
