// Handlers of shared virtual memory.
#include "hooks/opencl/commands/svm.h"

#include <algorithm>

#include "hooks/opencl/guards/guards.h"
#include "hooks/opencl/objects/map_guards.h"
#include "hooks/opencl/objects/shared_memory.h"
#include "hooks/opencl/words/failure_clauses.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl::handlers {
namespace {

// One call frees an allocation that its list names twice. Drivers do not compare the pointers.
void ReportFreedTwice(ClCall& call, const Resource& resource, cl_uint index) {
  rules::OnFaultyCall({rules::CallFault::kFreedTwiceByCall,
                       {{"argument", absl::StrCat("svm_pointers[", index, "]")}},
                       &resource},
                      call);
}

// Drivers do not check ranges that end past the allocation: some accept them, others crash.
void CheckMigratedRange(ClCall& call, const Resource& resource, cl_uint index, uint64_t offset,
                        uint64_t bytes) {
  if (resource.kind != ObjectKind::kSvm || !resource.live() || resource.adopted ||
      SaturatingAdd(offset, bytes) <= resource.bytes)
    return;
  rules::OnFaultyCall({rules::CallFault::kMigratesPastEnd,
                       {{"index", uint64_t{index}},
                        {"size_bytes", bytes},
                        {"offset", offset},
                        {"available", resource.bytes - offset},
                        {"resource_bytes", resource.bytes}},
                       &resource},
                      call);
}

}  // namespace

void clSVMAlloc::After(ClCall& call, void* memory, cl_context, cl_svm_mem_flags flags, size_t size,
                       cl_uint alignment) {
  if (memory != nullptr) {
    ResourceSpec spec;
    spec.kind = ObjectKind::kSvm;
    spec.handle = HandleOf(memory);
    spec.context = context_;
    spec.bytes = size;
    spec.native_flags = flags;
    if (flags & CL_MEM_READ_ONLY) spec.flags |= kKernelReadOnly;
    if (flags & CL_MEM_WRITE_ONLY) spec.flags |= kKernelWriteOnly;
    if (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) spec.flags |= kHostVisible;
    const Resource* resource = call.tracker().objects().NewResource(call, spec);
    if (GuardsOn() && resource != nullptr) DescribeGuarded(*resource);
    return;
  }
  // The call returns no code but NULL.
  call.tracker().objects().NoteFailedCreation(call, ObjectKind::kSvm,
                                              CL_MEM_OBJECT_ALLOCATION_FAILURE, size);
  call.Finish(CL_MEM_OBJECT_ALLOCATION_FAILURE);
  if (call.explained()) return;
  Failure failure;
  failure.code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  failure.requested_bytes = size;
  failure.facts = "clSVMAlloc returned NULL";
  failure.clauses = SharedAllocationReason(call, context_, flags, size, alignment);
  if (failure.clauses.empty()) {
    failure.out_of_memory = true;
    for (const opencl::Clause& clause : ClausesFor("clSVMAlloc", CL_SUCCESS)) {
      if (!failure.clauses.empty()) failure.clauses += "; or ";
      failure.clauses += ClauseText(clause);
    }
  }
  Finding reported;
  call.tracker().ReportFailure(call, failure, &reported);
  KeepFailure(call, reported);
}

void clSVMFree::Before(ClCall& call, cl_context context, void* pointer) {
  Object* owner = UseContext(call, context);
  if (pointer == nullptr) return;
  call.tracker().block_pools().Destroy(call, HandleOf(pointer));
  Resource* resource = call.tracker().pointers().UseForFree(call, HandleOf(pointer), "svm_pointer");
  if (resource == nullptr) return;
  DropMapGuards(*resource);
  rules::CheckOwner(call, resource, owner, "svm_pointer");
  call.tracker().OnSharedFree(call, *resource);
  call.tracker().objects().Release(call, resource, InSvmFreeNotify());
}

