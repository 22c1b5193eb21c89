// Check kernel-argument-out-of-bounds: a kernel is launched with a pointer past the end of an
// allocation, or its code accesses bytes outside of one; a function of a library accesses bytes
// behind one; a shader accesses bytes behind the range of a descriptor, or behind the end of a
// buffer whose address it has.
#include "tracker/rules/events/kernel_overrun.h"
#include "tracker/rules/events/shader_overrun.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"

namespace gpusan::rules {
namespace {

// Where an unsigned index of 32 bits that fell below 0 accesses memory, at the least [bytes].
constexpr int64_t kWraps = (int64_t{1} << 32) - (int64_t{1} << 24);

// Without its code, the range that a kernel accesses from a pointer is unknown. A pointer one past
// the end is valid as the end of a range that begins at another argument. Without such an argument
// the kernel cannot use it.
struct KernelArgumentOutOfBounds {
  static void OnKernelPointer(const KernelPointer& pointer, Call& call) {
    if (pointer.fault != KernelPointer::Fault::kAtEnd) return;
    const Vocabulary& words = call.words();
    const Resource& resource = *pointer.resource;
    FindingBuilder finding = call.Add(RuleId::kKernelArgumentOutOfBounds);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat(ArgumentText(*pointer.kernel, pointer.index), " of ",
                           ObjectText(*pointer.kernel, words), " points one past the end of ",
                           ObjectText(resource, words)))
        .Why(
            "no byte at this address belongs to the allocation, and no other argument points into "
            "it, so the pointer is not the end of a range",
            Clause::kBufferBounds)
        .Fix(absl::StrCat("correct the offset that is added to the pointer in argument ",
                          pointer.index, ": it equals the size of the allocation"))
        .WithCreation(resource)
        .About(*pointer.kernel)
        .Fact("argument", pointer.index)
        .Fact("kernel", pointer.kernel->name)
        .Fact("offset_bytes", pointer.address - resource.handle);
    AddRecorder(finding, pointer);
  }

  static void OnKernelOverrun(const KernelOverrun& overrun, Call& call) {
    // The driver may run the kernel before the call returns.
    call.MayCrash();
    if (overrun.kernel == nullptr) return AddLibraryOverrun(overrun, call);
    const Vocabulary& words = call.words();
    const Resource& resource = *overrun.resource;
    const int64_t first = overrun.first + static_cast<int64_t>(overrun.offset);
    const int64_t last = overrun.last + static_cast<int64_t>(overrun.offset);
    const auto bytes = static_cast<int64_t>(resource.bytes);
    const bool before = first < 0;
    // Of the accesses only the last one may be known.
    const bool ends_there = overrun.gaps && first >= bytes;
    const auto outside = static_cast<uint64_t>(
        before ? -first : last - (ends_there ? bytes : std::max(first, bytes)));
    const char* verb = overrun.verb;
    FindingBuilder finding = call.Add(RuleId::kKernelArgumentOutOfBounds);
    finding
        .What(absl::StrCat(ObjectText(*overrun.kernel, words), ", launched with ", overrun.size,
                           ", ", verb, overrun.gaps ? " up to " : " ", BytesText(outside),
                           before ? " in front of the start of " : " past the end of ",
                           ObjectText(resource, words), " through ",
                           ArgumentText(*overrun.kernel, overrun.argument)))
        .Why(absl::StrCat("its code ", verb,
                          ends_there     ? std::string(" bytes up to ")
                          : overrun.gaps ? absl::StrCat(" bytes from ", first, " to ")
                                         : absl::StrCat(" bytes ", first, " to "),
                          last - 1,
                          overrun.gaps && !ends_there ? ", with gaps, of the " : " of the ",
                          words.KindName(resource.kind), ", which has ", bytes,
                          " bytes; an access outside of an allocation is undefined"),
             Clause::kBufferBounds)
        .Fix(before ? std::string("correct the offset that is added to the pointer")
             : last > kWraps
                 ? std::string("test the index in the kernel: an unsigned index that falls "
                               "below 0 becomes one near 4294967295")
                 : absl::StrCat("make the ", words.KindName(resource.kind), " at least ", last,
                                " bytes large, launch fewer ", words.WorkItems(),
                                ", or test the index in "
                                "the kernel"))
        .WithCreation(resource)
        .About(*overrun.kernel)
        .Fact("argument", uint64_t{overrun.argument})
        .Fact("kernel", overrun.kernel->name)
        .Fact("launch_size", overrun.size)
        .Fact("first_byte", std::to_string(first))
        .Fact("last_byte", std::to_string(last - 1))
        .Fact("resource_bytes", resource.bytes)
        .Fact("outside_bytes", outside);
    AddRecorder(finding, overrun);
  }

