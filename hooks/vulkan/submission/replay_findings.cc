// Replay: findings about conflicts, layouts and owners.
#include "hooks/vulkan/submission/replayer.h"
#include "tracker/scopes/shader_bytes.h"

namespace gpusan::vulkan {

void Replayer::FindRaces(ScopedState& state, const ScopedAccess& access) {
  state.history.VisitConflicts(access, place_, [&](const ScopedConflict& conflict) {
    if (conflict.other_queue) found_.push_back({*conflict.earlier, access, conflict});
  });
}

bool Replayer::HoldsNothing(const Resource& resource) const {
  if (resource.image != nullptr || ScopedOf(resource).aliased.load(std::memory_order_relaxed) ||
      tracker_.shadow().MayHoldUnseenWrites(resource))
    return false;
  std::lock_guard lock(resource.root->lock);
  return resource.root->init.none();
}

void Replayer::FlushAll(Resource& resource) {
  if (!mismatches_.empty()) {
    for (Mismatch& mismatch : mismatches_) {
      Call made(tracker_, *mismatch.call, call_.words(), nullptr, nullptr, mismatch.site, label_);
      mismatch.use.vuid = mismatch.vuid.c_str();
      rules::OnLayoutUse(mismatch.use, made);
    }
    mismatches_.clear();
  }
  if (!owners_.empty()) {
    for (const rules::OwnershipUse& use : owners_) {
      if (use.misuse == Ownership::Misuse::kNotOwner && HoldsNothing(*use.resource)) continue;
      rules::OnOwnershipUse(use, call_);
    }
    owners_.clear();
  }
  for (FoundConflict& found : found_) {
    found.conflict.earlier = &found.earlier;
    found.conflict.later = &found.later;
    if (found.conflict.other_queue) {
      Race(resource, found);
    } else {
      found.conflict.waits = queue_.order.WaitsFor(
          found.earlier.epoch,
          found.earlier.epoch.timeline() == queue_.timeline() ? found.earlier.position : 0);
      rules::ScopeViolation violation;
      violation.resource = &resource;
      violation.conflict = &found.conflict;
      violation.submit_label = command_.label;
      violation.alias = found.alias;
      violation.nearest =
          queue_.order.Nearest(found.earlier.position,
                               found.earlier.stage | found.conflict.reach.chain, found.later.stage);
      rules::OnScopeViolation(violation, call_);
    }
  }
  found_.clear();
}

void Replayer::Race(Resource& resource, const FoundConflict& found, AccessRole earlier_role) {
  if (IsCompanion(found.earlier) != IsCompanion(found.later)) return;
  auto plain = [](const ScopedAccess& scoped) {
    Access access;
    access.region = scoped.extent.is_image ? Region::Linear(0, 1) : scoped.extent.region;
    access.epoch = scoped.epoch;
    access.call = scoped.call;
    access.site = scoped.site;
    access.write = scoped.write;
    access.read = !scoped.write;
    if (scoped.shader)
      access.sureness = scoped.sure_part ? Sureness::kDerived : Sureness::kPossible;
    return access;
  };
  Access earlier = plain(found.earlier);
  earlier.role = earlier_role;
  const Access later = plain(found.later);
  gpusan::Conflict conflict;
  conflict.resource = &resource;
  conflict.earlier = &earlier;
  conflict.later = &later;
  conflict.earlier_label = found.earlier.label;
  conflict.later_label = found.later.label;
  rules::OnConflict(conflict, call_);
}

}  // namespace gpusan::vulkan
