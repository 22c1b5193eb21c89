// The launch at a position in stream order, for the texts of findings.
#include "hooks/cuda/kernels/launch_text.h"

#include "hooks/cuda/kernels/launch_arguments.h"
#include "hooks/cuda/streams/contexts.h"
#include "tracker/calls/launch_text.h"

namespace gpusan::cuda {
namespace {

const Object* QueueOf(TimelineId timeline, Epoch epoch, const Kernel** kernel) {
  for (Context* context : LiveContexts()) {
    for (const Stream* stream : StreamsOf(context)) {
      bool found = false;
      stream->recent.ForEach([&](const RecentCommand& command) {
        found |= command.epoch.timeline() == timeline;
        if (command.epoch == epoch) *kernel = command.launched.kernel;
      });
      if (found) return stream->queue;
    }
  }
  return nullptr;
}

void Describe(Call&, Epoch epoch, LaunchDescription* description) {
  const ActiveLaunch* active = ActiveLaunch::Current();
  if (active != nullptr && active->command().epoch == epoch) {
    description->kernel = active->launch().kernel;
    description->size = SizeText(active->shape());
    description->queue = active->command().queue;
    return;
  }
  description->queue = QueueOf(epoch.timeline(), epoch, &description->kernel);
}

[[maybe_unused]] const bool g_registered = [] {
  describe_launch[static_cast<int>(Api::kCuda)].store(&Describe, std::memory_order_relaxed);
  return true;
}();

}  // namespace

std::string SizeText(const LaunchShape& shape) {
  const auto dimensions = [](const unsigned(&sizes)[3]) {
    return absl::StrCat(sizes[0], " x ", sizes[1], " x ", sizes[2]);
  };
  return absl::StrCat(dimensions(shape.grid), " blocks of ", dimensions(shape.block), " threads");
}

}  // namespace gpusan::cuda
