// See the header.
#include "hooks/cuda/deferred_launches.h"

#include <cstring>
#include <new>

#include "hooks/cuda/launches.h"
#include "hooks/host/site_cache.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMostParameters = 128;

// Its arguments lie behind it: each one in words of its own, or as the call packed them.
struct DeferredLaunch : DeferredCommand {
  Function* function;
  StackRange stack;  // of the thread
  LaunchShape shape;
  uint32_t argument_bytes;  // rounded up to words
  uint64_t nulls;           // once it is judged, as LaunchArguments::nulls
  bool packed;

  const unsigned char* arguments() const {
    return reinterpret_cast<const unsigned char*>(this + 1);
  }
  unsigned char* arguments() { return reinterpret_cast<unsigned char*>(this + 1); }
};
static_assert(sizeof(DeferredLaunch) % 8 == 0 && alignof(DeferredLaunch) == 8);

bool Repeats(const DeferredLaunch& one, const DeferredLaunch& before) {
  return one.packed == before.packed && one.function == before.function &&
         one.stream == before.stream && one.info == before.info && one.site == before.site &&
         one.argument_bytes == before.argument_bytes && one.thread == before.thread &&
         std::memcmp(&one.shape, &before.shape, sizeof(one.shape)) == 0 &&
         std::memcmp(one.arguments(), before.arguments(), one.argument_bytes) == 0;
}

// True: the same again needs no more than a place in the order.
bool JudgeLaunch(DeferredCommand& command, const DeferredCommand* before, JudgedCommand* judged);
constexpr DeferredKind kLaunch = {&JudgeLaunch};

bool JudgeLaunch(DeferredCommand& command, const DeferredCommand* before, JudgedCommand* judged) {
  auto& one = static_cast<DeferredLaunch&>(command);
  DeferredCall call(one);
  KernelLaunch launch;
  launch.shape() = one.shape;
  launch.ByThreadWith(one.stack);
  bool plain = false;
  if (before != nullptr && before->kind == &kLaunch) {
    const auto& same = static_cast<const DeferredLaunch&>(*before);
    one.nulls = same.nulls;
    plain = Repeats(one, same) && launch.BeginAgain(call, *one.function, one.stream, one.nulls);
  }
  if (!plain) {
    if (one.packed) {
      size_t bytes = one.argument_bytes;
      void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, one.arguments(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                       &bytes, CU_LAUNCH_PARAM_END};
      launch.BeginNow(call, *one.function, one.stream, nullptr, extra);
    } else {
      void* parameters[kMostParameters];
      unsigned char* at = one.arguments();
      const auto& all = one.function->parameters;
      for (size_t i = 0; i < all.size(); ++i) {
        parameters[i] = at;
        at += InWholeWords(all[i].bytes);
      }
      launch.BeginNow(call, *one.function, one.stream, parameters, nullptr);
    }
    plain = launch.plain() && !call.has_findings();
    one.nulls = launch.arguments().nulls();
    launch.End(call, CUDA_SUCCESS);
  }
  judged->epoch = launch.epoch();
  call.Done(CUDA_SUCCESS);
  judged->explained = call.explained();
  return plain;
}

// Copies the value of each parameter; false: one has none.
bool CopyParameters(const Function& function, void** parameters, unsigned char* to) {
  for (const Parameter& parameter : function.parameters) {
    const void* value = *parameters++;
    if (value == nullptr) return false;
    if (parameter.bytes == 8) {
      std::memcpy(to, value, 8);
      to += 8;
    } else if (parameter.bytes == 4) {
      uint32_t word;
      std::memcpy(&word, value, 4);
      const uint64_t wide = word;
      std::memcpy(to, &wide, 8);
      to += 8;
    } else {
      const uint32_t words = InWholeWords(parameter.bytes);
      if (words != parameter.bytes) std::memset(to + words - 8, 0, 8);
      std::memcpy(to, value, parameter.bytes);
      to += words;
    }
  }
  return true;
}

// What a pointer parameter was given is NULL or where allocations are: all others may be host
// memory, of which more is known now than later.
bool PointersCanWait(const Tracker& tracker, const Function& function, const DeferredLaunch& one) {
  const AddressMap::Span span = tracker.address_span();
  const uint32_t releases = tracker.releases();
  const unsigned char* at = one.arguments();
  for (uint32_t index = 0; index < function.parameters.size(); ++index) {
    const Parameter& parameter = function.parameters[index];
    if (parameter.type.kind == ParameterKind::kPointer) {
      const unsigned char* value = one.packed ? one.arguments() + parameter.offset : at;
      if (one.packed &&
          (one.argument_bytes < parameter.offset || one.argument_bytes - parameter.offset < 8))
        return false;
      uintptr_t address;
      std::memcpy(&address, value, 8);
      if (address != 0 && !span.Holds(address) &&
          !(parameter.type.constant &&
            (one.stack.Holds(address) || function.harmless.Holds(index, address, releases))))
        return false;
    }
    at += InWholeWords(parameter.bytes);
  }
  return true;
}

}  // namespace

uint64_t DeferLaunch(CuCall& call, Function& function, Stream* stream, const LaunchShape& shape,
                     void** parameters, void** extra) {
  constexpr uint32_t kMostBytes = DeferredRoom::kMostBytes - sizeof(DeferredLaunch);
  if (function.handle == 0 || !MayDefer(call, stream)) return 0;
  const bool packed = parameters == nullptr && extra != nullptr;
  const PackedArguments from(packed ? extra : nullptr);
  if (packed && from.bytes > kMostBytes) return 0;
  const uint32_t bytes = packed                  ? InWholeWords(static_cast<uint32_t>(from.bytes))
                         : parameters != nullptr ? function.argument_bytes
                                                 : 0;
  if (bytes > kMostBytes || function.parameters.size() > kMostParameters ||
      (!packed && parameters == nullptr && !function.parameters.empty()))
    return 0;
  DeferredRoom room(static_cast<uint32_t>(sizeof(DeferredLaunch)) + bytes);
  auto& one = *new (room.get()) DeferredLaunch;
  one.function = &function;
  one.stack = OwnStack();
  one.shape = shape;
  one.argument_bytes = bytes;
  one.packed = packed;
  if (!packed) {
    if (!CopyParameters(function, parameters, one.arguments())) return 0;
  } else if (bytes != 0) {
    std::memset(one.arguments() + bytes - 8, 0, 8);
    std::memcpy(one.arguments(), from.begin, from.bytes);
  }
  if (!PointersCanWait(call.tracker(), function, one)) return 0;
  return room.Keep(call, stream, kLaunch, false);
}

}  // namespace gpusan::cuda
