// Evidence about kernel arguments that partially-initialized and uninitialized-read share.
#pragma once

#include <algorithm>

#include "tracker/rules/rules.h"
#include "tracker/rules/shared/argument_text.h"

namespace gpusan::rules {

// Returns whether the launch has one work item for each element of the resource, or an integer
// argument that equals the number of its elements.
inline bool ReachesAll(const Launch& launch, uint64_t element_bytes, const Resource& resource) {
  if (SaturatingMultiply(launch.work_items, element_bytes) == resource.bytes) return true;
  for (int64_t value : launch.integers) {
    const uint64_t count = static_cast<uint64_t>(value);
    if (value > 0 && count <= launch.work_items &&
        SaturatingMultiply(count, element_bytes) == resource.bytes)
      return true;
  }
  return false;
}

// The elements of a buffer that are written, around its first unwritten range.
struct WrittenElements {
  uint64_t most = 0;        // of those in front of the range, of those after it, and of all
  uint64_t behind = 0;      // index of the first one after the range
  bool has_behind = false;  // there are elements after the range

  // Returns whether an integer argument can be a number of elements, from the start or from the
  // end, or the index of the first element, that keeps a kernel from reading the range.
  bool Allows(uint64_t value) const { return value <= most || (has_behind && value >= behind); }
};

// Returns whether an integer argument can be the number or the first index of the written elements.
inline bool KeepsTo(const Launch& launch, const WrittenElements& elements, uint64_t all) {
  for (int64_t value : launch.integers) {
    if (value >= 0 && static_cast<uint64_t>(value) < all &&
        elements.Allows(static_cast<uint64_t>(value)))
      return true;
  }
  return false;
}

// Returns the size of an element of the argument, or of a texel of an image [bytes]; 0: unknown,
// or the image is so small that it may be a placeholder.
inline uint64_t ElementBytesOf(const LaunchArgument& argument, const Resource& resource) {
  constexpr uint64_t kFewestBytes = 64;
  if (resource.image == nullptr) return argument.element_bytes;
  return resource.bytes < kFewestBytes ? 0 : resource.image->texel_bytes;
}

// Returns whether an argument may keep a kernel, whose code is not known, from reading more than
// the written elements of `resource`: an integer that may be their number, their first index or a
// flag, a value that is not an integer, or a small input, which may hold any of them. The resource
// has `all` elements.
inline bool MayKeepTo(const Launch& launch, const Resource& resource,
                      const WrittenElements& elements, uint64_t all) {
  constexpr uint64_t kMostParameterBytes = 256;
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.resource != &resource && argument.resource->bytes <= kMostParameterBytes &&
        argument.resource->bytes < resource.bytes && argument.direction != Direction::kWrite)
      return true;
  }
  for (const KernelArgument& argument : launch.kernel->arguments) {
    const bool value =
        argument.kind == ArgumentKind::kValue || argument.kind == ArgumentKind::kUnknown;
    if (value && argument.resource.get() == nullptr &&
        (!argument.integral || argument.value_bytes == 0 || argument.value <= 1 ||
         (argument.value < all && elements.Allows(argument.value))))
      return true;
  }
  return false;
}

// Returns whether the launch may write the resource, so that it may read what it has written.
inline bool MayWrite(const Launch& launch, const Resource& resource) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.resource->root == resource.root && argument.direction != Direction::kRead &&
        argument.direction != Direction::kNone)
      return true;
  }
  return false;
}

