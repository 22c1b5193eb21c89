// Handlers of mapped regions of buffers and images.
#include "hooks/opencl/commands/mappings.h"

#include "hooks/opencl/objects/map_guards.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

// Returns whether the driver chooses the addresses of mapped regions. It does not if the memory
// belongs to the program, which CL_MEM_USE_HOST_PTR or a flag of a vendor means.
bool DriverChoosesAddress(const Resource& resource) {
  constexpr cl_mem_flags kVendorFlags = ~((cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE} << 1) - 1);
  return (resource.root->native_flags & (kVendorFlags | CL_MEM_USE_HOST_PTR)) == 0;
}

// Reports bits that are not flags of cl_map_flags, because drivers accept them.
void CheckKnown(ClCall& call, const Resource* resource, cl_map_flags flags) {
  constexpr cl_map_flags kAll = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if ((flags & ~kAll) == 0) [[likely]]
    return;
  rules::OnFaultyCall({rules::CallFault::kMapFlags,
                       {{"flags", flags}, {"text", Hex(flags)}, {"unknown", Hex(flags & ~kAll)}},
                       resource},
                      call);
}

// Reports flags that both keep and discard the content of the region.
void CheckFlags(ClCall& call, const Resource* resource, cl_map_flags flags) {
  CheckKnown(call, resource, flags);
  constexpr cl_map_flags kKeeps = CL_MAP_READ | CL_MAP_WRITE;
  if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & kKeeps) == 0) [[likely]]
    return;
  const char* kept = (flags & kKeeps) == kKeeps   ? "CL_MAP_READ and CL_MAP_WRITE"
                     : (flags & CL_MAP_READ) != 0 ? "CL_MAP_READ"
                                                  : "CL_MAP_WRITE";
  rules::OnFaultyCall(
      {rules::CallFault::kMapKeepsAndDiscards, {{"flags", flags}, {"kept", kept}}, resource}, call);
}

}  // namespace

void EnqueueMap::BeginMap(ClCall& call, const Side& side, bool known, cl_bool blocking,
                          cl_map_flags flags) {
  CheckFlags(call, side.resource, flags);
  if (known && side.region.empty())
    call.FailureReason("size is 0 (OpenCL 3.0 §5.2.4, clEnqueueMapBuffer)");
  if (blocking) CheckMayBlock(call);
  BeginTransfer(call, [&] {
    DescribedTransfer described{{TransferKind::kMap, side}, known};
    described.transfer.blocking = blocking;
    described.transfer.map_read = (flags & CL_MAP_READ) != 0;
    described.transfer.map_write = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    described.transfer.map_pinned = side.resource != nullptr && (side.resource->root->native_flags &
                                                                 CL_MEM_ALLOC_HOST_PTR) != 0;
    return described;
  });
}

void EnqueueMap::EndMap(ClCall& call, cl_int code, void* pointer, uint64_t host_bytes) {
  EnqueueTransfer::After(call, code);
  if (code != CL_SUCCESS || !known() || pointer == nullptr) return;
  call.tracker().accesses().AddMapping(call, command(), transfer(), pointer, host_bytes);
  const Side& side = transfer().source;
  const bool image = side.resource->image != nullptr;
  GuardPendingMap(call, command(), transfer(), pointer, image ? host_bytes : side.region.bytes());
}

void EnqueueUnmap::BeginUnmap(ClCall& call, Resource* resource, void* pointer) {
  if (resource != nullptr) DropMapGuards(*resource);
  if (resource != nullptr &&
      call.tracker().accesses().RemoveMapping(call, resource, pointer, &mapping_))
    resource_ = resource;
  BeginTransfer(call, [&] {
    DescribedTransfer described;
    described.transfer.kind = TransferKind::kUnmap;
    described.transfer.map_write = mapping_.write;
    described.known = resource_ != nullptr;
    if (resource_ != nullptr) {
      described.transfer.source.resource = resource_->root;
      described.transfer.source.region = mapping_.region;
    }
    return described;
  });
  if (resource_ != nullptr && !resource_->root->by_address() && DriverChoosesAddress(*resource_))
    call.tracker().accesses().CheckUnmapped(call, command(), *resource_->root, mapping_);
}

