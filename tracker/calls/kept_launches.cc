// The accesses, by the summary, of the newest different launches of a kernel.
#include "tracker/calls/kept_launches.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "tracker/calls/launch_box.h"
#include "tracker/model/texel_access.h"

namespace gpusan {
namespace {

// Marks the arguments that the formula names.
void MarkNamed(const SummaryFormula& formula, std::vector<bool>* named) {
  for (const SummaryTerm& term : formula) {
    for (const uint16_t symbol : term.symbols) {
      const size_t index = static_cast<size_t>(symbol) - kArgument;
      if (symbol >= kArgument && index < named->size()) (*named)[index] = true;
    }
  }
}

void MarkNamed(const std::vector<SummaryAccess>& accesses, std::vector<bool>* named) {
  for (const SummaryAccess& access : accesses) {
    MarkNamed(access.offset, named);
    for (const SummaryGuard& guard : access.guards) MarkNamed(guard.value, named);
    for (const SummaryFit& fit : access.fits) MarkNamed(fit.value, named);
    for (const SummaryFit& fit : access.offset_fits) MarkNamed(fit.value, named);
    for (const SummaryPart& part : access.parts) {
      MarkNamed(part.of, named);
      MarkNamed(part.by, named);
    }
  }
}

}  // namespace

template <typename Visit>
void FunctionLaunches::VisitValues(const std::vector<KernelArgument>& arguments,
                                   Visit visit) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelArgument& argument = arguments[i];
    const bool named = i < named_.size() && named_[i];
    if (argument.kind == ArgumentKind::kMemory) {
      if (named && !visit(argument.resource.object == nullptr)) return;
    } else if (named || argument.kind == ArgumentKind::kLocal) {
      if (!visit(argument.value) || !visit(argument.value_bytes)) return;
      absl::Span<const uint8_t> large = argument.large.bytes();
      for (uint64_t word = 0; !large.empty();
           large.remove_prefix(std::min(sizeof(word), large.size()))) {
        word = 0;
        std::memcpy(&word, large.data(), std::min(sizeof(word), large.size()));
        if (!visit(word)) return;
      }
    } else if (!visit(argument.MayBeOffset())) {
      return;
    }
  }
}

void KeptLaunch::SetPattern(LaunchPattern pattern) {
  auto added = std::make_unique<const LaunchPattern>(std::move(pattern));
  const LaunchPattern* none = nullptr;
  if (pattern_.compare_exchange_strong(none, added.get(), std::memory_order_acq_rel))
    static_cast<void>(added.release());
}

FunctionLaunches::FunctionLaunches(std::shared_ptr<const KernelSummary> shared)
    : summary_(std::move(shared)) {
  static const ParameterSummary kNothing;
  const KernelSummary& summary = *summary_;
  for (const LocalArraySummary& array : summary.local_arrays)
    owned_.emplace_back().accesses = array.accesses;
  for (uint32_t i = 0; i < summary.parameters.size(); ++i) {
    if (summary.parameters[i].known) continue;
    for (const SummaryAccess& access : summary.parameters[i].accesses) {
      const std::optional<TexelAccess> texel = TexelAccessOf(access);
      if (!texel || !texel->dimension) continue;
      const bool write = access.kind == SummaryAccess::Kind::kWrite;
      coordinates_.push_back({i, *texel->dimension, texel->type, write, 0, 0});
      // A coordinate has the range of a byte at this offset.
      SummaryAccess& one = owned_.emplace_back().accesses.emplace_back(access);
      one.ranged = true;
      one.bytes = 1;
    }
  }
  for (const ParameterSummary& parameter : summary.parameters)
    summaries_.push_back(parameter.known ? &parameter : &kNothing);
  for (const ParameterSummary& one : owned_) summaries_.push_back(&one);
  named_.resize(summary.parameters.size());
  for (const ParameterSummary* one : summaries_) MarkNamed(one->accesses, &named_);
  for (const DerivedNumber& number : summary.derived) {
    MarkNamed(number.left, &named_);
    MarkNamed(number.right, &named_);
  }
  parameters_ = summary.parameters.size();
  arrays_ = summary.local_arrays.size();
  evaluated_.resize(summaries_.size());
}

bool FunctionLaunches::HasValues(const KeptLaunch& launch,
                                 const std::vector<KernelArgument>& arguments) const {
  size_t count = 0;
  bool same = true;
  VisitValues(arguments, [&](uint64_t value) {
    same = count < launch.values.size() && launch.values[count] == value;
    ++count;
    return same;
  });
  return same && count == launch.values.size();
}

std::shared_ptr<KeptLaunch> FunctionLaunches::FindLocked(
    const LaunchShape& shape, const std::vector<KernelArgument>& arguments) {
  const auto* found = launches_.Find([&](const std::shared_ptr<KeptLaunch>& launch) {
    return launch->shape == shape && HasValues(*launch, arguments);
  });
  return found != nullptr ? *found : nullptr;
}

std::shared_ptr<KeptLaunch> FunctionLaunches::Find(const LaunchShape& shape,
                                                   const std::vector<KernelArgument>& arguments) {
  std::lock_guard lock(lock_);
  return FindLocked(shape, arguments);
}

