// Layouts of descriptor sets: their bindings, and the identity of their definition.
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hooks/vulkan/call/definition_hash.h"
#include "hooks/vulkan/memory/descriptor_checks.h"
#include "hooks/vulkan/memory/descriptors.h"
#include "hooks/vulkan/memory/samplers.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

bool IsDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

const LayoutBinding* SetLayout::FindSparse(uint32_t binding) const {
  const auto found = std::lower_bound(
      bindings.begin(), bindings.end(), binding,
      [](const LayoutBinding& known, uint32_t wanted) { return known.binding < wanted; });
  return found != bindings.end() && found->binding == binding ? &*found : nullptr;
}

bool SetLayout::MayHaveType(const LayoutBinding& binding, VkDescriptorType type) const {
  if (binding.type != VK_DESCRIPTOR_TYPE_MUTABLE_VALVE) return binding.type == type;
  for (const MutableTypes& known : mutable_types) {
    if (known.binding == binding.binding)
      return std::find(known.types.begin(), known.types.end(), type) != known.types.end();
  }
  return true;
}

namespace {

// VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, which the headers may lack.
constexpr VkDescriptorSetLayoutCreateFlags kDescriptorBufferLayout = 0x10;

using BindingFlagsInfo = VkDescriptorSetLayoutBindingFlagsCreateInfo;

const BindingFlagsInfo* FindBindingFlags(const VkDescriptorSetLayoutCreateInfo& info) {
  return FindInChain<BindingFlagsInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
}

// The flags of the binding with this index. `info` may be nullptr, and so may its array.
VkDescriptorBindingFlags FlagsOf(const BindingFlagsInfo* info, uint32_t index) {
  if (info == nullptr || info->pBindingFlags == nullptr || index >= info->bindingCount) return 0;
  return info->pBindingFlags[index];
}

// Hash of the definitions of the immutable samplers. 0: there are none. Returns false if the
// definition of one is unknown.
bool HashSamplers(VkCall& call, const VkDescriptorSetLayoutBinding& given, uint64_t* hash) {
  *hash = 0;
  if (given.pImmutableSamplers == nullptr || !HasSampler(given.descriptorType)) return true;
  DefinitionHash all;
  for (uint32_t i = 0; i < given.descriptorCount; ++i) {
    const uint64_t sampler = IdentityOfSampler(call, given.pImmutableSamplers[i]);
    if (sampler == 0) return false;
    all.Add(sampler);
  }
  *hash = all.value();
  return true;
}

// Sets SetLayout::immutable_samplers. Precondition: the bindings are complete.
void KeepSamplers(VkCall& call, const VkDescriptorSetLayoutCreateInfo& info, SetLayout* layout) {
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& given = info.pBindings[i];
    const LayoutBinding* binding = layout->Find(given.binding);
    if (binding == nullptr || !binding->immutable) continue;
    layout->immutable_samplers.resize(layout->descriptors);
    for (uint32_t j = 0; j < binding->count; ++j) {
      auto* sampler = static_cast<PlainObject*>(call.tracker().objects().Find(
          Api::kVulkan, ObjectKind::kSampler, HandleOf(given.pImmutableSamplers[j])));
      if (sampler != nullptr && sampler->live())
        layout->immutable_samplers[binding->first + j] = WeakRef<PlainObject>(sampler);
    }
  }
}

// The types that the binding with the index may have. `info` may be nullptr, and so may its arrays.
absl::Span<const VkDescriptorType> MutableTypesOf(
    const VkMutableDescriptorTypeCreateInfoVALVE* info, uint32_t index) {
  if (info == nullptr || info->pMutableDescriptorTypeLists == nullptr ||
      index >= info->mutableDescriptorTypeListCount)
    return {};
  const VkMutableDescriptorTypeListVALVE& list = info->pMutableDescriptorTypeLists[index];
  if (list.pDescriptorTypes == nullptr) return {};
  return {list.pDescriptorTypes, list.descriptorTypeCount};
}

const VkMutableDescriptorTypeCreateInfoVALVE* FindMutableTypes(
    const VkDescriptorSetLayoutCreateInfo& info) {
  return FindInChain<VkMutableDescriptorTypeCreateInfoVALVE>(
      info.pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_VALVE);
}

// Hash of the types that a mutable descriptor may have. The hash does not depend on their order.
uint64_t HashMutableTypes(absl::Span<const VkDescriptorType> types) {
  uint64_t all = 0;
  for (VkDescriptorType type : types) all += DefinitionHash{static_cast<uint64_t>(type)}.value();
  return all;
}

// SetLayout::identity.
uint64_t IdentityOf(VkCall& call, const VkDescriptorSetLayoutCreateInfo& info,
                    const BindingFlagsInfo* flags) {
  // Structures that change the definition in ways that gpusan does not know.
  for (const auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    if (at->sType != VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO &&
        at->sType != VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_VALVE)
      return 0;
  }
  const auto* types = FindMutableTypes(info);
  uint64_t all = DefinitionHash{info.flags}.value();
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& given = info.pBindings[i];
    if (given.descriptorCount == 0) continue;
    uint64_t samplers;
    if (!HashSamplers(call, given, &samplers)) return 0;
    const uint64_t mutable_types = given.descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_VALVE
                                       ? HashMutableTypes(MutableTypesOf(types, i))
                                       : 0;
    // The hash does not depend on the order of the bindings.
    all += DefinitionHash{given.binding,
                          static_cast<uint64_t>(given.descriptorType),
                          given.descriptorCount,
                          given.stageFlags,
                          samplers,
                          FlagsOf(flags, i),
                          mutable_types}
               .value();
  }
  return all | 1;
}