// Returns whether the unwritten bytes can be padding, of which no result depends: those between
// rows, or after elements whose number was rounded up to that of whole blocks. Requires the lock
// of the resource.
inline bool CanBePadding(const Resource& resource, uint64_t element_bytes, uint64_t gap_begin,
                         uint64_t gap_end) {
  if (gap_end < resource.bytes) {  // as between rows of `gap_begin` bytes with a pitch of `gap_end`
    const auto rows = static_cast<uint32_t>(std::min<uint64_t>(resource.bytes / gap_end, 1024));
    const uint64_t padding = gap_end - gap_begin;
    return padding <= gap_begin &&
           resource.init.Covered(Region::Strided(0, gap_begin, rows, gap_end, 1, 0)) &&
           resource.init.Untouched(Region::Strided(gap_begin, padding, rows, gap_end, 1, 0));
  }
  // A number of elements that is a multiple of 32 needs no rounding, except for large blocks.
  const uint64_t elements = resource.bytes / element_bytes;
  const uint64_t written = gap_begin / element_bytes;
  const uint64_t missing = elements - written;
  for (const uint64_t multiple : {32, 64, 128, 256, 512, 1024}) {
    if (elements % multiple == 0 && missing < multiple &&
        ((multiple <= 256 && written % 32 != 0) || missing <= elements / 16))
      return true;
  }
  return false;
}

// Returns whether another read-only argument can say which elements the kernel uses: a count, an
// index or a mask in device memory. An input with as many elements of the same size does not count.
inline bool HasSelector(const Launch& launch, const LaunchArgument& argument) {
  for (const LaunchArgument& other : launch.arguments) {
    if (other.resource != argument.resource && other.direction == Direction::kRead &&
        (other.element_bytes != argument.element_bytes ||
         other.resource->bytes < SaturatingAdd(other.offset, argument.resource->bytes)))
      return true;
  }
  return false;
}

// Returns whether the code of the kernel surely reads each byte of a known range of a buffer.
inline bool ReadsSurely(const LaunchArgument& argument) {
  constexpr uint64_t kFewestBytes = 64;  // smaller ones may hold flags or counters
  return argument.resource->image == nullptr && argument.understood && argument.sure &&
         argument.certain && argument.ranged && argument.last - argument.first >= kFewestBytes;
}

// Returns whether the code of the kernel surely reads some bytes of memory that is not a
// placeholder.
inline bool ReadsSomething(const LaunchArgument& argument) {
  constexpr uint64_t kFewestBytes = 64;
  const Resource& resource = *argument.resource;
  return argument.sure && !resource.by_address() && resource.bytes >= kFewestBytes &&
         (argument.understood || resource.image != nullptr);
}

// ReadsSurely for memory that a kernel finds by its address.
inline bool ReadsRange(const LaunchArgument& argument) {
  return argument.resource->kind == ObjectKind::kDeviceMemory && ReadsSurely(argument);
}

// Whether the code of the kernel accesses the same bytes through both arguments.
inline bool SameBytes(const LaunchArgument& a, const LaunchArgument& b) {
  return a.offset == b.offset && a.ranged == b.ranged && a.first == b.first && a.last == b.last;
}

// Bytes of a buffer that a launch reads before any write.
struct UnwrittenBytes {
  uint64_t gap_begin = 0, gap_end = 0;  // the first unwritten range
  uint64_t written = 0;                 // number of bytes written in the buffer
  bool by_code = false;                 // the code of the kernel shows the read
};

