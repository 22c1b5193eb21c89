// Check binding-invalid: a resource is bound to memory that is too small, misaligned or of a wrong
// type, or is bound twice; a descriptor set does not fit the pipeline or the buffer that it is used
// with.
#include <algorithm>
#include <iterator>

#include "absl/strings/substitute.h"
#include "tracker/rules/events/descriptor_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

constexpr char kCompatibleLayout[] =
    "each descriptor set that the shaders use must be bound with a compatible layout";

// The text of DescriptorUse::Fault::kIncompatible for a pipeline layout. Arguments as below.
constexpr char kBindsIncompatible[] =
    "$0 binds $2 as set number $4 of $1, which has another set layout there";

// The texts of a fault of a descriptor. In `what`, $0 is the call, $1 the pipeline, $2 the set or
// the pushed descriptors, $3 the resource, $4 DescriptorUse::number, $5 binding, $6 end, $7 since,
// $8 the element of the binding.
struct DescriptorText {
  DescriptorUse::Fault fault;
  const char* what;
  const char* why;
  const char* fix;
};
constexpr DescriptorText kDescriptorTexts[] = {
    {DescriptorUse::Fault::kUnbound,
     "$0 runs $1, whose shaders use descriptor set number $4, but no set is bound there$7",
     kCompatibleLayout, "bind a descriptor set with vkCmdBindDescriptorSets first"},
    {DescriptorUse::Fault::kIncompatible,
     "$0 runs $1 with $2 as set number $4, whose layout differs from that of the pipeline",
     kCompatibleLayout, "allocate the set with the layout that the pipeline layout names"},
    {DescriptorUse::Fault::kNeverWritten, "$0 uses $8binding $5 of $2, which was never written",
     "descriptors that the shaders statically use must be valid",
     "write the descriptor with vkUpdateDescriptorSets before the command"},
    {DescriptorUse::Fault::kDynamicRange,
     "the dynamic offset of binding $5 of $2 moves its range up to byte $6 of $3",
     "offset, dynamic offset and range of a descriptor must stay inside the buffer",
     "pass an offset inside the buffer, or give the descriptor the size of one element"},
    {DescriptorUse::Fault::kDynamicCount,
     "$0 is given $6 dynamic offsets, but the sets have $4 dynamic descriptors",
     "each dynamic descriptor of the bound sets takes one offset",
     "pass one offset for each dynamic descriptor"},
    {DescriptorUse::Fault::kNoBinding,
     "$0 writes binding $5 of $2, whose layout lacks that binding",
     "a write must name a binding of the layout that has descriptors",
     "set dstBinding to a binding of the layout"},
    {DescriptorUse::Fault::kOtherType,
     "$0 writes binding $5 of $2 with another descriptor type than the layout has",
     "a write must name the descriptor type of its binding in the layout",
     "set descriptorType to the type in the layout"},
    {DescriptorUse::Fault::kPastTheEnd,
     "$0 writes more descriptors from binding $5 of $2 on than the set has",
     "a write must not go past the last descriptor of the set",
     "write fewer descriptors, or start at a lower array element"},
    {DescriptorUse::Fault::kNoSampler, "$0 writes binding $5 of $2 without a sampler",
     "a descriptor with a sampler needs one, unless its layout has immutable samplers",
     "set VkDescriptorImageInfo::sampler"},
    {DescriptorUse::Fault::kNotPushed,
     "$0 pushes descriptors to set number $4, whose layout is that of bound descriptor sets",
     "descriptors can only be pushed to the set that was created for push descriptors",
     "create the set layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT"},
    {DescriptorUse::Fault::kOtherDim,
     "$0 reads $3 through binding $5 of $2, whose view is of type $7; the shader declares an image "
     "of another dimension there",
     "the type of an image view must match the dimension of the image that the shader reads",
     "write a descriptor whose view has the dimension that the shader declares"},
    {DescriptorUse::Fault::kOtherNumbers,
     "$0 reads $3 through binding $5 of $2, whose view has the format $7; the shader declares "
     "numbers of another kind there",
     "the texels of an integer format are read as integers, those of all others as "
     "floating-point numbers",
     "declare the image with the numbers of its format, or write a view of a format that fits"},
    {DescriptorUse::Fault::kUnnormalized,
     "$0 samples $3 through binding $5 of $2 $7, but its sampler has unnormalized coordinates",
     "a sampler with unnormalized coordinates samples views of type 1D and 2D, with an explicit "
     "level of detail alone",
     "use a sampler with normalized coordinates, or texelFetch"},
    {DescriptorUse::Fault::kNoSet,
     "$0 pushes descriptors to set number $4, but the pipeline layout has $6 sets",
     "descriptors can only be pushed to a set of the pipeline layout",
     "pass the number of the set that was created for push descriptors"},
};
// The first fault, kUsage, belongs to usage-missing, the last one to command-buffer-in-use.
static_assert(std::size(kDescriptorTexts) ==
              static_cast<size_t>(DescriptorUse::Fault::kUnnormalized));

