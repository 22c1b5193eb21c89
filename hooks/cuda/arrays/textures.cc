// Handlers: texture and surface objects.
#include "hooks/cuda/arrays/textures.h"

#include "hooks/cuda/arrays/formats.h"
#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/streams/handle_queries.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

uintptr_t KeyOf(ObjectKind kind, uintptr_t handle) {
  return kind == ObjectKind::kTexture ? TextureKey(handle) : SurfaceKey(handle);
}

// An attribute of the current device; 0 if the driver does not report it.
uint64_t DeviceAttribute(CUdevice_attribute attribute) {
  const auto current = GPUSAN_CU_REAL(cuCtxGetDevice);
  const auto query = GPUSAN_CU_REAL(cuDeviceGetAttribute);
  CUdevice device;
  int value = 0;
  if (current == nullptr || query == nullptr || current(&device) != CUDA_SUCCESS) return 0;
  return query(&value, attribute, device) == CUDA_SUCCESS && value > 0 ? value : 0;
}

bool IsBlockCompressed(CUresourceViewFormat format) {
  return format >= CU_RES_VIEW_FORMAT_UNSIGNED_BC1 && format <= CU_RES_VIEW_FORMAT_UNSIGNED_BC7;
}

// Returns the base format that a block-compressed view requires; nullptr for other views, which may
// only change the meaning of bits.
const char* NeededBase(const CUDA_RESOURCE_VIEW_DESC& view, const ImageInfo& image) {
  if (!IsBlockCompressed(view.format) || image.texel_bytes == 0) return nullptr;
  const bool small = view.format == CU_RES_VIEW_FORMAT_UNSIGNED_BC1 ||
                     view.format == CU_RES_VIEW_FORMAT_UNSIGNED_BC4 ||
                     view.format == CU_RES_VIEW_FORMAT_SIGNED_BC4;
  const unsigned channels = small ? 2 : 4;
  if (image.native_data_type == CU_AD_FORMAT_UNSIGNED_INT32 && image.channels == channels)
    return nullptr;
  return small ? "2 x CU_AD_FORMAT_UNSIGNED_INT32" : "4 x CU_AD_FORMAT_UNSIGNED_INT32";
}

// Adds the parts of the view that the array does not have to the call's failure facts; if there are
// none, the shape of the view.
void CheckViewRange(CuCall& call, const CUDA_RESOURCE_VIEW_DESC& view, const Resource& resource) {
  const ImageInfo& image = *resource.image;
  const auto behind = [&](const char* name, uint64_t last, uint64_t count, const char* what) {
    if (count == 0 || last < count) return false;
    call.FailureFact(absl::StrCat(name, " is ", last, ", and the array has ", count, " ", what));
    return true;
  };
  // Block-compressed views are larger than the array, which holds one block in a texel.
  const uint64_t block = IsBlockCompressed(view.format) ? 4 : 1;
  const auto larger = [&](const char* name, uint64_t size, uint64_t limit) {
    if (size <= limit * block) return false;
    call.FailureFact(
        absl::StrCat(name, " of the view is ", size, ", and the array allows ", limit * block));
    return true;
  };
  bool any = larger("width", view.width, image.extent[0]);
  if (image.dimensions > 1) any |= larger("height", view.height, image.extent[1]);
  if (resource.kind == ObjectKind::kImage)
    any |= behind("lastMipmapLevel", view.lastMipmapLevel, 1, "level");
  if (any) return;
  call.FailureFact(absl::StrCat("the view is of format ", static_cast<int>(view.format), ", ",
                                view.width, "x", view.height, "x", view.depth));
}

uint32_t Mix(uint32_t print, const void* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    print = (print ^ static_cast<const unsigned char*>(bytes)[i]) * 16777619u;
  return print;
}

// A hash of what the view accesses, and how (FNV-1a).
uint32_t PrintOf(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC* texture,
                 const CUDA_RESOURCE_VIEW_DESC* view) {
  uint32_t print = Mix(2166136261u, &resource.resType, sizeof(resource.resType));
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_LINEAR:
      print = Mix(print, &resource.res.linear, sizeof(resource.res.linear));
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      print = Mix(print, &resource.res.pitch2D, sizeof(resource.res.pitch2D));
      break;
    default:  // an array or a mipmapped array
      print = Mix(print, &resource.res.array, sizeof(resource.res.array));
  }
  if (texture != nullptr) print = Mix(print, texture, sizeof(*texture));
  return view != nullptr ? Mix(print, view, sizeof(*view)) : print;
}