// FindUnwritten for what the code of the kernel surely reads. `typed`: the type of the elements is
// known. Requires the lock of the root.
inline bool FindUnwrittenByCode(const Launch& launch, const LaunchArgument& argument, bool typed,
                                UnwrittenBytes* unwritten) {
  constexpr uint64_t kLargestPadding = 8;  // one part in so many
  const Resource& resource = *argument.resource;
  const InitMap& init = resource.root->init;
  const bool part = resource.root != &resource;
  Region read = Region::Linear(0, resource.bytes);
  if (!typed || ReadsSurely(argument)) {
    read = Region::Linear(argument.offset + argument.first, argument.last - argument.first);
  } else if (resource.image == nullptr) {
    read = Region::Linear(argument.offset, resource.bytes - argument.offset);
  }
  if (read.empty() || read.end() > resource.bytes) return false;
  unwritten->by_code = true;
  unwritten->gap_begin = read.offset;
  unwritten->gap_end = read.end();
  unwritten->written = part ? 0 : init.WrittenBytes(resource.bytes);
  if (init.Untouched(read.Shifted(resource.root_offset))) return true;
  if (!typed || part || !ReadsSurely(argument)) return false;
  const uint64_t element_bytes = argument.element_bytes, all = resource.bytes / element_bytes;
  if (!init.FirstGap(read.offset, read.end(), &unwritten->gap_begin, &unwritten->gap_end) ||
      unwritten->gap_end - unwritten->gap_begin < read.width / kLargestPadding)
    return false;
  const uint64_t behind = resource.bytes - unwritten->gap_end;
  const WrittenElements elements = {
      std::max({unwritten->gap_begin, behind, unwritten->written}) / element_bytes,
      unwritten->gap_end / element_bytes, behind != 0};
  return !KeepsTo(launch, elements, all) &&
         !CanBePadding(resource, element_bytes, unwritten->gap_begin, unwritten->gap_end);
}

// Returns whether the launch reads unwritten bytes of `argument`, and stores them in `unwritten`.
// A kernel may read only the written part of a buffer, so all of this evidence is necessary: the
// parameter is read-only; the launch does not write the resource, too; the launch has one work item
// for each element of the buffer, or an integer argument that equals their number; no integer
// argument can be the number of written elements. If the code is known, it surely reads the
// argument, and each byte where a part was written. If it is not, no argument can be a flag, hold
// the number of elements or select elements. If a part was written, the rest must be no padding. Of
// an image or a part of another resource nothing may be written at all.
//
// For other numbers of work items, and if the type of the elements is not known (names without
// types, structures), only the code counts: nothing may be written of the bytes that it surely
// reads, or of the memory of which it surely reads something, or not an eighth or more of the bytes
// of which it surely reads each. If it returns false, the content of `unwritten` is unspecified.
// Takes the lock of the resource.
inline bool FindUnwritten(const Launch& launch, const LaunchArgument& argument, const Call& call,
                          UnwrittenBytes* unwritten) {
  const Resource& resource = *argument.resource;
  if (resource.root->init.all()) [[likely]]
    return false;
  const uint64_t element_bytes = ElementBytesOf(argument, resource);
  const bool reaches_all = element_bytes != 0 && ReachesAll(launch, element_bytes, resource);
  const bool by_code =
      !reaches_all && (element_bytes == 0 ? ReadsSurely(argument)
                                          : ReadsSomething(argument) || ReadsRange(argument));
  if (launch.recorded || argument.direction != Direction::kRead || (!by_code && !reaches_all) ||
      argument.indirect || resource.unwritten_reported || (argument.understood && !argument.sure) ||
      MayWrite(launch, resource)) {
    return false;
  }
  for (const LaunchArgument& earlier : launch.arguments) {
    if (&earlier == &argument) break;
    if (earlier.resource == &resource && earlier.direction == Direction::kRead &&
        earlier.element_bytes == argument.element_bytes && !earlier.indirect &&
        (!by_code || call.has_findings() || SameBytes(earlier, argument)))
      return false;  // reported for the earlier argument
  }
  const Resource& root = *resource.root;
  const bool part = &root != &resource;
  if (resource.failed_write_call() != nullptr || root.failed_write_call() != nullptr)
    return false;  // error-ignored
  if (call.shadow().MayHoldUnseenWrites(resource)) return false;
  std::lock_guard lock(root.lock);
  if (by_code) return FindUnwrittenByCode(launch, argument, element_bytes != 0, unwritten);
  if (part) {
    if (!root.init.Untouched(Region::Linear(resource.root_offset, resource.bytes))) return false;
    unwritten->gap_end = resource.bytes;
  } else if (!root.init.FirstGap(resource.bytes, &unwritten->gap_begin, &unwritten->gap_end)) {
    return false;
  }
  // The code of the kernel keeps to other bytes.
  if (argument.ranged && (argument.offset + argument.first >= unwritten->gap_end ||
                          argument.offset + argument.last <= unwritten->gap_begin))
    return false;
  unwritten->written = part ? 0 : root.init.WrittenBytes(resource.bytes);
  const uint64_t all = resource.bytes / element_bytes;
  const uint64_t behind = resource.bytes - unwritten->gap_end;
  const WrittenElements elements = {
      std::max({unwritten->gap_begin, behind, unwritten->written}) / element_bytes,
      unwritten->gap_end / element_bytes, behind != 0};
  if (KeepsTo(launch, elements, all) ||
      (!argument.understood && MayKeepTo(launch, resource, elements, all)))
    return false;
  if (unwritten->written == 0) return true;
  return resource.image == nullptr &&
         (argument.understood ? ReadsSurely(argument) : !HasSelector(launch, argument)) &&
         !CanBePadding(resource, element_bytes, unwritten->gap_begin, unwritten->gap_end);
}

