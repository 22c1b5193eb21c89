// Findings of one call: construction, delay until the return code is known, and report.
#include "tracker/calls/call.h"

#include <string_view>

namespace gpusan {

std::string Vocabulary::OrderFix(const char* earlier, const char* later) const {
  return absl::StrCat("pass the event of ", earlier, " in the wait list of ", later,
                      ", or wait on the host between them (", WaitCalls(), ")");
}

std::string ObjectText(const Object& object, const Vocabulary& words) {
  std::string text = absl::StrCat(words.KindNameOf(object), " ", HandleText(object.handle));
  const std::string name = words.ObjectName(object);
  if (!name.empty()) absl::StrAppend(&text, " \"", name, "\"");
  if (object.is_memory()) {
    const Resource& resource = static_cast<const Resource&>(object);
    if (resource.image != nullptr) {
      const ImageInfo& image = *resource.image;
      absl::StrAppend(&text, " (", image.extent[0]);
      for (int i = 1; i < image.dimensions; ++i) absl::StrAppend(&text, "x", image.extent[i]);
      absl::StrAppend(&text, ", ", words.Format(image), ")");
    } else {
      absl::StrAppend(&text, " (", BytesText(resource.bytes), ")");
    }
  } else if (object.kind == ObjectKind::kKernel) {
    absl::StrAppend(&text, " \"", static_cast<const Kernel&>(object).name, "\"");
  }
  return text;
}

FindingBuilder& FindingBuilder::Why(std::string_view text, Clause clause) {
  return Why(absl::StrCat(std::string(text), " (", words_->Cite(clause), ")"));
}

FindingBuilder& FindingBuilder::About(const Object& object) {
  FindingResource resource;
  resource.kind = ObjectKindName(object.kind);
  resource.handle = object.handle;
  if (object.is_memory()) {
    const Resource& memory = static_cast<const Resource&>(object);
    resource.bytes = memory.bytes;
  }
  resource.label = words_->ObjectName(object);
  finding_->resources.push_back(std::move(resource));
  return *this;
}

FindingBuilder& FindingBuilder::CreatedBy(const Object& object) {
  if (object.created == kUnknownSite) return *this;
  return Party("allocation",
               absl::StrCat(words_->KindNameOf(object), " ", HandleText(object.handle), " created",
                            object.creator ? absl::StrCat(" by ", object.creator->name) : ""),
               object.created);
}

void Call::CaptureSite() {
  if (shadow_.options().capture != nullptr)
    site_ = shadow_.options().capture(return_address_, frame_address_);
}

FindingBuilder Call::Add(RuleId rule) {
  if (findings_ == nullptr) findings_ = new std::vector<Finding>();
  // Builders point into the vector, so it must not reallocate. A full vector is reported first.
  if (findings_->empty()) findings_->reserve(16);
  if (findings_->size() == findings_->capacity()) EmitNow();
  if (findings_ == nullptr) {
    findings_ = new std::vector<Finding>();
    findings_->reserve(16);
  }
  Finding& finding = findings_->emplace_back();
  finding.rule = rule;
  finding.severity = InfoOf(rule).severity;
  finding.api = info_.api;
  finding.call = info_.name;
  finding.site = site();
  finding.thread = thread_;
  FindingBuilder builder(&finding, vocabulary_);
  if (label_ != kNoLabel) builder.Fact("label", vocabulary_.LabelName(label_));
  return builder;
}

bool Call::Has(RuleId rule) const {
  if (findings_ == nullptr) return false;
  for (const Finding& finding : *findings_) {
    if (finding.rule == rule) return true;
  }
  return false;
}

bool Call::HasErrorSlow() const {
  for (const Finding& finding : *findings_) {
    if (finding.severity == Severity::kError) return true;
  }
  return explained_;
}

FailureNotes& Call::Notes() {
  if (failure_notes_ == nullptr) failure_notes_ = std::make_unique<FailureNotes>();
  return *failure_notes_;
}

void Call::FailureFact(std::string fact) {
  if (fact.empty()) return;
  std::string& facts = Notes().facts;
  if (facts.empty()) {
    facts = std::move(fact);
  } else {
    absl::StrAppend(&facts, "; ", fact);
  }
}

void Call::FailureReason(std::string reason) {
  if (!reason.empty() && Notes().reason.empty()) Notes().reason = std::move(reason);
}

void Call::NoteUnknown(const char* argument, uintptr_t handle) {
  const std::string_view name = argument;
  Notes().unknown.emplace_back(name.substr(0, name.find('[')));
  FailureFact(handle == 0 ? absl::StrCat(argument, " is NULL")
                          : absl::StrCat(argument, " is ", HandleText(handle),
                                         ", which no call seen so far has made, or which was "
                                         "released long ago"));
}

void Call::NoteUnusable(KindMask kinds, const char* argument) {
  FailureNotes& notes = Notes();
  if (notes.unusable != 0) return;
  notes.unusable = kinds;
  notes.unusable_in_list = std::string_view(argument).find('[') != std::string_view::npos;
}

void Call::EmitNow() {
  if (findings_ == nullptr) return;
  const std::unique_ptr<std::vector<Finding>> findings(std::exchange(findings_, nullptr));
  for (Finding& finding : *findings) {
    if (finding.severity == Severity::kError) explained_ = true;
    shadow_.Report(std::move(finding));
  }
}

void Call::FinishSlow(int64_t code) {
  for (Finding& finding : *findings_) {
    finding.has_code = true;
    finding.code = code;
    finding.code_name = vocabulary_.CodeName(code);
  }
  EmitNow();
}

}  // namespace gpusan
