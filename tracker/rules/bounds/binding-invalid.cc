// Check binding-invalid: a resource is bound to memory that is too small, misaligned or of a wrong
// type, or is bound twice; a descriptor set does not fit the pipeline or the buffer that it is used
// with.
#include "tracker/rules/descriptor_use.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/sync_state.h"

namespace gpusan::rules {
namespace {

struct BindingInvalid {
  static void OnSyncStateUse(const SyncStateUse& use, Call& call) {
    if (RuleOf(use.fault) != RuleId::kBindingInvalid) return;
    call.MayCrash();
    AddSyncStateFault(use, call);
  }

  static void OnDescriptorUse(const DescriptorUse& use, Call& call) {
    using Fault = DescriptorUse::Fault;
    const Vocabulary& words = call.words();
    const auto text = [&](const Object* object) {
      return object != nullptr ? ObjectText(*object, words) : std::string();
    };
    const std::string written = use.set != nullptr ? text(use.set) : "the pushed descriptors";
    std::string what, fix;
    const char* why =
        "each descriptor set that the shaders use must be bound with a compatible layout";
    switch (use.fault) {
      case Fault::kUsage:
      case Fault::kWrittenAfterRecording:
        return;
      case Fault::kUnbound:
        what = absl::StrCat(call.info().name, " runs ", text(use.pipeline),
                            ", whose shaders use descriptor set number ", use.number,
                            ", but no set is bound there");
        fix = "bind a descriptor set with vkCmdBindDescriptorSets first";
        break;
      case Fault::kIncompatible:
        what = absl::StrCat(call.info().name, " runs ", text(use.pipeline), " with ", text(use.set),
                            " as set number ", use.number,
                            ", whose layout differs from that of the pipeline");
        fix = "allocate the set with the layout that the pipeline layout names";
        break;
      case Fault::kNeverWritten:
        what = absl::StrCat(call.info().name, " uses binding ", use.binding, " of ", text(use.set),
                            ", which was never written");
        why = "descriptors that the shaders statically use must be valid";
        fix = "write the descriptor with vkUpdateDescriptorSets before the command";
        break;
      case Fault::kDynamicRange:
        what = absl::StrCat("the dynamic offset of binding ", use.binding, " of ", text(use.set),
                            " moves its range up to byte ", use.end, " of ", text(use.resource));
        why = "offset, dynamic offset and range of a descriptor must stay inside the buffer";
        fix = "pass an offset inside the buffer, or give the descriptor the size of one element";
        break;
      case Fault::kDynamicCount:
        what = absl::StrCat(call.info().name, " is given ", use.end,
                            " dynamic offsets, but the sets have ", use.number,
                            " dynamic descriptors");
        why = "each dynamic descriptor of the bound sets takes one offset";
        fix = "pass one offset for each dynamic descriptor";
        break;
      case Fault::kNoBinding:
        what = absl::StrCat(call.info().name, " writes binding ", use.binding, " of ", written,
                            ", whose layout lacks that binding");
        why = "a write must name a binding of the layout that has descriptors";
        fix = "set dstBinding to a binding of the layout";
        break;
      case Fault::kOtherType:
        what = absl::StrCat(call.info().name, " writes binding ", use.binding, " of ", written,
                            " with another descriptor type than the layout has");
        why = "a write must name the descriptor type of its binding in the layout";
        fix = "set descriptorType to the type in the layout";
        break;
      case Fault::kPastTheEnd:
        what = absl::StrCat(call.info().name, " writes more descriptors from binding ", use.binding,
                            " of ", written, " on than the set has");
        why = "a write must not go past the last descriptor of the set";
        fix = "write fewer descriptors, or start at a lower array element";
        break;
      case Fault::kNoSampler:
        what = absl::StrCat(call.info().name, " writes binding ", use.binding, " of ", written,
                            " without a sampler");
        why = "a descriptor with a sampler needs one, unless its layout has immutable samplers";
        fix = "set VkDescriptorImageInfo::sampler";
        break;
      case Fault::kNotPushed:
        what = absl::StrCat(call.info().name, " pushes descriptors to set number ", use.number,
                            ", whose layout is that of bound descriptor sets");
        why = "descriptors can only be pushed to the set that was created for push descriptors";
        fix = "create the set layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT";
        break;
      case Fault::kNoSet:
        what = absl::StrCat(call.info().name, " pushes descriptors to set number ", use.number,
                            ", but the pipeline layout has ", use.end, " sets");
        why = "descriptors can only be pushed to a set of the pipeline layout";
        fix = "pass the number of the set that was created for push descriptors";
        break;
    }
    FindingBuilder finding = call.Add(RuleId::kBindingInvalid);
    finding.What(std::move(what))
        .Why(absl::StrCat(why, " (Vulkan 1.3 §14.2, ", use.vuid, ")"))
        .Fix(std::move(fix));
    for (const Object* object : {use.set, use.pipeline, static_cast<const Object*>(use.resource)}) {
      if (object != nullptr) finding.About(*object);
    }
    if (use.set != nullptr) finding.CreatedBy(*use.set);
    finding.Fact("vuid", use.vuid);
  }

  static void OnImportRange(const MemoryUse& use, Call& call) {
    const Vocabulary& words = call.words();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kBindingInvalid);
    finding
        .What(absl::StrCat(call.info().name, " names bytes ", use.offset, " to ",
                           use.offset + use.bytes - 1, " of memory of another API, which has ",
                           use.limit, " B"))
        .Why(absl::StrCat("an import must lie inside the exported memory (",
                          words.Cite(Clause::kImportedMemory), ")"))
        .Fix(absl::StrCat("pass the size with which the memory was allocated, and an offset and "
                          "size inside it (",
                          use.argument, ")"))
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes)
        .Fact("limit", use.limit);
    if (use.memory != nullptr) finding.CreatedBy(*use.memory).About(*use.memory);
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
        fix = "allocate enough memory for the requirements of every resource bound to it";
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
        .Why(absl::StrCat("a resource is bound once, to memory that meets its memory requirements "
                          "(",
                          words.Cite(Clause::kMemoryBinding), ")"))
        .Fix(fix)
        .CreatedBy(resource)
        .About(resource)
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes)
        .Fact("limit", use.limit);
    if (use.memory != nullptr) finding.CreatedBy(*use.memory).About(*use.memory);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