void ReportTypeList(VkCall& call, std::string given, const char* vuid) {
  ReportSync(call, *call.device().object, rules::SyncStateUse::Fault::kMutableTypes,
             std::move(given), vuid);
}

// Adds a finding for a list that does not fit the binding it is for.
void CheckTypeList(VkCall& call, const VkDescriptorSetLayoutBinding& binding,
                   const VkMutableDescriptorTypeListVALVE& list) {
  const std::string whose = absl::StrCat(" for binding ", binding.binding);
  if (binding.descriptorType != VK_DESCRIPTOR_TYPE_MUTABLE_VALVE) {
    if (list.descriptorTypeCount == 0) return;
    return ReportTypeList(
        call, absl::StrCat("a list of types", whose, ", whose descriptors are not mutable"),
        "descriptorTypeCount-04599");
  }
  if (list.descriptorTypeCount == 0)
    return ReportTypeList(call, absl::StrCat("an empty list of types", whose),
                          "descriptorTypeCount-04597");
  if (list.pDescriptorTypes == nullptr) return;
  struct Excluded {
    VkDescriptorType type;
    const char *name, *vuid;
  };
  static constexpr Excluded kExcluded[] = {
      {VK_DESCRIPTOR_TYPE_MUTABLE_VALVE, "VK_DESCRIPTOR_TYPE_MUTABLE_EXT", "04600"},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC",
       "04601"},
      {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC",
       "04602"},
      {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, "VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK",
       "04603"}};
  const absl::Span<const VkDescriptorType> types(list.pDescriptorTypes, list.descriptorTypeCount);
  for (const Excluded& excluded : kExcluded) {
    if (std::find(types.begin(), types.end(), excluded.type) != types.end())
      return ReportTypeList(call, absl::StrCat(excluded.name, " in the list of types", whose),
                            absl::StrCat("pDescriptorTypes-", excluded.vuid).c_str());
  }
  for (size_t i = 1; i < types.size(); ++i) {
    if (std::find(types.begin(), types.begin() + i, types[i]) != types.begin() + i)
      return ReportTypeList(call, absl::StrCat("one type twice in the list of types", whose),
                            "pDescriptorTypes-04598");
  }
}

void CheckTypeLists(VkCall& call, const VkDescriptorSetLayoutCreateInfo& info) {
  const VkMutableDescriptorTypeCreateInfoVALVE* lists = FindMutableTypes(info);
  if (lists == nullptr || lists->pMutableDescriptorTypeLists == nullptr) [[likely]]
    return;
  const uint32_t count = std::min(lists->mutableDescriptorTypeListCount, info.bindingCount);
  for (uint32_t i = 0; i < count; ++i)
    CheckTypeList(call, info.pBindings[i], lists->pMutableDescriptorTypeLists[i]);
}

}  // namespace

void CreateDescriptorSetLayout::Before(VkCall& call, VkDevice,
                                       const VkDescriptorSetLayoutCreateInfo* info,
                                       const VkAllocationCallbacks*, VkDescriptorSetLayout*) {
  const BindingFlagsInfo* flags = FindBindingFlags(*info);
  if (flags != nullptr && flags->bindingCount != 0 && flags->pBindingFlags == nullptr) [[unlikely]]
    rules::OnNullArgument({"VkDescriptorSetLayoutBindingFlagsCreateInfo", "pBindingFlags"}, call);
  CheckTypeLists(call, *info);
}

void CreateDescriptorSetLayout::After(VkCall& call, VkResult code, VkDevice,
                                      const VkDescriptorSetLayoutCreateInfo* info,
                                      const VkAllocationCallbacks*, VkDescriptorSetLayout* handle) {
  if (code != VK_SUCCESS) return;
  const BindingFlagsInfo* flags = FindBindingFlags(*info);
  auto layout = std::make_shared<SetLayout>();
  for (uint32_t i = 0; i < info->bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& given = info->pBindings[i];
    LayoutBinding binding;
    binding.binding = given.binding;
    binding.type = given.descriptorType;
    // The count of an inline uniform block is in bytes.
    binding.count =
        given.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : given.descriptorCount;
    constexpr VkDescriptorBindingFlags kLate =
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
        VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |
        VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    // The type of a mutable descriptor is known from its writes only.
    binding.update_after_bind = given.descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_VALVE ||
                                (FlagsOf(flags, i) & kLate) != 0;
    binding.immutable = given.pImmutableSamplers != nullptr && HasSampler(given.descriptorType);
    binding.stages = given.stageFlags;
    if (given.descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_VALVE) {
      const auto types = MutableTypesOf(FindMutableTypes(*info), i);
      if (!types.empty())
        layout->mutable_types.push_back({given.binding, {types.begin(), types.end()}});
    }
    layout->bindings.push_back(binding);
  }
  layout->identity = IdentityOf(call, *info, flags);
  layout->after_bind =
      (info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT) != 0;
  layout->limited = (info->flags & (VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT |
                                    kDescriptorBufferLayout)) == 0;
  layout->pushed = (info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR) != 0;
  std::sort(layout->bindings.begin(), layout->bindings.end(),
            [](const LayoutBinding& a, const LayoutBinding& b) { return a.binding < b.binding; });
  for (LayoutBinding& binding : layout->bindings) {
    binding.count = std::min(binding.count, kMostDescriptors - layout->descriptors);
    binding.first = layout->descriptors;
    layout->descriptors += binding.count;
    layout->dynamic |= IsDynamic(binding.type);
    layout->early |=
        binding.update_after_bind || binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  }
  KeepSamplers(call, *info, layout.get());
  KeepShared<SetLayoutState>(call, ObjectKind::kDescriptorSetLayout, HandleOf(*handle),
                             [&](SetLayoutState* state) { state->layout = std::move(layout); });
}

}  // namespace gpusan::vulkan
