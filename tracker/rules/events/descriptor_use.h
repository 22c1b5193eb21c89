// The rule event of a descriptor or descriptor set that does not fit its use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct DescriptorUse {
  enum class Fault : uint8_t {
    kUsage,    // a descriptor or an argument is a resource that was created without the flag `text`
    kUnbound,  // a draw or dispatch uses set number `number`, which is not bound
    kIncompatible,  // the layout of the bound set differs from that of the pipeline
    kNeverWritten,  // the shaders use binding `binding` of the set, which was never written
    kDynamicRange,  // a dynamic offset moves binding `binding` past the end of `resource`
    kDynamicCount,  // `number` dynamic offsets are needed, `end` are given
    kNoBinding,     // a write names binding `binding`, which the layout of the set lacks
    kOtherType,     // a write names another type than that of binding `binding`
    kPastTheEnd,    // a write from binding `binding` on has more descriptors than the set
    kNoSampler,     // a write of binding `binding` lacks the sampler
    kNotPushed,     // descriptors are pushed to set number `number`, which takes bound sets
    kNoSet,         // they are pushed to set number `number`; the layout has `end` sets
    kOtherDim,      // the shaders read an image of another dimension than the view has, `since`
    kOtherNumbers,  // they read other numbers than the format of the view has, `since`
    kUnnormalized,  // they sample with unnormalized coordinates in the way `since`
    // The call submits a command of `recorder`, which uses binding `binding` of the set, but the
    // binding was written after the command was recorded.
    kWrittenAfterRecording,
  };
  Fault fault = Fault::kUsage;
  const Object* set = nullptr;       // nullptr: no set, or pushed descriptors
  const Object* pipeline = nullptr;  // nullptr: no pipeline
  const Resource* resource = nullptr;
  uint32_t number = 0, binding = 0;
  std::optional<uint32_t> element;  // of the binding, if it is an array
  bool of_view = false;             // kUsage: the resource has the flag, but its view lacks it
  uint64_t end = 0;                 // kDynamicRange: end of the range [bytes]
  const char* text = "";            // the missing flag
  // kUsage: the argument of the call that names the resource; nullptr: a descriptor does.
  const char* argument = nullptr;
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
  // kUnbound: the command that made all earlier state undefined, and the words that name it;
  // nullptr: none.
  const CallInfo* earlier = nullptr;
  SiteId earlier_site = kUnknownSite;
  // kOtherDim, kOtherNumbers, kUnnormalized: the type of the view, its format, the way of sampling
  std::string since;
  std::string vuid;
};
void OnDescriptorUse(const DescriptorUse& use, Call& call);

}  // namespace gpusan::rules
