// Handlers that create memory objects: buffers, sub-buffers, images, pipes, objects shared with
// graphics APIs.
#include "hooks/opencl/objects/memory.h"

#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/context_devices.h"
#include "hooks/opencl/guards/guards.h"
#include "hooks/opencl/objects/image_limits.h"
#include "hooks/opencl/words/formats.h"
#include "hooks/opencl/words/names.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {
namespace {

constexpr cl_mem_flags kKernelFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostFlags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

constexpr cl_mem_flags kCoreFlags =
    kKernelFlags | kHostFlags | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR |
    CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS | CL_MEM_KERNEL_READ_AND_WRITE;

bool SeveralOf(cl_mem_flags flags, cl_mem_flags group) {
  const cl_mem_flags set = flags & group;
  return (set & (set - 1)) != 0;
}

uint16_t NeutralFlags(cl_mem_flags flags) {
  uint16_t neutral = 0;
  if ((flags & ~cl_mem_flags{CL_MEM_READ_WRITE}) == 0) return neutral;
  if (flags & CL_MEM_READ_ONLY) neutral |= kKernelReadOnly;
  if (flags & CL_MEM_WRITE_ONLY) neutral |= kKernelWriteOnly;
  if (flags & CL_MEM_HOST_NO_ACCESS) neutral |= kHostNoAccess;
  if (flags & CL_MEM_HOST_READ_ONLY) neutral |= kHostReadOnly;
  if (flags & CL_MEM_HOST_WRITE_ONLY) neutral |= kHostWriteOnly;
  if (flags & CL_MEM_USE_HOST_PTR) neutral |= kUsesHostMemory;
  if (flags & CL_MEM_COPY_HOST_PTR) neutral |= kCopiedHostMemory;
  return neutral;
}

// Returns the rule of OpenCL 3.0 §5.2.1 (table of memory flags) that the flags break; nullptr if
// none. Sets *pointer if the rule is about host_ptr.
const char* FlagConflict(cl_mem_flags flags, const void* host_ptr, bool* pointer) {
  *pointer = false;
  if ((flags & ~cl_mem_flags{CL_MEM_READ_WRITE}) == 0 && host_ptr == nullptr) return nullptr;
  if (SeveralOf(flags, kKernelFlags))
    return "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other";
  if (SeveralOf(flags, kHostFlags)) {
    return "CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS exclude each "
           "other";
  }
  if ((flags & CL_MEM_USE_HOST_PTR) != 0 &&
      (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) {
    return "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR";
  }
  *pointer = true;
  const bool needs = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  if (needs && host_ptr == nullptr) {
    return "CL_MEM_USE_HOST_PTR and CL_MEM_COPY_HOST_PTR need a host pointer, but host_ptr is NULL";
  }
  if (!needs && host_ptr != nullptr) {
    return "host_ptr is not NULL, but neither CL_MEM_USE_HOST_PTR nor CL_MEM_COPY_HOST_PTR is set";
  }
  *pointer = false;
  return nullptr;
}

// Returns the rule by which an object made from `parent` must not have these flags (OpenCL 3.0
// §5.2.1, clCreateSubBuffer; §5.3.1, clCreateImage); nullptr if none.
const char* InheritanceConflict(cl_mem_flags flags, cl_mem_flags parent) {
  if (flags == 0) return nullptr;
  if ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) {
    return "CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR are inherited from "
           "the parent and must not be given";
  }
  if (SeveralOf(flags, kKernelFlags))
    return "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other";
  if (SeveralOf(flags, kHostFlags)) {
    return "CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS exclude each "
           "other";
  }
  if ((parent & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0)
    return "kernels may only write the parent, so they must not read the new object";
  if ((parent & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0)
    return "kernels may only read the parent, so they must not write the new object";
  if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0)
    return "the host may only write the parent, so it must not read the new object";
  if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0)
    return "the host may only read the parent, so it must not write the new object";
  if ((parent & CL_MEM_HOST_NO_ACCESS) != 0 &&
      (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0) {
    return "the host may not access the parent, so it must not access the new object";
  }
  return nullptr;
}

// Returns whether the properties may import memory that others wrote: external handles, device
// addresses.
bool Imports(const cl_mem_properties* properties) {
  return properties != nullptr && *properties != 0;
}

// Describes the requested object, for a finding that lists the clauses which may be broken.
std::string AskedText(const Creation& creation, cl_mem_flags flags) {
  if (creation.parent != nullptr &&
      SaturatingAdd(creation.parent_offset, creation.bytes) > creation.parent->bytes) {
    return absl::StrCat("origin ", creation.parent_offset, " + size ", creation.bytes,
                        " reaches past the parent's ", creation.parent->bytes, " B");
  }
  std::string text = "requested: ";
  if (creation.image != nullptr) {
    const ImageInfo& image = *creation.image;
    const cl_image_format format = {image.native_order, image.native_data_type};
    absl::StrAppend(&text, FormatText(format), ", ", image.extent[0], "x", image.extent[1], "x",
                    image.extent[2]);
  } else {
    absl::StrAppend(&text, creation.bytes, " B");
  }
  return flags == 0 ? text : absl::StrCat(text, ", ", MemFlagsText(flags));
}

// Fills `image` from a description. Returns false if the description is not valid: then nothing is
// checked, and the driver returns the error.
bool DescribeImage(const cl_image_format* format, const cl_image_desc* desc, ImageInfo* image) {
  if (format == nullptr || desc == nullptr) return false;
  image->native_type = desc->image_type;
  image->native_order = format->image_channel_order;
  image->native_data_type = format->image_channel_data_type;
  image->texel_bytes = static_cast<uint32_t>(TexelBytes(*format));
  image->channels = static_cast<uint32_t>(ChannelCount(format->image_channel_order));
  image->extent[0] = desc->image_width;
  switch (desc->image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      image->dimensions = 1;
      break;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      image->dimensions = 2;
      image->array = true;
      image->extent[1] = desc->image_array_size;
      break;
    case CL_MEM_OBJECT_IMAGE2D:
      image->dimensions = 2;
      image->extent[1] = desc->image_height;
      break;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      image->dimensions = 3;
      image->array = true;
      image->extent[1] = desc->image_height;
      image->extent[2] = desc->image_array_size;
      break;
    case CL_MEM_OBJECT_IMAGE3D:
      image->dimensions = 3;
      image->extent[1] = desc->image_height;
      image->extent[2] = desc->image_depth;
      break;
    default:
      return false;
  }
  image->row_pitch = SaturatingMultiply(image->extent[0], image->texel_bytes);
  image->slice_pitch = SaturatingMultiply(image->row_pitch, image->extent[1]);
  return true;
}

// Returns the texels of an image with `levels` mip levels, times the size of a texel [bytes].
uint64_t MipBytes(const ImageInfo& image, cl_uint levels) {
  uint64_t extent[3] = {image.extent[0], image.extent[1], image.extent[2]};
  uint64_t bytes = 0;
  for (cl_uint level = 0; level < levels && level < 32; ++level) {
    bytes =
        SaturatingAdd(bytes, SaturatingMultiply(SaturatingMultiply(extent[0], image.texel_bytes),
                                                SaturatingMultiply(extent[1], extent[2])));
    for (int axis = 0; axis < 3; ++axis) {
      const bool layers = image.array && axis == image.dimensions - 1;
      if (!layers && extent[axis] > 1) extent[axis] /= 2;
    }
  }
  return bytes;
}

uint64_t ImageBytes(const ImageInfo& image) {
  return SaturatingMultiply(image.slice_pitch, image.extent[2]);
}

// Returns the bytes at host_ptr that the call reads or keeps. The specification requires whole
// pitches (OpenCL 3.0 §5.3.1.2, image descriptor), but drivers never access the padding behind the
// last row: host_ptr may be a part of a larger array.
uint64_t HostBytes(const ImageInfo& image, const cl_image_desc& desc) {
  for (uint64_t extent : image.extent) {
    if (extent == 0) return 0;
  }
  const uint64_t row = desc.image_row_pitch != 0 ? desc.image_row_pitch : image.row_pitch;
  const bool layers_are_rows = image.array && image.dimensions == 2;
  const uint64_t row_step =
      layers_are_rows && desc.image_slice_pitch != 0 ? desc.image_slice_pitch : row;
  const uint64_t slice = desc.image_slice_pitch != 0 ? desc.image_slice_pitch
                                                     : SaturatingMultiply(row, image.extent[1]);
  return SaturatingAdd(
      SaturatingMultiply(image.extent[2] - 1, slice),
      SaturatingAdd(SaturatingMultiply(image.extent[1] - 1, row_step), image.row_pitch));
}

// Returns the smallest alignment [bytes] that a device of the context requires of sub-buffers; 0 if
// a query fails.
uint64_t SubBufferAlignment(ClCall& call, const Object* context) {
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  if (get_device == nullptr) return 0;
  uint64_t smallest = 0;
  for (cl_device_id device : DevicesOf(call, context)) {
    cl_uint bits = 0;
    if (get_device(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, nullptr) !=
        CL_SUCCESS)
      return 0;
    if (smallest == 0 || bits / 8 < smallest) smallest = bits / 8;
  }
  return smallest;
}

// Returns why the driver rejects the format; empty if it supports the format, or does not say.
std::string FormatReason(ClCall& call, const Object& context, cl_mem_flags flags,
                         cl_mem_object_type type, const cl_image_format& format) {
  constexpr cl_uint kMost = 1024;
  const auto ask = GPUSAN_NEXT(call, clGetSupportedImageFormats);
  if (ask == nullptr) return "";
  const cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
  std::vector<cl_image_format> formats(kMost);
  cl_uint count = 0;
  if (ask(reinterpret_cast<cl_context>(context.handle), access != 0 ? access : CL_MEM_READ_WRITE,
          type, kMost, formats.data(), &count) != CL_SUCCESS ||
      count == 0 || count > kMost)
    return "";
  for (cl_uint i = 0; i < count; ++i) {
    if (formats[i].image_channel_order == format.image_channel_order &&
        formats[i].image_channel_data_type == format.image_channel_data_type)
      return "";
  }
  return absl::StrCat("no device of context supports ", FormatText(format),
                      " for this image_type and these flags; clGetSupportedImageFormats returns ",
                      count, " other formats (OpenCL 3.0 §5.3.1)");
}

}  // namespace

namespace handlers {

void MemoryHandler::Begin(ClCall& call, cl_context context, cl_mem_flags flags, bool imports) {
  context_ = creation_.parent != nullptr ? creation_.parent->context : UseContext(call, context);
  imports_ = imports;
  creation_.native_flags = flags;
  creation_.flags_text = [](uint64_t native) { return MemFlagsText(native); };
  creation_.flags = NeutralFlags(flags);
  if ((flags & ~kCoreFlags) != 0) {
    // A flag of a vendor's extension may give host_ptr another meaning.
    creation_.host_bytes = 0;
    creation_.flags &= static_cast<uint16_t>(~kUsesHostMemory);
    imports_ = true;
  } else if (creation_.parent == nullptr) {
    creation_.conflict =
        FlagConflict(flags, creation_.host_pointer, &creation_.conflict_is_pointer);
    if (creation_.host_pointer != nullptr && !imports)
      call.tracker().accesses().CheckHostRead(call, creation_.host_pointer, creation_.host_bytes);
  } else if (!creation_.parent->has(kImported)) {
    creation_.conflict = InheritanceConflict(flags, creation_.parent->native_flags);
  }
  rules::OnCreate(creation_, call);
}

void MemoryHandler::BeginBuffer(ClCall& call, cl_context context, cl_mem_flags flags, size_t size,
                                const void* host_ptr, bool imports) {
  creation_.bytes = size;
  creation_.host_pointer = host_ptr;
  creation_.host_bytes = size;
  Begin(call, context, flags, imports);
}

void MemoryHandler::Explain(ClCall& call) {
  call.tracker().objects().NoteFailedCreation(call, creation_.kind, call.code(), creation_.bytes);
  const Resource* const parent = creation_.parent;
  std::string too_large;
  if (creation_.image != nullptr) {
    too_large = TooLargeText(call, context_, *creation_.image);
  } else if (parent == nullptr && creation_.kind == ObjectKind::kBuffer) {
    too_large = TooLargeText(call, context_, creation_.bytes);
  }
  if (!too_large.empty()) call.FailureReason(too_large);
  if (creation_.image != nullptr && parent != nullptr && creation_.bytes > parent->bytes) {
    call.FailureReason(absl::StrCat("image_desc describes an image of ", creation_.bytes,
                                    " B, but its buffer has ", parent->bytes,
                                    " B (OpenCL 3.0 §5.3.1.2)"));
  }
  if (call.code() == CL_INVALID_MEM_OBJECT && creation_.kind == ObjectKind::kBuffer &&
      parent != nullptr && parent->parent != nullptr)
    call.FailureReason("buffer is a sub-buffer, which has no sub-buffers (OpenCL 3.0 §5.2.1)");
  if (call.code() == CL_INVALID_BUFFER_SIZE && creation_.bytes == 0)
    call.FailureReason("size is 0 (OpenCL 3.0 §5.2.1)");
  const bool may_be_format = call.code() == CL_IMAGE_FORMAT_NOT_SUPPORTED ||
                             call.code() == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR ||
                             call.code() == CL_INVALID_VALUE ||
                             call.code() == CL_INVALID_OPERATION;  // of PoCL
  if (too_large.empty() && may_be_format && format_ != nullptr && context_ != nullptr)
    call.FailureReason(FormatReason(call, *context_, creation_.native_flags, type_, *format_));
  // Programs find out by the call whether the device has pipes.
  if (creation_.kind == ObjectKind::kPipe && call.code() == CL_INVALID_OPERATION)
    call.IgnoreFailure();
  call.Requested(creation_.bytes, !too_large.empty());
  call.FailureFact(too_large.empty() ? AskedText(creation_, creation_.native_flags)
                                     : std::move(too_large));
}

ResourceSpec MemoryHandler::SpecOf(cl_mem memory) const {
  const cl_mem_flags flags = creation_.native_flags;
  ResourceSpec spec;
  spec.kind = creation_.kind;
  spec.handle = HandleOf(memory);
  spec.context = context_;
  spec.bytes = creation_.bytes;
  spec.native_flags = flags;
  spec.flags = creation_.flags;
  spec.image = creation_.image;
  spec.parent = creation_.parent;
  spec.parent_offset = creation_.parent_offset;
  spec.initialized = creation_.host_pointer != nullptr || imports_;
  if (spec.flags & kUsesHostMemory) spec.address = HandleOf(creation_.host_pointer);
  if (const Resource* parent = creation_.parent; parent != nullptr) {
    // Unset groups of flags are inherited from the parent (OpenCL 3.0 §5.2.1, clCreateSubBuffer).
    if ((flags & kKernelFlags) == 0) {
      spec.flags |= parent->flags & (kKernelReadOnly | kKernelWriteOnly);
      spec.native_flags |= parent->native_flags & kKernelFlags;
    }
    if ((flags & kHostFlags) == 0) {
      spec.flags |= parent->flags & (kHostNoAccess | kHostReadOnly | kHostWriteOnly);
      spec.native_flags |= parent->native_flags & kHostFlags;
    }
    spec.flags |= parent->flags & (kImported | kHostVisible);
  }
  return spec;
}

void MemoryHandler::After(ClCall& call, cl_mem memory) {
  if (memory == nullptr) return Explain(call);
  const Resource* resource = call.tracker().objects().NewResource(call, SpecOf(memory));
  if (GuardsOn() && resource != nullptr && resource->kind == ObjectKind::kBuffer &&
      resource->parent == nullptr)
    DescribeGuarded(*resource);
}

void clCreateBuffer::Before(ClCall& call, cl_context context, cl_mem_flags flags, size_t size,
                            void* host_ptr, cl_int*) {
  BeginBuffer(call, context, flags, size, host_ptr);
}

void clCreateBufferWithProperties::Before(ClCall& call, cl_context context,
                                          const cl_mem_properties* properties, cl_mem_flags flags,
                                          size_t size, void* host_ptr, cl_int*) {
  BeginBuffer(call, context, flags, size, host_ptr, Imports(properties));
}

void clCreateBufferNV::Before(ClCall& call, cl_context context, cl_mem_flags flags, cl_mem_flags_NV,
                              size_t size, void* host_ptr, cl_int*) {
  BeginBuffer(call, context, flags, size, host_ptr);
}

void clCreateSubBuffer::Before(ClCall& call, cl_mem buffer, cl_mem_flags flags,
                               cl_buffer_create_type type, const void* info, cl_int*) {
  Resource* parent = UseMemory(call, nullptr, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  if (parent == nullptr || type != CL_BUFFER_CREATE_TYPE_REGION || info == nullptr) return;
  const auto* region = static_cast<const cl_buffer_region*>(info);
  creation_.bytes = region->size;
  creation_.parent = parent;
  creation_.parent_offset = region->origin;
  // No device requires a larger alignment: skip the query for such origins.
  if (region->origin % 4096 != 0)
    creation_.parent_alignment = SubBufferAlignment(call, parent->context);
  Begin(call, nullptr, flags);
}

void clCreateSubBuffer::After(ClCall& call, cl_mem memory) {
  if (creation_.parent != nullptr) {
    MemoryHandler::After(call, memory);
  } else {
    Created(call, ObjectKind::kBuffer, memory);
  }
}

void clCreatePipe::Before(ClCall& call, cl_context context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, const cl_pipe_properties*, cl_int*) {
  creation_.kind = ObjectKind::kPipe;
  creation_.bytes = SaturatingMultiply(packet_size, max_packets);
  Begin(call, context, flags);
}

void ImageHandler::GiveReason(ClCall& call, const cl_image_format* format,
                              const cl_image_desc& desc) const {
  const cl_mem_object_type type = desc.image_type;
  const bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const bool high = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                    type == CL_MEM_OBJECT_IMAGE3D;
  const char* empty = desc.image_width == 0                                    ? "image_width"
                      : high && desc.image_height == 0                         ? "image_height"
                      : type == CL_MEM_OBJECT_IMAGE3D && desc.image_depth == 0 ? "image_depth"
                      : array && desc.image_array_size == 0                    ? "image_array_size"
                                                                               : nullptr;
  if (empty != nullptr) call.FailureReason(absl::StrCat(empty, " is 0 (OpenCL 3.0 §5.3.1.2)"));
  if (format != nullptr && !FormatIsConsistent(*format)) {
    call.FailureReason(absl::StrCat(FormatText(*format),
                                    " is no combination of channel order and type that exists "
                                    "(OpenCL 3.0 §5.3.1.1)"));
  }
}

void ImageHandler::BeginImage(ClCall& call, cl_context context, cl_mem_flags flags,
                              const cl_image_format* format, const cl_image_desc* desc,
                              const void* host_ptr, bool imports) {
  creation_.kind = ObjectKind::kImage;
  creation_.host_pointer = host_ptr;
  if (desc != nullptr) {
    GiveReason(call, format, *desc);
    format_ = format;
    type_ = desc->image_type;
  }
  if (DescribeImage(format, desc, &image_)) {
    creation_.image = &image_;
    creation_.row_pitch = desc->image_row_pitch;
    creation_.slice_pitch = desc->image_slice_pitch;
    if (host_ptr != nullptr && image_.texel_bytes != 0)
      creation_.host_bytes = HostBytes(image_, *desc);
    if (imports)
      creation_.row_pitch = creation_.slice_pitch = 0;  // they describe the imported memory
    if (desc->mem_object != nullptr) {
      creation_.parent =
          UseMemory(call, nullptr, desc->mem_object, AnyOf(ObjectKind::kBuffer, ObjectKind::kImage),
                    "image_desc->mem_object");
      imports = imports || creation_.parent == nullptr;  // the contents are not known
      // PoCL 3.1 makes no images from sub-buffers, of which the program knows nothing.
      if (HasGuardZones(desc->mem_object)) call.IgnoreFailure();
      if (creation_.parent != nullptr && desc->image_row_pitch != 0 && image_.dimensions == 2) {
        image_.row_pitch = desc->image_row_pitch;
        image_.slice_pitch = SaturatingMultiply(image_.row_pitch, image_.extent[1]);
      }
    }
    creation_.bytes = ImageBytes(image_);
    if (desc->num_mip_levels > 1) {
      // The origin of a region names a level, too (cl_khr_mipmap_image): regions are not checked,
      // as if the format were not known.
      creation_.bytes = MipBytes(image_, desc->num_mip_levels);
      image_.texel_bytes = 0;
    }
    if (creation_.parent != nullptr && image_.dimensions == 2 &&
        creation_.bytes > creation_.parent->bytes) {
      // The parent may end before the padding of the last row.
      creation_.bytes = creation_.parent->bytes;
    }
  }
  Begin(call, context, flags, imports);
}

void clCreateImage::Before(ClCall& call, cl_context context, cl_mem_flags flags,
                           const cl_image_format* format, const cl_image_desc* desc, void* host_ptr,
                           cl_int*) {
  BeginImage(call, context, flags, format, desc, host_ptr);
}

void clCreateImageWithProperties::Before(ClCall& call, cl_context context,
                                         const cl_mem_properties* properties, cl_mem_flags flags,
                                         const cl_image_format* format, const cl_image_desc* desc,
                                         void* host_ptr, cl_int*) {
  BeginImage(call, context, flags, format, desc, host_ptr, Imports(properties));
}

void clCreateImage2D::Before(ClCall& call, cl_context context, cl_mem_flags flags,
                             const cl_image_format* format, size_t width, size_t height,
                             size_t row_pitch, void* host_ptr, cl_int*) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_row_pitch = row_pitch;
  BeginImage(call, context, flags, format, &desc, host_ptr);
}

void clCreateImage3D::Before(ClCall& call, cl_context context, cl_mem_flags flags,
                             const cl_image_format* format, size_t width, size_t height,
                             size_t depth, size_t row_pitch, size_t slice_pitch, void* host_ptr,
                             cl_int*) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_depth = depth;
  desc.image_row_pitch = row_pitch;
  desc.image_slice_pitch = slice_pitch;
  BeginImage(call, context, flags, format, &desc, host_ptr);
}

void clSetMemObjectDestructorCallback::Before(ClCall& call, cl_mem memory, MemoryDestructor& notify,
                                              void*& user_data) {
  resource_ = UseMemory(call, nullptr, memory, kAnyMemory, "memobj");
  wrapped_ = WrapMemoryDestructor(notify, user_data);
  wrapped_.Replace(notify, user_data);
}

void clSetMemObjectDestructorCallback::After(ClCall& call, cl_int code) {
  if (code != CL_SUCCESS) return wrapped_.Discard();
  if (resource_ == nullptr || !resource_->has(kUsesHostMemory)) return;
  // The program learns by the callback that no command uses the host memory of the object.
  call.tracker().host_side().Unpin(resource_);
  resource_->address = 0;
}

void clSetContentSizeBufferPoCL::Before(ClCall& call, cl_mem buffer, cl_mem content_size_buffer) {
  Resource* resource = UseMemory(call, nullptr, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  UseMemory(call, resource, content_size_buffer, MaskOf(ObjectKind::kBuffer),
            "content_size_buffer");
}

// --- shared with OpenGL, EGL and others

void SharedMemoryHandler::Begin(ClCall& call, ObjectKind kind, cl_context context,
                                cl_mem_flags flags) {
  kind_ = kind;
  context_ = UseContext(call, context);
  flags_ = flags;
}

void SharedMemoryHandler::After(ClCall& call, cl_mem memory) {
  if (!Created(call, kind_, memory)) return;
  ResourceSpec spec;
  spec.kind = kind_;
  spec.handle = HandleOf(memory);
  spec.context = context_;
  spec.native_flags = flags_;
  spec.flags = static_cast<uint16_t>(NeutralFlags(flags_) | kImported);
  call.tracker().objects().NewResource(call, spec);
}

void clCreateFromEGLImageKHR::Before(ClCall& call, cl_context context, CLeglDisplayKHR,
                                     CLeglImageKHR, cl_mem_flags flags,
                                     const cl_egl_image_properties_khr*, cl_int*) {
  Begin(call, ObjectKind::kImage, context, flags);
}

}  // namespace handlers
}  // namespace gpusan::opencl
