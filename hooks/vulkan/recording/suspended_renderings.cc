// Dynamic renderings that continue in a later one.
#include "hooks/vulkan/recording/suspended_renderings.h"

namespace gpusan::vulkan {

void SuspendedRenderings::Begin(bool resumes, bool suspends, const Instance& instance) {
  if (!any_) {
    any_ = true;
    first_resumes_ = resumes;
    first_ = instance;
  } else if (resumes != last_suspends_ && fault_ == Fault::kNone) {
    fault_ = resumes ? Fault::kResumesNothing : Fault::kInterrupted;
    faulty_ = instance;
  }
  last_suspends_ = suspends;
  last_ = instance;
}

void SuspendedRenderings::Append(const SuspendedRenderings& other) {
  if (!other.any_) return;
  Begin(other.first_resumes_, other.last_suspends_, other.first_);
  last_ = other.last_;
  if (fault_ != Fault::kNone) return;
  fault_ = other.fault_;
  faulty_ = other.faulty_;
}

std::pair<SuspendedRenderings::Fault, SuspendedRenderings::Instance>
SuspendedRenderings::FaultOfBatch() const {
  if (first_resumes_) return {Fault::kResumesNothing, first_};
  if (fault_ != Fault::kNone) return {fault_, faulty_};
  if (last_suspends_) return {Fault::kNotResumed, last_};
  return {};
}

}  // namespace gpusan::vulkan
