// Handlers: arrays, mipmapped arrays and their levels; arrays as sides of copies.
#include "hooks/cuda/arrays/arrays.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hooks/cuda/arrays/formats.h"
#include "hooks/cuda/memory/memory.h"

namespace gpusan::cuda {
namespace {

uint64_t AtLeastOne(uint64_t value) { return std::max<uint64_t>(value, 1); }

// Extents as copies count them: layers are the third dimension, also for layered one-dimensional
// arrays.
ImageInfo InfoOf(const CUDA_ARRAY3D_DESCRIPTOR& shape) {
  ImageInfo image;
  image.extent[0] = shape.Width;
  image.extent[1] = AtLeastOne(shape.Height);
  image.extent[2] = AtLeastOne(shape.Depth);
  image.dimensions = shape.Depth != 0 ? 3 : shape.Height != 0 ? 2 : 1;
  image.array = (shape.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  image.channels = shape.NumChannels;
  image.native_order = shape.NumChannels;
  image.native_data_type = shape.Format;
  image.texel_bytes = ElementBytes(shape.Format, shape.NumChannels);
  image.row_pitch = image.extent[0] * image.texel_bytes;
  image.slice_pitch = image.row_pitch * image.extent[1];
  return image;
}

uint64_t BytesOf(const ImageInfo& image) {
  return SaturatingMultiply(image.slice_pitch, image.extent[2]);
}

// Flags of arrays whose memory is mapped later or belongs to another owner.
uint16_t FlagsOf(const CUDA_ARRAY3D_DESCRIPTOR& shape) {
  constexpr unsigned kMappedLater = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;
  return (shape.Flags & kMappedLater) != 0 ? kImported : 0;
}

Resource* New(CuCall& call, ObjectKind kind, uintptr_t handle, const ImageInfo& image,
              uint64_t bytes, uint64_t native_flags, uint16_t flags, Resource* parent,
              uint64_t parent_offset) {
  if (handle == 0) return nullptr;
  ResourceSpec spec;
  spec.kind = kind;
  spec.handle = handle;
  spec.bytes = bytes;
  spec.flags = flags;
  spec.native_flags = native_flags;
  spec.image = &image;
  spec.parent = parent;
  spec.parent_offset = parent_offset;
  Context* context = call.current();
  spec.context = context != nullptr ? context->object : nullptr;
  return call.tracker().objects().NewResource(call, spec);
}

// Releases the levels or planes of an array together with it.
void ReleaseParts(CuCall& call, const Resource& parent) {
  if (parent.children.load(std::memory_order_relaxed) == 0) return;
  for (Resource* part : call.tracker().objects().PartsOf(parent))
    call.tracker().objects().Release(call, part, true);
}

ImageInfo LevelOf(const ImageInfo& base, unsigned level) {
  ImageInfo image = base;
  image.extent[0] = AtLeastOne(base.extent[0] >> level);
  if (image.dimensions > 1) image.extent[1] = AtLeastOne(base.extent[1] >> level);
  if (image.dimensions > 2 && !image.array) image.extent[2] = AtLeastOne(base.extent[2] >> level);
  image.row_pitch = image.extent[0] * image.texel_bytes;
  image.slice_pitch = image.row_pitch * image.extent[1];
  return image;
}

}  // namespace

Resource* NewArray(CuCall& call, CUarray array, const CUDA_ARRAY3D_DESCRIPTOR& shape,
                   uint16_t flags) {
  const ImageInfo image = InfoOf(shape);
  return New(call, ObjectKind::kImage, HandleOf(array), image, BytesOf(image), shape.Flags,
             flags | FlagsOf(shape), nullptr, 0);
}

Resource* NewMipmap(CuCall& call, CUmipmappedArray mipmap, const CUDA_ARRAY3D_DESCRIPTOR& shape,
                    unsigned levels, uint16_t flags) {
  const ImageInfo image = InfoOf(shape);
  uint64_t bytes = 0;
  for (unsigned level = 0; level < std::min(levels, 64u); ++level)
    bytes = SaturatingAdd(bytes, BytesOf(LevelOf(image, level)));
  return New(call, ObjectKind::kMipmap, HandleOf(mipmap), image, bytes, shape.Flags,
             flags | FlagsOf(shape), nullptr, 0);
}

void NewLevel(CuCall& call, CUmipmappedArray handle, unsigned level, CUarray array) {
  Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  if (object == nullptr || object->kind != ObjectKind::kMipmap || !object->live()) return;
  Resource* mipmap = static_cast<Resource*>(object);
  Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(array));
  if (known != nullptr && known->live() && known->kind == ObjectKind::kImage &&
      static_cast<Resource*>(known)->parent == mipmap)
    return;
  uint64_t offset = 0;
  for (unsigned before = 0; before < std::min(level, 64u); ++before)
    offset += BytesOf(LevelOf(*mipmap->image, before));
  const ImageInfo image = LevelOf(*mipmap->image, level);
  Resource* part = New(call, ObjectKind::kImage, HandleOf(array), image, BytesOf(image),
                       mipmap->native_flags, mipmap->flags, mipmap, offset);
  // The level is released with the mipmapped array.
  if (part != nullptr) part->MarkOwned();
}

void NewPlane(CuCall& call, CUarray handle, CUarray plane) {
  Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  if (object == nullptr || object->kind != ObjectKind::kImage || !object->live()) return;
  Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(plane));
  if (known != nullptr && known->live()) return;
  // The format of a plane is unknown: nothing is checked about it.
  ImageInfo image = *static_cast<Resource*>(object)->image;
  image.texel_bytes = 0;
  Resource* part = New(call, ObjectKind::kImage, HandleOf(plane), image, 0, 0, kImported,
                       static_cast<Resource*>(object), 0);
  if (part != nullptr) part->MarkOwned();
}