// The memory that a texture or surface object accesses.
struct ViewPart final : ObjectPart {
  WeakRef<Resource> memory;
  uintptr_t address = 0;  // of linear memory; 0: an array
  uint64_t bytes = 0;     // from the address
  void Recycle() override { delete this; }
};

// Returns the array or memory of the resource; nullptr if gpusan does not track it.
Resource* MemoryOf(CuCall& call, const CUDA_RESOURCE_DESC& resource, uintptr_t* address) {
  uintptr_t handle = 0;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      handle = HandleOf(resource.res.array.hArray);
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      handle = HandleOf(resource.res.mipmap.hMipmappedArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      *address = HandleOf(resource.res.linear.devPtr);
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      *address = HandleOf(resource.res.pitch2D.devPtr);
      break;
    default:
      return nullptr;
  }
  uint64_t offset = 0;
  if (*address != 0) return call.tracker().objects().FindAddress(*address, &offset);
  Object* array = call.tracker().objects().Find(Api::kCuda, handle);
  const bool known = array != nullptr && array->live() &&
                     (array->kind == ObjectKind::kImage || array->kind == ObjectKind::kMipmap);
  return known ? static_cast<Resource*>(array) : nullptr;
}

// Returns the number of bytes of linear memory from the first to the last texel; 0: an array.
uint64_t LinearBytes(const CUDA_RESOURCE_DESC& resource) {
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) return resource.res.linear.sizeInBytes;
  if (resource.resType != CU_RESOURCE_TYPE_PITCH2D) return 0;
  const auto& pitch = resource.res.pitch2D;
  const uint64_t row =
      SaturatingMultiply(pitch.width, ElementBytes(pitch.format, pitch.numChannels));
  return Region::Strided(0, row, pitch.height, pitch.pitchInBytes, 1, 0).end();
}

void CheckLinear(CuCall& call, uintptr_t address, Binding* binding) {
  uint64_t offset = 0;
  const Resource* resource = FindPointer(call, address, &offset);
  if (resource == nullptr) {
    call.CheckUnknown(address, binding->region.end(), "devPtr");
    return;
  }
  binding->resource = resource;
  binding->region.offset += offset;
  binding->alignment = DeviceAttribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  if (binding->alignment != 0 && address % binding->alignment == 0) binding->alignment = 0;
  rules::OnBinding(*binding, call);
}

}  // namespace

void CheckTexture(CuCall& call, const CUDA_RESOURCE_DESC& resource,
                  const CUDA_RESOURCE_VIEW_DESC* view) {
  Binding binding;
  binding.kind = ObjectKind::kTexture;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      binding.resource = UseArray(call, resource.res.array.hArray, "hArray");
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      binding.resource = static_cast<Resource*>(
          call.tracker().objects().Use(call, HandleOf(resource.res.mipmap.hMipmappedArray),
                                       MaskOf(ObjectKind::kMipmap), "hMipmappedArray"));
      break;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      binding.region = Region::Linear(0, linear.sizeInBytes);
      const uint64_t element = ElementBytes(linear.format, linear.numChannels);
      const uint64_t limit = DeviceAttribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
      if (element != 0 && limit != 0 && linear.sizeInBytes / element > limit) {
        call.FailureFact(absl::StrCat("sizeInBytes ", linear.sizeInBytes, " are ",
                                      linear.sizeInBytes / element, " elements, the device allows ",
                                      limit));
      }
      return CheckLinear(call, linear.devPtr, &binding);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitch = resource.res.pitch2D;
      const uint64_t element = ElementBytes(pitch.format, pitch.numChannels);
      if (element == 0 || pitch.width == 0 || pitch.height == 0) {
        call.FailureFact(absl::StrCat("width ", pitch.width, ", height ", pitch.height,
                                      ", elements of ", element, " B"));
        return;
      }
      binding.pitches_given = true;
      binding.row_pitch = pitch.pitchInBytes;
      binding.row_bytes = SaturatingMultiply(pitch.width, element);
      binding.pitch_alignment = DeviceAttribute(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
      binding.region =
          Region::Strided(0, binding.row_bytes, pitch.height, pitch.pitchInBytes, 1, 0);
      return CheckLinear(call, pitch.devPtr, &binding);
    }
    default:
      call.FailureFact("resType is not a CUresourcetype value");
      return;
  }
  if (binding.resource == nullptr) return;
  if (view != nullptr) {
    binding.needed_format = NeededBase(*view, *binding.resource->image);
    CheckViewRange(call, *view, *binding.resource);
  }
  rules::OnBinding(binding, call);
}

