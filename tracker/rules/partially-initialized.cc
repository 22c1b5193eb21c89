// Check partially-initialized: a kernel uses a whole buffer of which only a part was written.
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan::rules {
namespace {

// A kernel may well keep to the written part of a buffer with room to spare. The finding needs
// evidence that it does not: a parameter that is only read, and one work item for every element
// that the buffer holds, or a count of all its elements among the arguments; and no argument that
// could be the number of those written.
struct PartiallyInitialized {
  static void OnLaunch(const Launch& launch, Call& call) {
    if (launch.recorded) return;
    for (const LaunchArgument& argument : launch.arguments) {
      const Resource& resource = *argument.resource;
      const Resource& root = *resource.root;
      if (root.init.all()) [[likely]]
        continue;
      if (argument.direction != Direction::kRead || argument.element_bytes == 0 ||
          resource.image != nullptr || argument.indirect || resource.partial_noted ||
          resource.root != &resource) {
        continue;
      }
      if (!ReachesAll(launch, argument, resource)) continue;
      if (resource.failed_write_call() != nullptr) continue;  // error-ignored
      if (call.tracker().MayHoldUnseenWrites(resource)) continue;
      uint64_t gap_begin, gap_end, written;
      {
        std::lock_guard lock(root.lock);
        if (!root.init.FirstGap(resource.bytes, &gap_begin, &gap_end)) continue;
        if (KeepsTo(launch, gap_begin / argument.element_bytes)) continue;
        const_cast<Resource&>(resource).partial_noted = true;
        written = root.init.WrittenBytes(resource.bytes);
      }
      const Vocabulary& words = call.words();
      const Kernel& kernel = *launch.kernel;
      FindingBuilder finding =
          call.Add(written == 0 ? RuleId::kUninitializedRead : RuleId::kPartiallyInitialized);
      finding.Severe(Severity::kWarning)
          .What(absl::StrCat(
              ObjectText(kernel, words), " reads argument ", argument.index, ", ",
              ObjectText(resource, words), ", of which ",
              written == 0 ? "nothing was written"
                           : absl::StrCat("only ", BytesText(written), " were written; bytes ",
                                          gap_begin, " to ", gap_end - 1, " were not")))
          .Why(absl::StrCat("the launch has ", launch.work_items, " ", words.WorkItems(),
                            ", and the ", words.KindName(resource.kind), " holds ",
                            resource.bytes / argument.element_bytes,
                            " elements; the content of bytes that nothing wrote is undefined (",
                            words.Cite(Clause::kContentUndefined), ")"))
          .Fix(
              "write the rest of the buffer before the launch, or launch over the written part "
              "only")
          .CreatedBy(resource)
          .About(resource)
          .About(kernel)
          .Fact("argument", argument.index)
          .Fact("kernel", kernel.name)
          .Fact("written_bytes", written)
          .Fact("resource_bytes", resource.bytes)
          .Fact("gap_begin", gap_begin)
          .Fact("gap_end", gap_end);
      AddRecorder(finding, launch);
    }
  }

 private:
  static bool ReachesAll(const Launch& launch, const LaunchArgument& argument,
                         const Resource& resource) {
    if (SaturatingMultiply(launch.work_items, argument.element_bytes) == resource.bytes)
      return true;
    for (int64_t value : launch.integers) {
      const uint64_t count = static_cast<uint64_t>(value);
      if (value > 0 && count <= launch.work_items &&
          SaturatingMultiply(count, argument.element_bytes) == resource.bytes)
        return true;
    }
    return false;
  }

  static bool KeepsTo(const Launch& launch, uint64_t elements) {
    for (int64_t value : launch.integers) {
      if (value >= 0 && static_cast<uint64_t>(value) <= elements) return true;
    }
    return false;
  }
};

}  // namespace
}  // namespace gpusan::rules
