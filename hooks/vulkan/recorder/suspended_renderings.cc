// Dynamic renderings that continue in a later one.
#include "hooks/vulkan/recorder/suspended_renderings.h"

#include <bit>

#include "hooks/vulkan/call/definition_hash.h"

namespace gpusan::vulkan {
namespace {

void AddClear(const VkRenderingAttachmentInfo& attachment, VkImageAspectFlagBits aspect,
              DefinitionHash* hash) {
  const VkClearValue& value = attachment.clearValue;
  if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
    hash->Add(std::bit_cast<uint32_t>(value.depthStencil.depth));
  } else if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) {
    hash->Add(value.depthStencil.stencil);
  } else {
    for (const uint32_t component : value.color.uint32) hash->Add(component);
  }
}

// Members that the other members switch off do not count.
void AddAttachment(const VkRenderingAttachmentInfo* attachment, VkImageAspectFlagBits aspect,
                   uint32_t slot, DefinitionHash* hash) {
  if (attachment == nullptr || attachment->imageView == VK_NULL_HANDLE) return;
  hash->Add(uint64_t{aspect} << 32 | slot);
  hash->Add(reinterpret_cast<uintptr_t>(attachment->imageView));
  hash->Add(static_cast<uint64_t>(attachment->imageLayout));
  hash->Add(static_cast<uint64_t>(attachment->resolveMode));
  if (attachment->resolveMode != VK_RESOLVE_MODE_NONE) {
    hash->Add(reinterpret_cast<uintptr_t>(attachment->resolveImageView));
    hash->Add(static_cast<uint64_t>(attachment->resolveImageLayout));
  }
  hash->Add(static_cast<uint64_t>(attachment->loadOp));
  hash->Add(static_cast<uint64_t>(attachment->storeOp));
  if (attachment->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR) AddClear(*attachment, aspect, hash);
}

}  // namespace

uint64_t ContentsOf(const VkRenderingInfo& info) {
  DefinitionHash hash;
  hash.Add(uint64_t{static_cast<uint32_t>(info.renderArea.offset.x)} << 32 |
           static_cast<uint32_t>(info.renderArea.offset.y));
  hash.Add(uint64_t{info.renderArea.extent.width} << 32 | info.renderArea.extent.height);
  hash.Add(info.viewMask);
  if (info.viewMask == 0) hash.Add(info.layerCount);
  for (uint32_t i = 0; info.pColorAttachments != nullptr && i < info.colorAttachmentCount; ++i)
    AddAttachment(&info.pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT, i, &hash);
  AddAttachment(info.pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &hash);
  AddAttachment(info.pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &hash);
  return hash.value();
}

void SuspendedRenderings::Begin(bool resumes, bool suspends, const Instance& instance) {
  if (!any_) {
    any_ = true;
    first_resumes_ = resumes;
    first_ = instance;
  } else if (resumes != last_suspends_ && fault_ == Fault::kNone) {
    fault_ = resumes ? Fault::kResumesNothing : Fault::kInterrupted;
    faulty_ = instance;
  } else if (resumes && fault_ == Fault::kNone && instance.contents != last_.contents &&
             instance.contents != 0 && last_.contents != 0) {
    fault_ = Fault::kResumesOther;
    faulty_ = instance;
  }
  last_suspends_ = suspends;
  suspends_ |= suspends;
  last_ = instance;
}

void SuspendedRenderings::Append(const SuspendedRenderings& other) {
  if (!other.any_) return;
  Begin(other.first_resumes_, other.last_suspends_, other.first_);
  last_ = other.last_;
  suspends_ |= other.suspends_;
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