void CheckSurface(CuCall& call, const CUDA_RESOURCE_DESC& resource) {
  if (resource.resType != CU_RESOURCE_TYPE_ARRAY) {
    call.FailureFact("a surface requires an array, but resType names another kind of resource");
    return;
  }
  Binding binding;
  binding.kind = ObjectKind::kSurface;
  binding.resource = UseArray(call, resource.res.array.hArray, "hArray");
  if (binding.resource == nullptr) return;
  // Imported arrays have unknown flags.
  if (!binding.resource->has(kImported) &&
      (binding.resource->native_flags & CUDA_ARRAY3D_SURFACE_LDST) == 0)
    binding.missing_usage = "CUDA_ARRAY3D_SURFACE_LDST";
  rules::OnBinding(binding, call);
}

void CreatedView(CuCall& call, ObjectKind kind, uintptr_t handle,
                 const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC* texture,
                 const CUDA_RESOURCE_VIEW_DESC* view_shape) {
  Context* context = call.current();
  PlainObject* view = call.tracker().objects().NewPlain(
      call, kind, KeyOf(kind, handle), context != nullptr ? context->object : nullptr);
  // A program that creates the same view again no longer needs the previous one.
  const uint32_t print = PrintOf(resource, texture, view_shape);
  view->mark.store(print, std::memory_order_relaxed);
  call.tracker().objects().creation_loops().Note(view, [&](const Object& last) {
    return last.context == view->context && static_cast<const PlainObject&>(last).mark == print;
  });
  uintptr_t address = 0;
  Resource* memory = MemoryOf(call, resource, &address);
  // Other APIs map imported memory again, maybe under the same handle.
  if (memory == nullptr || memory->has(kImported) || memory->adopted) return;
  auto* part = new ViewPart;
  part->memory = WeakRef<Resource>(memory);
  part->address = address;
  part->bytes = LinearBytes(resource);
  view->part = part;
}

void CheckViewUse(CuCall& call, ObjectKind kind, uintptr_t handle, const std::string& user) {
  Objects& objects = call.tracker().objects();
  const Object* view = objects.Find(Api::kCuda, KeyOf(kind, handle));
  if (handle == 0 || view == nullptr || view->kind != kind) return;
  if (!view->live()) {
    objects.Use(call, KeyOf(kind, handle), MaskOf(kind), user.c_str());
    return;
  }
  const auto* part = static_cast<const ViewPart*>(static_cast<const PlainObject*>(view)->part);
  const Resource* memory = part != nullptr ? part->memory.get() : nullptr;
  if (memory == nullptr || memory->live()) return;
  // New memory may lie at the address.
  uint64_t offset = 0;
  if (part->address != 0 && FindPointer(call, part->address, &offset) != nullptr) return;
  const std::string argument =
      absl::StrCat("the memory of ", ObjectText(*view, call.words()), ", which is ", user, ",");
  rules::OnHandleUse({memory, MaskOf(memory->kind), argument.c_str()}, call);
}

ViewMemory MemoryOfView(CuCall& call, ObjectKind kind, uintptr_t handle) {
  const Object* view = call.tracker().objects().Find(Api::kCuda, KeyOf(kind, handle));
  if (handle == 0 || view == nullptr || view->kind != kind || !view->live()) return {};
  const auto* part = static_cast<const ViewPart*>(static_cast<const PlainObject*>(view)->part);
  Resource* memory = part != nullptr ? part->memory.get() : nullptr;
  if (memory == nullptr || !memory->live()) return {};
  if (part->address == 0) {
    return memory->kind == ObjectKind::kImage ? ViewMemory{memory, 0, 0} : ViewMemory();
  }
  const uint64_t offset = part->address - memory->handle;
  if (part->bytes == 0 || offset >= memory->bytes || part->bytes > memory->bytes - offset)
    return {};
  return {memory, offset, part->bytes};
}

Object* DestroyView(CuCall& call, ObjectKind kind, uintptr_t handle, const char* argument) {
  if (handle == 0) return nullptr;
  Object* view =
      call.tracker().objects().UseForRelease(call, KeyOf(kind, handle), MaskOf(kind), argument);
  if (view != nullptr) call.tracker().objects().Release(call, view);
  return view;
}

void WrittenByKernels(CuCall& call, CUarray handle) {
  Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  if (object == nullptr || object->kind != ObjectKind::kImage) return;
  Resource* root = static_cast<Resource*>(object)->root;
  std::lock_guard lock(root->lock);
  root->init.MarkAll();
}

}  // namespace gpusan::cuda