void FunctionLaunches::Evaluate(const LaunchShape& shape,
                                const std::vector<KernelArgument>& arguments) {
  const auto integers = IntegersOf(arguments, *summary_, shape);
  // Many functions are launched with the same values only.
  if (launches_.size() > 1) {
    if (!program_) program_.emplace(summaries_);
    return program_->Evaluate(shape, integers, absl::MakeSpan(evaluated_));
  }
  for (size_t i = 0; i < summaries_.size(); ++i)
    evaluated_[i] = gpusan::UsesOf(*summaries_[i], shape, integers);
}

std::shared_ptr<KeptLaunch> FunctionLaunches::UsesOf(const LaunchShape& shape,
                                                     const std::vector<KernelArgument>& arguments) {
  std::lock_guard lock(lock_);
  if (std::shared_ptr<KeptLaunch> kept = FindLocked(shape, arguments); kept != nullptr) return kept;
  auto added = std::make_shared<KeptLaunch>();
  KeptLaunch& launch = *added;
  launch.shape = shape;
  VisitValues(arguments, [&](uint64_t value) {
    launch.values.push_back(value);
    return true;
  });
  Evaluate(shape, arguments);
  const auto parameters = evaluated_.begin() + static_cast<std::ptrdiff_t>(parameters_);
  const auto arrays = parameters + static_cast<std::ptrdiff_t>(arrays_);
  launch.uses.assign(evaluated_.begin(), parameters);
  launch.locals.assign(parameters, arrays);
  auto evaluated = arrays;
  for (TexelRange range : coordinates_) {
    const LaunchUse& use = range.write ? evaluated->writes : evaluated->reads;
    ++evaluated;
    // Only the coordinates that the launch surely accesses.
    if (!use.sure || (!use.has_ends() && !use.has_core())) continue;
    range.first = use.has_ends() ? use.end_first : use.core_first;
    range.last = (use.has_ends() ? use.end_last : use.core_last) - 1;
    launch.texels.push_back(range);
  }
  return launches_.Add(std::move(added));
}

KeptLaunch* KeptLaunches::Find(const LaunchShape& shape,
                               const std::vector<KernelArgument>& arguments) {
  const auto* found = launches_.Find([&](const std::shared_ptr<KeptLaunch>& launch) {
    return launch->shape == shape && function_->HasValues(*launch, arguments);
  });
  return found != nullptr ? found->get() : nullptr;
}

const KeptLaunch* KeptLaunches::FindRepeated(const LaunchShape& shape,
                                             const std::vector<KernelArgument>& arguments) {
  const KeptLaunch* launch = Find(shape, arguments);
  if (launch == nullptr) {
    if (!launches_.empty()) return nullptr;
    std::shared_ptr<KeptLaunch> shared = function_->Find(shape, arguments);
    if (shared == nullptr) return nullptr;
    launch = launches_.Add(std::move(shared)).get();
  }
  return launch->pattern() != nullptr ? launch : nullptr;
}

KeptLaunch& KeptLaunches::UsesOf(const LaunchShape& shape,
                                 const std::vector<KernelArgument>& arguments) {
  KeptLaunch* launch = Find(shape, arguments);
  if (launch == nullptr) launch = launches_.Add(function_->UsesOf(shape, arguments)).get();
  return *launch;
}

namespace {

// The number, if it is a field of a value of more than 8 bytes that is known.
std::optional<LaunchInteger> LargeField(absl::Span<const KernelArgument> arguments,
                                        const DerivedNumber& number) {
  if (number.kind != DerivedNumber::Kind::kField) return std::nullopt;
  const std::optional<ArgumentField> field = FieldOf(number);
  if (!field || field->argument >= arguments.size()) return std::nullopt;
  const absl::Span<const uint8_t> bytes = arguments[field->argument].large.bytes();
  if (bytes.empty()) return std::nullopt;
  LaunchInteger integer;
  if (field->end > bytes.size() || number.bits > 64) return integer;
  uint64_t value = 0;
  std::memcpy(&value, &bytes[field->begin], field->end - field->begin);
  const int unused = 64 - number.bits;
  integer.value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  integer.bytes = sizeof(integer.value);
  return integer;
}

}  // namespace

absl::InlinedVector<LaunchInteger, 16> IntegersOf(absl::Span<const KernelArgument> arguments,
                                                  const KernelSummary& summary,
                                                  const LaunchShape& shape) {
  absl::InlinedVector<LaunchInteger, 16> integers;
  for (const KernelArgument& argument : arguments) {
    const bool known = argument.set && !argument.svm && argument.resource.get() == nullptr;
    integers.push_back({argument.value, known ? argument.value_bytes : uint8_t{0}});
  }
  for (const DerivedNumber& number : summary.derived) {
    std::optional<LaunchInteger> field = LargeField(arguments, number);
    integers.push_back(field ? *field : ValueOf(number, shape, integers));
  }
  return integers;
}

KeptLaunch& UsesOfLaunch(Kernel& kernel, const LaunchShape& shape) {
  if (kernel.kept == nullptr) {
    kernel.kept =
        std::make_shared<KeptLaunches>(std::make_shared<FunctionLaunches>(kernel.summary));
  }
  return kernel.kept->UsesOf(shape, kernel.arguments);
}

}  // namespace gpusan
