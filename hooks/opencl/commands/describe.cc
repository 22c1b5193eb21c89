// Transfers from the arguments of a call.
#include "hooks/opencl/commands/describe.h"

#include <bit>

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {
namespace {

constexpr KindMask kBuffer = MaskOf(ObjectKind::kBuffer);
constexpr KindMask kImage = MaskOf(ObjectKind::kImage);

// Bytes of a region of an image that is tightly packed in a buffer.
uint64_t ImageBytes(const Resource* image, const size_t* region) {
  return SaturatingMultiply(SaturatingMultiply(region[0], image->image->texel_bytes),
                            SaturatingMultiply(region[1], region[2]));
}

}  // namespace

DescribedTransfer DescribeCopyBuffer(ClCall& call, const Object* owner, cl_mem source,
                                     cl_mem destination, size_t source_offset,
                                     size_t destination_offset, size_t size) {
  NoteEmptySize(call, size);
  Resource* from = UseMemory(call, owner, source, kBuffer, "src_buffer");
  Resource* to = UseMemory(call, owner, destination, kBuffer, "dst_buffer");
  if (from != nullptr && to != nullptr && from->root == to->root &&
      Overlaps(Region::Linear(from->root_offset + source_offset, size),
               Region::Linear(to->root_offset + destination_offset, size))) {
    call.FailureReason(absl::StrCat("dst_offset is ", destination_offset, ", and the ", size,
                                    " B from there overlap those from src_offset ", source_offset,
                                    " of the same memory (OpenCL 3.0 §5.2.2)"));
  }
  return {{TransferKind::kCopy, BufferSide(from, source_offset, size),
           BufferSide(to, destination_offset, size)},
          HasKnownBytes(from) && HasKnownBytes(to)};
}

void NoteEmptyRegion(ClCall& call, const size_t* region) {
  for (int i = 0; region != nullptr && i < 3; ++i) {
    if (region[i] != 0) continue;
    call.FailureReason(absl::StrCat("region[", i,
                                    "] is 0; pass 1 for each dimension that the object does not "
                                    "have (OpenCL 3.0 §5.2.2 and §5.3.3)"));
  }
}

void NoteEmptySize(ClCall& call, size_t size) {
  if (size == 0)
    call.FailureReason("size is 0, which drivers before OpenCL 2.1 reject (OpenCL 3.0 §5.2.2)");
}

DescribedTransfer DescribeCopyBufferRect(ClCall& call, const Object* owner, cl_mem source,
                                         cl_mem destination, const size_t* source_origin,
                                         const size_t* destination_origin, const size_t* region,
                                         size_t source_row_pitch, size_t source_slice_pitch,
                                         size_t destination_row_pitch,
                                         size_t destination_slice_pitch) {
  NoteEmptyRegion(call, region);
  Resource* from = UseMemory(call, owner, source, kBuffer, "src_buffer");
  Resource* to = UseMemory(call, owner, destination, kBuffer, "dst_buffer");
  DescribedTransfer described{
      {TransferKind::kCopy,
       RectSide(from, source_origin, region, source_row_pitch, source_slice_pitch),
       RectSide(to, destination_origin, region, destination_row_pitch, destination_slice_pitch)},
      HasKnownBytes(from) && HasKnownBytes(to) && source_origin && destination_origin && region};
  described.transfer.one_layout = true;
  return described;
}

DescribedTransfer DescribeCopyImage(ClCall& call, const Object* owner, cl_mem source,
                                    cl_mem destination, const size_t* source_origin,
                                    const size_t* destination_origin, const size_t* region) {
  NoteEmptyRegion(call, region);
  Resource* from = UseMemory(call, owner, source, kImage, "src_image");
  Resource* to = UseMemory(call, owner, destination, kImage, "dst_image");
  if (from != nullptr && to != nullptr && from->image != nullptr && to->image != nullptr &&
      (from->image->texel_bytes != to->image->texel_bytes)) {
    call.FailureReason(absl::StrCat("dst_image has the format ", call.words().Format(*to->image),
                                    ", but src_image has ", call.words().Format(*from->image),
                                    " (OpenCL 3.0 §5.3.3)"));
  }
  if (!HasKnownTexels(from, source_origin, region) ||
      !HasKnownTexels(to, destination_origin, region))
    return {{TransferKind::kCopy, Side(), WholeSide(to)}, false};
  return {{TransferKind::kCopy, ImageSide(from, source_origin, region),
           ImageSide(to, destination_origin, region)},
          true};
}

DescribedTransfer DescribeCopyImageToBuffer(ClCall& call, const Object* owner, cl_mem source,
                                            cl_mem destination, const size_t* origin,
                                            const size_t* region, size_t offset) {
  NoteEmptyRegion(call, region);
  Resource* from = UseMemory(call, owner, source, kImage, "src_image");
  Resource* to = UseMemory(call, owner, destination, kBuffer, "dst_buffer");
  if (!HasKnownTexels(from, origin, region) || !HasKnownBytes(to))
    return {{TransferKind::kCopy, Side(), WholeSide(to)}, false};
  return {{TransferKind::kCopy, ImageSide(from, origin, region),
           BufferSide(to, offset, ImageBytes(from, region))},
          true};
}

DescribedTransfer DescribeCopyBufferToImage(ClCall& call, const Object* owner, cl_mem source,
                                            cl_mem destination, size_t offset, const size_t* origin,
                                            const size_t* region) {
  NoteEmptyRegion(call, region);
  Resource* from = UseMemory(call, owner, source, kBuffer, "src_buffer");
  Resource* to = UseMemory(call, owner, destination, kImage, "dst_image");
  if (!HasKnownTexels(to, origin, region) || !HasKnownBytes(from))
    return {{TransferKind::kCopy, Side(), WholeSide(to)}, false};
  return {{TransferKind::kCopy, BufferSide(from, offset, ImageBytes(to, region)),
           ImageSide(to, origin, region)},
          true};
}

DescribedTransfer DescribeFillBuffer(ClCall& call, const Object* owner, cl_mem buffer, const void*,
                                     size_t pattern_size, size_t offset, size_t size) {
  NoteEmptySize(call, size);
  Resource* resource = UseMemory(call, owner, buffer, kBuffer, "buffer");
  if (!std::has_single_bit(pattern_size) || pattern_size > 128) {
    call.FailureReason(absl::StrCat("pattern_size is ", pattern_size,
                                    ", not one of 1, 2, 4, 8, 16, 32, 64 and 128 B (OpenCL 3.0 "
                                    "§5.2.2)"));
  }
  return {{TransferKind::kFill, Side(), BufferSide(resource, offset, size), false, pattern_size},
          HasKnownBytes(resource)};
}

DescribedTransfer DescribeFillImage(ClCall& call, const Object* owner, cl_mem image, const void*,
                                    const size_t* origin, const size_t* region) {
  NoteEmptyRegion(call, region);
  Resource* resource = UseMemory(call, owner, image, kImage, "image");
  const bool known = HasKnownTexels(resource, origin, region);
  return {{TransferKind::kFill, Side(),
           known ? ImageSide(resource, origin, region) : WholeSide(resource)},
          known};
}

DescribedTransfer DescribeSVMMemcpy(ClCall& call, const Object*, void* destination,
                                    const void* source, size_t size) {
  return {{TransferKind::kCopy, HostSide(call, source, Region::Linear(0, size)),
           HostSide(call, destination, Region::Linear(0, size))},
          true};
}

DescribedTransfer DescribeSVMMemFill(ClCall& call, const Object*, void* pointer, const void*,
                                     size_t pattern_size, size_t size) {
  return {{TransferKind::kFill, Side(), HostSide(call, pointer, Region::Linear(0, size)), false,
           pattern_size},
          true};
}

}  // namespace gpusan::opencl