// Returns whether the written bytes are the first ones and as many as a pointer has, but not one
// element.
inline bool HoldsOnePointer(const UnwrittenBytes& unwritten, uint64_t element_bytes) {
  return unwritten.written == sizeof(void*) && unwritten.gap_begin == sizeof(void*) &&
         element_bytes != sizeof(void*);
}

// Fills in the parts of the finding that both checks share.
inline void AddUnwritten(FindingBuilder& finding, const Launch& launch,
                         const LaunchArgument& argument, const UnwrittenBytes& unwritten,
                         const std::string& extent, const Vocabulary& words) {
  const Resource& resource = *argument.resource;
  const Kernel& kernel = *launch.kernel;
  const uint64_t element_bytes = ElementBytesOf(argument, resource);
  const bool somewhere = unwritten.by_code && (resource.image != nullptr || !argument.certain);
  const std::string amount =
      somewhere ? absl::StrCat("the code reads from the ", words.KindName(resource.kind))
      : unwritten.by_code
          ? absl::StrCat("the code reads bytes ", unwritten.gap_begin, " to ",
                         unwritten.gap_end - 1, " of the ", words.KindName(resource.kind))
          : absl::StrCat("the ", words.KindName(resource.kind), " holds ",
                         resource.bytes / element_bytes,
                         resource.image == nullptr ? " elements" : " texels");
  finding.Severe(Severity::kWarning)
      .What(absl::StrCat(ObjectText(kernel, words), " reads ", ArgumentText(kernel, argument.index),
                         ", ", ObjectText(resource, words), ", of which ", extent))
      .Why(absl::StrCat("the launch has ", launch.work_items, " ", words.WorkItems(), ", and ",
                        amount, "; the content of bytes that nothing wrote is undefined (",
                        words.Cite(Clause::kContentUndefined), ")"))
      .Fix(
          resource.image != nullptr
              ? "write the image before the launch; check whether the command that should write it "
                "was enqueued"
          : unwritten.written == 0
              ? "write the buffer before the launch; check whether the write was enqueued"
          : HoldsOnePointer(unwritten, element_bytes)
              ? "if the size of the write is sizeof of a pointer, which is 8 B, pass the size of "
                "the block to which it points; otherwise write the rest of the buffer before the "
                "launch, or launch over the written part only"
              : "write the rest of the buffer before the launch, or launch over the written part "
                "only")
      .CreatedBy(resource)
      .About(resource)
      .About(kernel)
      .Fact("argument", argument.index)
      .Fact("kernel", kernel.name)
      .Fact("written_bytes", unwritten.written)
      .Fact("resource_bytes", resource.bytes)
      .Fact("gap_begin", unwritten.gap_begin)
      .Fact("gap_end", unwritten.gap_end);
  AddRecorder(finding, launch);
}

}  // namespace gpusan::rules