  static void OnShaderOverrun(const ShaderOverrun& overrun, Call& call) {
    if (overrun.push_offset) return AddAddressOverrun(overrun, call);
    const Vocabulary& words = call.words();
    const Resource& resource = *overrun.resource;
    const auto covered = static_cast<int64_t>(overrun.covered);
    const auto outside = static_cast<uint64_t>(overrun.last - std::max(overrun.first, covered));
    const char* verb = overrun.write ? "writes" : "reads";
    call.Add(RuleId::kKernelArgumentOutOfBounds)
        .What(absl::StrCat(call.info().name, " of ", overrun.size, " workgroups runs ",
                           ObjectText(*overrun.pipeline, words), ", which ", verb,
                           overrun.gaps ? " up to " : " ", BytesText(outside),
                           " past the end of binding ", overrun.binding, " of set ", overrun.set,
                           ", a descriptor of ", ObjectText(resource, words)))
        .Why(absl::StrCat("its shader ", verb, " bytes ", overrun.first, " to ", overrun.last - 1,
                          overrun.gaps ? ", with gaps," : "", " of the descriptor, which covers ",
                          covered, " bytes of the buffer, and robustBufferAccess is not enabled (",
                          overrun.vuid, ")"))
        .Fix(
            "dispatch as many workgroups as the descriptor has elements for, test the index in the "
            "shader, or give the descriptor a larger range")
        .WithCreation(resource)
        .About(*overrun.pipeline)
        .Fact("set", uint64_t{overrun.set})
        .Fact("binding", uint64_t{overrun.binding})
        .Fact("launch_size", overrun.size)
        .Fact("first_byte", std::to_string(overrun.first))
        .Fact("last_byte", std::to_string(overrun.last - 1))
        .Fact("descriptor_bytes", overrun.covered)
        .Fact("outside_bytes", outside)
        .Fact("vuid", overrun.vuid);
  }

 private:
  static void AddAddressOverrun(const ShaderOverrun& overrun, Call& call) {
    const Vocabulary& words = call.words();
    const Resource& resource = *overrun.resource;
    const auto start = static_cast<int64_t>(overrun.address_offset);
    const int64_t first = start + overrun.first, last = start + overrun.last;
    const auto bytes = static_cast<int64_t>(resource.bytes);
    const auto outside = static_cast<uint64_t>(last - std::max(first, bytes));
    const char* verb = overrun.write ? "writes" : "reads";
    call.Add(RuleId::kKernelArgumentOutOfBounds)
        .What(absl::StrCat(call.info().name, " of ", overrun.size,
                           overrun.of_draw ? " runs " : " workgroups runs ",
                           ObjectText(*overrun.pipeline, words), ", which ", verb,
                           overrun.gaps ? " up to " : " ", BytesText(outside), " past the end of ",
                           ObjectText(resource, words), " by an address in its push constants"))
        .Why(absl::StrCat("its shader ", verb, overrun.gaps ? " bytes from " : " bytes ", first,
                          " to ", last - 1, overrun.gaps ? ", with gaps, of the " : " of the ",
                          "buffer, which has ", bytes, " bytes, by the address in bytes ",
                          *overrun.push_offset, " to ", *overrun.push_offset + 7,
                          " of the push constants; a shader may access only bytes of a buffer (",
                          overrun.vuid, ")"))
        .Fix(absl::StrCat(
            overrun.of_draw ? "draw as many vertices" : "dispatch as many workgroups",
            " as the buffer has elements for, test the index in the shader, or make the buffer "
            "larger"))
        .WithCreation(resource)
        .About(*overrun.pipeline)
        .Fact("push_constant_offset", *overrun.push_offset)
        .Fact("launch_size", overrun.size)
        .Fact("first_byte", std::to_string(first))
        .Fact("last_byte", std::to_string(last - 1))
        .Fact("resource_bytes", resource.bytes)
        .Fact("outside_bytes", outside)
        .Fact("vuid", overrun.vuid);
  }

  static void AddLibraryOverrun(const KernelOverrun& overrun, Call& call) {
    const Vocabulary& words = call.words();
    const Resource& resource = *overrun.resource;
    const uint64_t first = overrun.offset + static_cast<uint64_t>(overrun.first);
    const uint64_t last = overrun.offset + static_cast<uint64_t>(overrun.last);
    call.Add(RuleId::kKernelArgumentOutOfBounds)
        .What(absl::StrCat(call.info().name, " ", overrun.verb, overrun.gaps ? " up to " : " ",
                           BytesText(last - std::max(first, resource.bytes)), " past the end of ",
                           ObjectText(resource, words), " through ", overrun.operand))
        .Why(absl::StrCat("with these arguments the function ", overrun.verb, " bytes ", first,
                          " to ", last - 1, overrun.gaps ? ", with gaps," : "", " of the ",
                          words.KindName(resource.kind), ", which has ", resource.bytes,
                          " bytes; an access outside of an allocation is undefined"),
             Clause::kBufferBounds)
        .Fix("pass the sizes and distances that the allocation has, or make it larger")
        .WithCreation(resource)
        .Fact("argument", std::string(overrun.operand))
        .Fact("first_byte", first)
        .Fact("last_byte", last - 1)
        .Fact("resource_bytes", resource.bytes);
  }
};

}  // namespace
}  // namespace gpusan::rules