void clEnqueueSVMFree::Before(ClCall& call, cl_command_queue queue, cl_uint num_pointers,
                              void** pointers, SvmFreeNotify& notify, void*& user_data,
                              cl_uint count, const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  // If there is a callback, the program frees the memory in it.
  const bool frees = notify == nullptr;
  for (cl_uint i = 0; frees && pointers != nullptr && i < num_pointers; ++i) {
    if (pointers[i] == nullptr) continue;
    call.tracker().block_pools().Destroy(call, HandleOf(pointers[i]));
    Resource* resource =
        call.tracker().pointers().UseForFree(call, HandleOf(pointers[i]), "svm_pointers");
    if (resource == nullptr) continue;
    if (std::find(freed_.begin(), freed_.end(), resource) != freed_.end()) {
      ReportFreedTwice(call, *resource, i);
      continue;
    }
    rules::CheckContext(call, resource, this->queue(), "svm_pointers");
    DropMapGuards(*resource);
    freed_.push_back(resource);
  }
  Begin(call);
  for (Resource* resource : freed_) {
    Transfer transfer;
    transfer.kind = TransferKind::kFill;
    transfer.destination = BufferSide(resource, 0, resource->bytes);
    call.tracker().accesses().RecordTransfer(call, command(), transfer);
    call.tracker().host_side().UnwatchShared(*resource);
  }
  wrapped_ = WrapSvmFreeNotify(notify, user_data);
  wrapped_.Replace(notify, user_data);
}

void clEnqueueSVMFree::After(ClCall& call, cl_int code) {
  if (code == CL_SUCCESS) {
    for (Resource* resource : freed_) {
      const HostBlock block{resource->handle, resource->bytes, HostBlockKind::kHeap,
                            resource->created};
      call.tracker().NoteStorageFreed(call, block);
      call.tracker().objects().Release(call, resource, true);
      // Later commands run behind the free. One behind a gate may still run before it.
      if (command().gates == 0) call.tracker().host_side().memory().NoteRelease(block, call.site());
    }
  } else {
    wrapped_.Discard();
  }
  End(call, code);
}

void clEnqueueSVMMemcpy::Before(ClCall& call, cl_command_queue queue, cl_bool blocking,
                                void* destination, const void* source, size_t size, cl_uint count,
                                const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  if (blocking) CheckMayBlock(call);
  BeginTransfer(call, [&] {
    DescribedTransfer described = DescribeSVMMemcpy(call, this->queue(), destination, source, size);
    described.transfer.blocking = blocking;
    CheckSharedContext(call, this->queue(), described.transfer.source, "src_ptr");
    CheckSharedContext(call, this->queue(), described.transfer.destination, "dst_ptr");
    return described;
  });
}

void clEnqueueSVMMemFill::Before(ClCall& call, cl_command_queue queue, void* pointer,
                                 const void* pattern, size_t pattern_size, size_t size,
                                 cl_uint count, const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  if (pattern == nullptr) rules::OnNullArgument({call.info().name, "pattern", false, ""}, call);
  BeginTransfer(call, [&] {
    DescribedTransfer described =
        DescribeSVMMemFill(call, this->queue(), pointer, pattern, pattern_size, size);
    CheckSharedContext(call, this->queue(), described.transfer.destination, "svm_ptr");
    return described;
  });
}

void clEnqueueSVMMap::Before(ClCall& call, cl_command_queue queue, cl_bool blocking,
                             cl_map_flags flags, void* pointer, size_t size, cl_uint count,
                             const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  uint64_t offset = 0;
  Resource* resource = UseShared(call, this->queue(), pointer, size, "svm_ptr", &offset);
  BeginMap(call, BufferSide(resource, offset, size), resource != nullptr, blocking, flags);
}

void clEnqueueSVMMap::After(ClCall& call, cl_int code, cl_command_queue, cl_bool, cl_map_flags,
                            void* pointer, size_t, cl_uint, const cl_event*, cl_event*) {
  EndMap(call, code, pointer, 0);
}

void clEnqueueSVMUnmap::Before(ClCall& call, cl_command_queue queue, void* pointer, cl_uint count,
                               const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  uint64_t offset = 0;
  BeginUnmap(call, UseShared(call, this->queue(), pointer, 1, "svm_ptr", &offset), pointer);
}

void clEnqueueSVMMigrateMem::Before(ClCall& call, cl_command_queue queue, cl_uint num_pointers,
                                    const void** pointers, const size_t* sizes,
                                    cl_mem_migration_flags, cl_uint count, const cl_event* list,
                                    cl_event* event) {
  Open(call, queue, count, list, event);
  for (cl_uint i = 0; pointers != nullptr && i < num_pointers; ++i) {
    uint64_t offset = 0;
    const uint64_t bytes = sizes != nullptr ? sizes[i] : 0;
    const Resource* resource =
        UseShared(call, this->queue(), pointers[i], bytes, "svm_pointers", &offset);
    if (resource != nullptr) CheckMigratedRange(call, *resource, i, offset, bytes);
  }
  Begin(call);
}

}  // namespace gpusan::opencl::handlers
