// Check mapping-invalid: an unmap without its map, or device work on a mapped region.
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"

namespace gpusan::rules {
namespace {

struct MappingInvalid {
  static void OnMemoryUse(const MemoryUse& use, Call& call) {
    const char* what;
    const char* fix;
    switch (use.fault) {
      case MemoryUse::Fault::kNotMapped:
        what = "is not mapped";
        fix = "map it first, and unmap it once";
        break;
      case MemoryUse::Fault::kMappedTwice:
        what = "is already mapped";
        fix = "keep the pointer of the first mapping, or unmap it first";
        break;
      case MemoryUse::Fault::kNotVisible:
        what = "has a memory type that the host cannot access";
        fix =
            "allocate from a type with VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, or copy through other "
            "memory";
        break;
      case MemoryUse::Fault::kRange:
        what = "does not have that range mapped";
        fix = "name a range inside the mapped range";
        break;
      default:
        return;
    }
    const Vocabulary& words = call.words();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kMappingInvalid);
    finding.What(absl::StrCat(ObjectText(*use.memory, words), " ", what))
        .Why(
            "memory is mapped once at a time, and only a mapped range can be unmapped, flushed or "
            "invalidated",
            Clause::kMemoryMapping)
        .Fix(fix)
        .Party("map", "mapped", use.site)
        .WithCreation(*use.memory)
        .Fact("offset", use.offset)
        .Fact("size_bytes", use.bytes);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }

  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (use.unmapped == nullptr) return;
    const MappedRegion& region = *use.unmapped;
    const Vocabulary& words = call.words();
    const Resource* resource = region.resource.get();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kMappingInvalid);
    finding
        .What(absl::StrCat(use.argument, " points ",
                           use.address == region.begin
                               ? std::string("to")
                               : absl::StrCat(use.address - region.begin, " B into"),
                           " a mapped region of ", BytesText(region.bytes), " of ",
                           resource != nullptr ? ObjectText(*resource, words) : "an object",
                           ", which ", region.unmap_call->name, " has unmapped"))
        .Why("a pointer that a map returned may be used until the region is unmapped",
             Clause::kUnmap)
        .Fix("unmap the region after the last use of the pointer, or map it again")
        .Party("map", absl::StrCat("mapped at ", HandleText(region.begin)), region.mapped)
        .Party("unmap", "unmapped", region.unmapped)
        .Fact("argument", std::string(use.argument));
    if (resource != nullptr) finding.WithCreation(*resource);
  }

  static void OnMappingUse(const MappingUse& use, Call& call) {
    const Resource& resource = *use.resource;
    const Vocabulary& words = call.words();
    if (use.mapping == nullptr) {
      call.MayCrash();
      call.Add(RuleId::kMappingInvalid)
          .What(absl::StrCat("the pointer ", HandleText(reinterpret_cast<uintptr_t>(use.pointer)),
                             " to unmap is not a mapped region of ", ObjectText(resource, words)))
          .Why("an unmap requires a pointer that a map of the same object returned, once",
               Clause::kUnmap)
          .Fix("pass the pointer as the map returned it, and unmap each mapping once")
          .WithCreation(resource);
      return;
    }
    const Mapping& mapping = *use.mapping;
    if (use.map) {
      call.Add(RuleId::kMappingInvalid)
          .What(absl::StrCat("a region of ", ObjectText(resource, words),
                             " is mapped for writing while a region that overlaps it is mapped for "
                             "writing"))
          .Why("mapping overlapping regions for writing is undefined", Clause::kMapping)
          .Fix("unmap the first region before the second map, or map the union of both once")
          .Party("map", absl::StrCat("mapped at ", HandleText(mapping.pointer)), mapping.site)
          .WithCreation(resource);
      return;
    }
    if (use.own_memory) {
      call.Add(RuleId::kMappingInvalid)
          .What(absl::StrCat("a transfer reads ", ObjectText(resource, words),
                             " into its own host memory while a region of it is mapped"))
          .Why("the object must not be mapped, because the memory then belongs to the host",
               Clause::kHostBlock)
          .Fix("unmap the object before the program enqueues the command, or use other host memory")
          .Party("map", absl::StrCat("mapped at ", HandleText(mapping.pointer)), mapping.site)
          .WithCreation(resource);
      return;
    }
    call.Add(RuleId::kMappingInvalid)
        .Severe(use.unsure ? Severity::kWarning : Severity::kError)
        .What(absl::StrCat(
            use.kernel != nullptr ? ObjectText(*use.kernel, words) : std::string(call.info().name),
            use.unsure   ? " may write "
            : use.writes ? " writes "
                         : " reads ",
            ObjectText(resource, words),
            use.kernel != nullptr
                ? absl::StrCat(" through ", ArgumentText(*use.kernel, use.argument))
                : "",
            " while a region of it is mapped for ", mapping.write ? "writing" : "reading"))
        .Why(
            "between map and unmap the region belongs to the host; the result of this command is "
            "undefined",
            Clause::kMapping)
        .Fix("unmap the region before the program enqueues the command")
        .Party("map", absl::StrCat("mapped at ", HandleText(mapping.pointer)), mapping.site)
        .WithCreation(resource);
  }
};

}  // namespace
}  // namespace gpusan::rules
