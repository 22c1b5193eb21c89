// Deferred launches (deferral_queue.h).
#include "hooks/cuda/kernels/deferred_launches.h"

#include <cstring>
#include <new>

#include "hooks/common/sites/site_cache.h"
#include "hooks/cuda/kernels/launches.h"

namespace gpusan::cuda {
namespace {

// The arguments follow the struct, as ReadArguments lists them.
struct DeferredLaunch : DeferredCommand {
  Function* function;
  StackRange stack;  // of the launching thread
  LaunchShape shape;
  uint32_t count;    // of words after the struct
  uint64_t nulls;    // set when processed, as LaunchArguments::nulls
  uint64_t library;  // library_scope.h; 0: none

  uint64_t* words() { return reinterpret_cast<uint64_t*>(this + 1); }
  absl::Span<const uint64_t> read() const {
    return {reinterpret_cast<const uint64_t*>(this + 1), count};
  }
};
static_assert(sizeof(DeferredLaunch) % 8 == 0 && alignof(DeferredLaunch) == 8);

bool Repeats(const DeferredLaunch& one, const DeferredLaunch& before) {
  return one.function == before.function && one.stream == before.stream &&
         one.info == before.info && one.site == before.site && one.thread == before.thread &&
         one.library == before.library &&
         std::memcmp(&one.shape, &before.shape, sizeof(one.shape)) == 0 &&
         one.read() == before.read();
}

// Returns true if an identical launch needs only a position in the order.
bool ProcessLaunch(DeferredCommand& command, const DeferredCommand* before,
                   ProcessedCommand* processed);
constexpr DeferredKind kLaunch = {&ProcessLaunch};

bool ProcessLaunch(DeferredCommand& command, const DeferredCommand* before,
                   ProcessedCommand* processed) {
  auto& one = static_cast<DeferredLaunch&>(command);
  DeferredCall call(one);
  KernelLaunch launch;
  launch.shape() = one.shape;
  launch.ByThreadWith(one.stack);
  launch.ByLibrary(one.library);
  bool plain = false;
  if (before != nullptr && before->kind == &kLaunch) {
    const auto& same = static_cast<const DeferredLaunch&>(*before);
    one.nulls = same.nulls;
    plain = Repeats(one, same) && launch.BeginAgain(call, *one.function, one.stream, one.nulls);
  }
  if (!plain) {
    launch.BeginRead(call, *one.function, one.stream, one.read());
    plain = launch.plain() && !call.has_findings();
    one.nulls = launch.arguments().nulls();
    launch.End(call, CUDA_SUCCESS);
  }
  processed->epoch = launch.epoch();
  call.End(processed);
  return plain;
}

}  // namespace

bool DeferLaunch(FastCall& call, CUfunction handle, CUstream stream_handle,
                 const LaunchShape& shape, void** parameters, void** extra) {
  Stream* const stream = KnownStream(call, stream_handle);
  if (!MayDefer(call, stream)) return false;
  Function* const known = KnownFunction(handle);
  if (known == nullptr) return false;
  const Function& function = *known;
  const size_t most = sizeof(DeferredLaunch) + MostArgumentWords(function) * 8;
  if (most > DeferredRoom::kMostBytes) return false;
  const PackedArguments packed(parameters == nullptr ? extra : nullptr);
  DeferredRoom room(static_cast<uint32_t>(most));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  auto& one = *new (room.get()) DeferredLaunch;
  one.function = known;
  one.stack = OwnStack();
  one.shape = shape;
  one.library = library_scope;
  const ReadResult read = ReadArguments(KnownAddresses(call.tracker()), function, parameters,
                                        packed, one.stack, one.words());
  if (!read.complete || !read.can_wait) return false;
  one.count = static_cast<uint32_t>(read.words);
  room.Enqueue(call, stream, kLaunch, false,
               static_cast<uint32_t>(sizeof(DeferredLaunch) + read.words * 8));
  return true;
}

}  // namespace gpusan::cuda
