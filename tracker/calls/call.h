// One intercepted call: who made it, and what is found while it runs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tracker/calls/operation.h"
#include "tracker/calls/shadow_state.h"
#include "tracker/calls/vocabulary.h"
#include "tracker/model/finding.h"

namespace gpusan {

class Tracker;

// Fills one finding. Cheap to pass by value; refers to the finding inside its call.
class FindingBuilder {
 public:
  FindingBuilder(Finding* finding, const Vocabulary& words) : finding_(finding), words_(&words) {}

  FindingBuilder& What(std::string text) { return finding_->what = std::move(text), *this; }
  FindingBuilder& Why(std::string text) { return finding_->why = std::move(text), *this; }
  FindingBuilder& Fix(std::string text) { return finding_->fix = std::move(text), *this; }
  FindingBuilder& Severe(Severity severity) { return finding_->severity = severity, *this; }
  FindingBuilder& CallIs(std::string name) { return finding_->call = std::move(name), *this; }
  FindingBuilder& Refreshes(bool refreshes) { return finding_->refreshes = refreshes, *this; }
  FindingBuilder& At(SiteId site) { return finding_->site = site, *this; }
  FindingBuilder& Party(std::string role, std::string text, SiteId site) {
    if (site != kUnknownSite || !text.empty())
      finding_->parties.push_back({std::move(role), std::move(text), site});
    return *this;
  }
  FindingBuilder& About(const Object& object);
  // The creation of an object as a party, role "allocation".
  FindingBuilder& CreatedBy(const Object& object);
  FindingBuilder& Fact(std::string key, uint64_t value) {
    return finding_->facts.push_back({std::move(key), value}), *this;
  }
  FindingBuilder& Fact(std::string key, std::string value) {
    return finding_->facts.push_back({std::move(key), std::move(value)}), *this;
  }

 private:
  Finding* finding_;
  const Vocabulary* words_;
};

// Lives on the stack of a wrapper. Findings are kept until the return code is known (Finish),
// unless the real call may crash on what was found: then EmitNow writes them first. Not
// thread-safe; one thread.
class Call {
 public:
  Call(Tracker& tracker, const CallInfo& info, const Vocabulary& vocabulary,
       const void* return_address, const void* frame_address, SiteId site = kUnknownSite,
       LabelId label = kNoLabel);  // inline in tracker.h
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  [[gnu::always_inline]] ~Call() {
    if (findings_ != nullptr) [[unlikely]]
      EmitNow();
  }

  // For hooks; a check reads shadow().
  Tracker& tracker() const { return tracker_; }
  const ShadowState& shadow() const { return shadow_; }
  const CallInfo& info() const { return info_; }
  const Vocabulary& words() const { return vocabulary_; }
  const void* return_address() const { return return_address_; }
  const void* frame_address() const { return frame_address_; }

  // Captured on first use.
  SiteId site() {
    if (site_ == kUnknownSite) CaptureSite();
    return site_;
  }

  bool has_site() const { return site_ != kUnknownSite; }

  // The same, as somebody else captured it. kUnknownSite: not known to them.
  void SetSite(SiteId site) {
    if (site_ == kUnknownSite) site_ = site;
  }

  // Where the program says the command is, as of Vocabulary::CommandLabel; findings name it.
  void SetLabel(LabelId label) { label_ = label; }
  LabelId label() const { return label_; }

  // The call was made on that thread, not on this one.
  void SetThread(int32_t thread) { thread_ = thread; }

  // Starts a finding at this call.
  FindingBuilder Add(RuleId rule);
  bool has_findings() const { return findings_ != nullptr; }
  size_t finding_count() const { return findings_ != nullptr ? findings_->size() : 0; }
  bool Has(RuleId rule) const;
  // What was found and not reported yet; nullptr: nothing.
  const std::vector<Finding>* findings() const { return findings_; }

  // An error-severity finding was added to this call, reported or not.
  bool has_error() const { return findings_ != nullptr ? HasErrorSlow() : explained_; }

  // A finding so far would make the driver touch memory or handles that are not there.
  void MayCrash() { may_crash_ = true; }
  bool may_crash() const { return may_crash_; }
  // To be called right before the real call.
  void BeforeReal() {
    if (may_crash_) EmitNow();
  }
  // What to say beside the clauses if the call fails and nothing explains it: "memobj is NULL".
  void FailureFact(std::string fact);
  // A handle argument that is NULL (0) or unknown: not judged, but a failure fact.
  void NoteUnknown(const char* argument, uintptr_t handle);
  // All of them, joined by "; "; empty where there are none.
  std::string FailureFacts() const { return failure_facts_ != nullptr ? *failure_facts_ : ""; }
  // After the real call: adds the code to what was found and reports it.
  void Finish(int64_t code) {
    if (findings_ != nullptr) FinishSlow(code);
  }
  void EmitNow();
  // Forgets what was found and not reported yet.
  void Discard() {
    delete findings_;
    findings_ = nullptr;
  }
  // True when an error-severity finding about this very call exists or was emitted: it explains a
  // failure.
  bool explained() const { return explained_; }
  // It was reported by another.
  void SetExplained() { explained_ = true; }

 private:
  void CaptureSite();
  bool HasErrorSlow() const;
  void FinishSlow(int64_t code);

  Tracker& tracker_;
  ShadowState& shadow_;  // the base of tracker_
  const CallInfo& info_;
  const Vocabulary& vocabulary_;
  const void* return_address_;
  const void* frame_address_;
  SiteId site_;
  LabelId label_;
  int32_t thread_ = 0;
  bool may_crash_ = false;
  bool explained_ = false;
  std::vector<Finding>* findings_ = nullptr;  // owned; deleted when they are emitted
  std::unique_ptr<std::string> failure_facts_;
};

// "64 KiB", "12 B".
std::string BytesText(uint64_t bytes);

// "1 buffer", "3 device memories".
std::string CountText(uint64_t count, absl::string_view noun);
// "0x55d0c0de"
std::string HandleText(uint64_t handle);
// "cl_mem buffer 0x55d0c0de (64 KiB)"
std::string ObjectText(const Object& object, const Vocabulary& words);

}  // namespace gpusan
