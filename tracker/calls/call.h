// One intercepted call: its caller and its findings.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tracker/base/text_util.h"
#include "tracker/calls/operation.h"
#include "tracker/calls/shadow_state.h"
#include "tracker/calls/vocabulary.h"
#include "tracker/model/finding.h"

namespace gpusan {

class Tracker;

// Fills one finding. Cheap to pass by value. Refers to the finding inside its Call, so it must not
// outlive the finding.
class FindingBuilder {
 public:
  FindingBuilder(Finding* finding, const Vocabulary& words) : finding_(finding), words_(&words) {}

  FindingBuilder& What(std::string text) { return finding_->what = std::move(text), *this; }
  FindingBuilder& Why(std::string text) { return finding_->why = std::move(text), *this; }
  // The same, with the text of the clause in parentheses behind it.
  FindingBuilder& Why(std::string_view text, Clause clause);
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
  // Adds the creation of `object` as a party with the role "allocation".
  FindingBuilder& CreatedBy(const Object& object);
  FindingBuilder& WithCreation(const Object& object) { return CreatedBy(object).About(object); }
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

// Notes about the arguments of a call, for the finding if the call fails.
struct FailureNotes {
  std::string facts;   // joined by "; "
  std::string reason;  // the only reason; empty: unknown
  // The parameters whose handle is NULL or unknown, without the index of an element.
  std::vector<std::string> unknown;
  // The kinds of object of the first argument that names no usable object, and whether it is an
  // element of a list. 0: every checked argument is usable.
  KindMask unusable = 0;
  bool unusable_in_list = false;
};

// One intercepted call, on the stack of its wrapper. Holds its findings until the return code is
// known (Finish). If a finding says that the real call may crash, EmitNow reports the findings
// before it. Not thread-safe: one thread uses a Call.
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

  // For hooks only. Checks use shadow().
  Tracker& tracker() const { return tracker_; }
  const ShadowState& shadow() const { return shadow_; }
  const CallInfo& info() const { return info_; }
  const Vocabulary& words() const { return vocabulary_; }
  const void* return_address() const { return return_address_; }
  const void* frame_address() const { return frame_address_; }

  // Returns the call site. Captures the stack on first use.
  SiteId site() {
    if (site_ == kUnknownSite) CaptureSite();
    return site_;
  }

  bool has_site() const { return site_ != kUnknownSite; }

  // Sets a call site that was captured elsewhere, if none is set. kUnknownSite has no effect.
  void SetSite(SiteId site) {
    if (site_ == kUnknownSite) site_ = site;
  }

  // Sets the program's debug label of the command (Vocabulary::CommandLabel). Findings name it.
  void SetLabel(LabelId label) { label_ = label; }
  LabelId label() const { return label_; }

  // Sets the thread that made the call, if it is not the current one.
  void SetThread(int32_t thread) { thread_ = thread; }

  // Adds a finding at this call and returns its builder.
  FindingBuilder Add(RuleId rule);
  bool has_findings() const { return findings_ != nullptr; }
  size_t finding_count() const { return findings_ != nullptr ? findings_->size() : 0; }
  bool Has(RuleId rule) const;
  // Returns the findings that were not reported yet; nullptr if there are none.
  const std::vector<Finding>* findings() const { return findings_; }

  // True if a finding with error severity was added to this call, reported or not.
  bool has_error() const { return findings_ != nullptr ? HasErrorSlow() : explained_; }

  // States that the driver may access invalid memory or handles because of a finding so far.
  // BeforeReal() reports the findings then.
  void MayCrash() { may_crash_ = true; }
  bool may_crash() const { return may_crash_; }
  // States that an argument names no object of `kinds`, and that a finding says so. `argument` is
  // the parameter's name, which may be that of an element: "event_wait_list[1]". The first one
  // counts.
  void NoteUnusable(KindMask kinds, const char* argument);
  // Call it immediately before the real call.
  void BeforeReal() {
    if (may_crash_) EmitNow();
  }
  // Adds a fact such as "memobj is NULL". If the call fails and no finding explains the failure,
  // the facts are reported beside the clauses.
  void FailureFact(std::string fact);
  // Adds a failure fact about a handle argument that is NULL (0) or unknown. Such an argument is
  // not a finding.
  void NoteUnknown(const char* argument, uintptr_t handle);
  // States the one reason why the call fails, if it fails: then the finding cites no other clause.
  // The first one counts.
  void FailureReason(std::string reason);
  // Returns the notes about the arguments; nullptr if there are none.
  const FailureNotes* failure_notes() const { return failure_notes_.get(); }
  // Returns all failure facts, joined by "; ".
  std::string FailureFacts() const {
    return failure_notes_ != nullptr ? failure_notes_->facts : "";
  }
  // Adds the return code to the findings and reports them. Call it after the real call.
  void Finish(int64_t code) {
    if (findings_ != nullptr) FinishSlow(code);
  }
  void EmitNow();
  // Drops the findings that were not reported yet.
  void Discard() {
    delete findings_;
    findings_ = nullptr;
  }
  // True if a finding with error severity about this call exists or was reported. It explains a
  // failure of the call.
  bool explained() const { return explained_; }
  // States that another Call object reported such a finding.
  void SetExplained() { explained_ = true; }

 private:
  void CaptureSite();
  bool HasErrorSlow() const;
  void FinishSlow(int64_t code);

  Tracker& tracker_;
  ShadowState& shadow_;  // of tracker_
  const CallInfo& info_;
  const Vocabulary& vocabulary_;
  const void* return_address_;
  const void* frame_address_;
  SiteId site_;
  LabelId label_;
  int32_t thread_ = 0;
  bool may_crash_ = false;
  bool explained_ = false;
  std::vector<Finding>* findings_ = nullptr;  // owned; deleted when the findings are reported
  FailureNotes& Notes();

  std::unique_ptr<FailureNotes> failure_notes_;
};

// "0x55d0c0de"
inline std::string HandleText(uint64_t handle) { return Hex(handle); }
// "cl_mem buffer 0x55d0c0de (64 KiB)"
std::string ObjectText(const Object& object, const Vocabulary& words);

}  // namespace gpusan