void FailedArray(CuCall& call, ObjectKind kind, const CUDA_ARRAY3D_DESCRIPTOR* shape,
                 unsigned levels, CUresult code) {
  const ImageInfo image = InfoOf(*shape);
  const uint64_t bytes = BytesOf(image);
  call.Requested(bytes);
  std::string facts = absl::StrCat("Width ", shape->Width, ", Height ", shape->Height, ", Depth ",
                                   shape->Depth, ", ", FormatText(image));
  if (kind == ObjectKind::kMipmap) absl::StrAppend(&facts, ", ", levels, " levels");
  auto rule = [&](bool broken, const char* text) {
    if (broken) absl::StrAppend(&facts, "; ", text);
  };
  const unsigned flags = shape->Flags;
  const bool layered = (flags & CUDA_ARRAY3D_LAYERED) != 0;
  const bool cube = (flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  rule(shape->Width == 0, "Width must not be 0");
  rule(shape->NumChannels != 1 && shape->NumChannels != 2 && shape->NumChannels != 4 &&
           ChannelBytes(shape->Format) != 0,
       "NumChannels must be 1, 2 or 4");
  rule(shape->Depth != 0 && shape->Height == 0 && !layered,
       "an array with Depth must have Height, unless it is layered");
  rule(layered && shape->Depth == 0, "a layered array must have at least one layer, in Depth");
  rule(cube && (shape->Width != shape->Height || shape->Depth % 6 != 0 || shape->Depth == 0),
       "a cubemap must have equal width and height, and 6 layers for each cube");
  rule(bytes > (uint64_t{1} << 40), "no device has that much memory");
  call.FailureFact(std::move(facts));
  FailedAllocation(call, kind, bytes, code);
}

Resource* UseArray(CuCall& call, CUarray array, const char* argument) {
  return static_cast<Resource*>(
      call.tracker().objects().Use(call, HandleOf(array), MaskOf(ObjectKind::kImage), argument));
}

Resource* DestroyArray(CuCall& call, uintptr_t handle, ObjectKind kind, const char* argument) {
  Object* object = call.tracker().objects().UseForRelease(call, handle, MaskOf(kind), argument);
  if (object == nullptr) return nullptr;
  Resource* array = static_cast<Resource*>(object);
  JoinForFree(call);
  ReleaseParts(call, *array);
  call.tracker().objects().Release(call, array, true);
  return array;
}

Side ArraySide(CuCall& call, CUarray handle, const uint64_t origin[3], const uint64_t extent[3],
               const char* argument, bool* usable) {
  Side side;
  side.resource = UseArray(call, handle, argument);
  if (side.resource == nullptr || side.resource->image->texel_bytes == 0) {
    side.resource = nullptr;
    *usable = false;
    return side;
  }
  const ImageInfo& image = *side.resource->image;
  const uint64_t texel = image.texel_bytes;
  // A texel that is touched partly counts completely.
  const uint64_t first = origin[0] / texel;
  const uint64_t end = SaturatingAdd(SaturatingAdd(origin[0], extent[0]), texel - 1) / texel;
  side.box = {{first, origin[1], origin[2]}, {end - first, extent[1], extent[2]}};
  side.texel_bytes = texel;
  side.row_begin = origin[0];
  side.row_bytes = extent[0];
  uint64_t offset = SaturatingAdd(SaturatingMultiply(origin[2], image.slice_pitch),
                                  SaturatingMultiply(origin[1], image.row_pitch));
  offset = SaturatingAdd(offset, origin[0]);
  side.region =
      Region::Strided(offset, extent[0], extent[1], image.row_pitch, extent[2], image.slice_pitch);
  return side;
}

Side LineSide(CuCall& call, CUarray handle, uint64_t offset, uint64_t bytes, const char* argument,
              bool* usable) {
  const uint64_t origin[3] = {offset, 0, 0}, extent[3] = {bytes, 1, 1};
  Side side = ArraySide(call, handle, origin, extent, argument, usable);
  // The calls are not documented for arrays with several rows.
  if (side.resource != nullptr && side.resource->image->dimensions > 1) *usable = false;
  return side;
}

}  // namespace gpusan::cuda