void EnqueueUnmap::After(ClCall& call, cl_int code) {
  if (code != CL_SUCCESS && resource_ != nullptr)
    call.tracker().accesses().RestoreMapping(resource_, mapping_);
  EnqueueTransfer::After(call, code);
}

namespace handlers {

void clEnqueueMapBuffer::Before(ClCall& call, cl_command_queue queue, cl_mem buffer,
                                cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
                                cl_uint count, const cl_event* list, cl_event* event, cl_int*) {
  Open(call, queue, count, list, event);
  Resource* resource = Memory(call, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  BeginMap(call, BufferSide(resource, offset, size), HasKnownBytes(resource), blocking, flags);
}

void clEnqueueMapImage::Before(ClCall& call, cl_command_queue queue, cl_mem image, cl_bool blocking,
                               cl_map_flags flags, const size_t* origin, const size_t* region,
                               size_t* row_pitch, size_t* slice_pitch, cl_uint count,
                               const cl_event* list, cl_event* event, cl_int*) {
  Open(call, queue, count, list, event);
  Resource* resource = Memory(call, image, MaskOf(ObjectKind::kImage), "image");
  if (row_pitch == nullptr) {
    call.FailureReason("image_row_pitch is NULL (OpenCL 3.0 §5.3.6)");
  } else if (slice_pitch == nullptr && resource != nullptr && resource->image != nullptr &&
             (resource->image->array || resource->image->dimensions == 3)) {
    call.FailureReason(
        "image_slice_pitch is NULL, but image is a 3D image or an image array (OpenCL 3.0 §5.3.6)");
  }
  const bool known = HasKnownTexels(resource, origin, region);
  BeginMap(call, known ? ImageSide(resource, origin, region) : Side(), known, blocking, flags);
}

void clEnqueueMapBuffer::After(ClCall& call, void* pointer) {
  const bool sized = known() && DriverChoosesAddress(*transfer().source.resource);
  EndMap(call, call.code(), pointer, sized ? transfer().source.region.bytes() : 0);
}

void clEnqueueMapImage::After(ClCall& call, void* pointer, cl_command_queue, cl_mem, cl_bool,
                              cl_map_flags, const size_t*, const size_t* region, size_t* row_pitch,
                              size_t* slice_pitch, cl_uint, const cl_event*, cl_event*, cl_int*) {
  uint64_t bytes = 0;
  // Rows with gaps between them: it is not known where the last gap ends.
  if (pointer != nullptr && known() && row_pitch != nullptr &&
      DriverChoosesAddress(*transfer().source.resource)) {
    const ImageInfo& image = *transfer().source.resource->image;
    const uint64_t row = region[0] * image.texel_bytes;
    const uint64_t slice = row * region[1];
    if ((image.dimensions == 1 || *row_pitch == row) &&
        (region[2] == 1 || (slice_pitch != nullptr && *slice_pitch == slice)))
      bytes = slice * region[2];
    if (image.array && image.dimensions == 2 && (slice_pitch == nullptr || *slice_pitch != row))
      bytes = 0;
  }
  EndMap(call, call.code(), pointer, bytes);
}

void clEnqueueUnmapMemObject::Before(ClCall& call, cl_command_queue queue, cl_mem memory,
                                     void* pointer, cl_uint count, const cl_event* list,
                                     cl_event* event) {
  Open(call, queue, count, list, event);
  Resource* resource = Memory(call, memory, kAnyMemory, "memobj");
  // Mappings of images of unknown format are not kept.
  const bool known =
      HasKnownBytes(resource) && (resource->image == nullptr || resource->image->texel_bytes != 0);
  BeginUnmap(call, known ? resource : nullptr, pointer);
}

}  // namespace handlers
}  // namespace gpusan::opencl