struct BindingInvalid {
  static void OnDescriptorUse(const DescriptorUse& use, Call& call) {
    const auto* found = std::find_if(std::begin(kDescriptorTexts), std::end(kDescriptorTexts),
                                     [&](const auto& one) { return one.fault == use.fault; });
    if (found == std::end(kDescriptorTexts)) return;  // of another check
    const bool binds = use.pipeline != nullptr && use.pipeline->kind == ObjectKind::kPipelineLayout;
    const Vocabulary& words = call.words();
    const auto text = [&](const Object* object) {
      return object != nullptr ? ObjectText(*object, words) : std::string();
    };
    const std::string set = use.set != nullptr ? text(use.set) : "the pushed descriptors";
    const std::string resource = use.resource != nullptr ? text(use.resource) : "an image";
    FindingBuilder finding = call.Add(RuleId::kBindingInvalid);
    finding
        .What(absl::Substitute(binds ? kBindsIncompatible : found->what, call.info().name,
                               text(use.pipeline), set, resource, use.number, use.binding, use.end,
                               use.since,
                               use.element ? absl::StrCat("element ", *use.element, " of ") : ""))
        .Why(absl::StrCat(found->why, " (Vulkan 1.3 §14.2, ", use.vuid, ")"))
        .Fix(found->fix);
    if (use.earlier != nullptr) {
      finding.Party("earlier-command", use.earlier->name, use.earlier_site);
    }
    for (const Object* object : {use.set, use.pipeline, static_cast<const Object*>(use.resource)}) {
      if (object != nullptr) finding.About(*object);
    }
    if (use.set != nullptr) finding.CreatedBy(*use.set);
    finding.Fact("vuid", use.vuid);
  }

  static void OnImportRange(const MemoryUse& use, Call& call) {
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kBindingInvalid);
    finding
        .What(absl::StrCat(call.info().name, " names bytes ", use.offset, " to ",
                           use.offset + use.bytes - 1, " of memory of another API, which has ",
                           use.limit, " B"))
        .Why("an import must lie inside the exported memory", Clause::kImportedMemory)
        .Fix(absl::StrCat("pass the size with which the memory was allocated, and an offset and "
                          "size inside it (",
                          use.argument, ")"))
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes)
        .Fact("limit", use.limit);
    if (use.memory != nullptr) finding.WithCreation(*use.memory);
  }

  static void OnMemoryUse(const MemoryUse& use, Call& call) {
    if (use.fault == MemoryUse::Fault::kImportRange) return OnImportRange(use, call);
    std::string what, fix;
    switch (use.fault) {
      case MemoryUse::Fault::kBoundTwice:
        what = "is already bound to memory";
        fix = "bind each object once; create a new object for the other memory";
        break;
      case MemoryUse::Fault::kTooSmall:
        what = absl::StrCat("needs ", use.bytes, " B from offset ", use.offset,
                            ", but the memory has ", use.limit, " B");
        fix = absl::StrCat("allocate at least ", use.offset + use.bytes,
                           " B, or bind at a lower offset");
        break;
      case MemoryUse::Fault::kMisaligned:
        what = absl::StrCat("is bound at offset ", use.offset, ", which is not a multiple of ",
                            use.limit, " B");
        fix = absl::StrCat("round the offset up to a multiple of ", use.limit, " B");
        break;
      case MemoryUse::Fault::kWrongType:
        what = absl::StrCat("is bound to memory of type ", use.limit,
                            ", which its memory requirements do not allow");
        fix = "choose a memory type whose bit is set in memoryTypeBits";
        break;
      default:
        return;
    }
    const Vocabulary& words = call.words();
    const Resource& resource = *use.resource;
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kBindingInvalid);
    finding.What(absl::StrCat(ObjectText(resource, words), " ", what))
        .Why("a resource is bound once, to memory that meets its memory requirements",
             Clause::kMemoryBinding)
        .Fix(fix)
        .WithCreation(resource)
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes)
        .Fact("limit", use.limit);
    if (use.memory != nullptr) finding.WithCreation(*use.memory);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
