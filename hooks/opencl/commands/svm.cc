// Handlers of shared virtual memory.
#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/commands/describe.h"
#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/objects/shared_memory.h"
#include "hooks/opencl/words/failure_clauses.h"

namespace gpusan::opencl {
void* Handle_clSVMAlloc(ClCall& call, cl_api_clSVMAlloc next, cl_context context,
                        cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  Object* owner =
      call.tracker().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext), "context");
  call.BeforeReal();
  void* memory = next(context, flags, size, alignment);
  if (memory != nullptr) {
    ResourceSpec spec;
    spec.kind = ObjectKind::kSvm;
    spec.handle = HandleOf(memory);
    spec.context = owner;
    spec.bytes = size;
    spec.native_flags = flags;
    if (flags & CL_MEM_READ_ONLY) spec.flags |= kKernelReadOnly;
    if (flags & CL_MEM_WRITE_ONLY) spec.flags |= kKernelWriteOnly;
    if (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) spec.flags |= kHostVisible;
    call.tracker().NewResource(call, spec);
    call.Finish(CL_SUCCESS);
    return memory;
  }
  // The call returns no code but NULL.
  call.tracker().NoteFailedCreation(call, ObjectKind::kSvm, CL_MEM_OBJECT_ALLOCATION_FAILURE, size);
  call.Finish(CL_MEM_OBJECT_ALLOCATION_FAILURE);
  if (call.explained()) return memory;
  Failure failure;
  failure.code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  failure.out_of_memory = size != 0;
  failure.requested_bytes = size;
  failure.facts = "clSVMAlloc returned NULL";
  for (const opencl::Clause& clause : ClausesFor("clSVMAlloc", CL_SUCCESS)) {
    if (!failure.clauses.empty()) failure.clauses += "; or ";
    failure.clauses += ClauseText(clause);
  }
  call.tracker().ReportFailure(call, failure);
  return memory;
}

void Handle_clSVMFree(ClCall& call, cl_api_clSVMFree next, cl_context context, void* pointer) {
  Object* owner =
      call.tracker().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext), "context");
  if (pointer != nullptr) {
    Resource* resource = call.tracker().UseForFree(call, HandleOf(pointer), "svm_pointer");
    if (resource != nullptr) call.tracker().CheckOwner(call, resource, owner, "svm_pointer");
    if (resource != nullptr) call.tracker().Release(call, resource, InSvmFreeNotify());
  }
  call.BeforeReal();
  next(context, pointer);
  call.Finish(CL_SUCCESS);
}

cl_int Handle_clEnqueueSVMFree(ClCall& call, cl_api_clEnqueueSVMFree next, cl_command_queue queue,
                               cl_uint num_pointers, void* pointers[], SvmFreeNotify notify,
                               void* user_data, cl_uint count, const cl_event* list,
                               cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  // If there is a callback, the program frees the memory in it.
  const bool frees = notify == nullptr;
  absl::InlinedVector<Resource*, 4> freed;
  for (cl_uint i = 0; frees && pointers != nullptr && i < num_pointers; ++i) {
    if (pointers[i] == nullptr) continue;
    Resource* resource = call.tracker().UseForFree(call, HandleOf(pointers[i]), "svm_pointers");
    if (resource == nullptr) continue;
    call.tracker().CheckContext(call, resource, enqueue.queue(), "svm_pointers");
    freed.push_back(resource);
  }
  enqueue.Begin();
  for (Resource* resource : freed) {
    Transfer transfer;
    transfer.kind = TransferKind::kFill;
    transfer.destination = BufferSide(resource, 0, resource->bytes);
    call.tracker().RecordTransfer(call, enqueue.command(), transfer);
    call.tracker().UnwatchShared(*resource);
  }
  const auto wrapped = WrapSvmFreeNotify(notify, user_data);
  const cl_int code =
      next(queue, num_pointers, pointers, wrapped.function, wrapped.user_data, count, list, event);
  if (code == CL_SUCCESS) {
    for (Resource* resource : freed) call.tracker().Release(call, resource, true);
  } else {
    wrapped.Discard();
  }
  enqueue.End(code, false);
  return call.Done(code);
}

cl_int Handle_clEnqueueSVMMemcpy(ClCall& call, cl_api_clEnqueueSVMMemcpy next,
                                 cl_command_queue queue, cl_bool blocking, void* destination,
                                 const void* source, size_t size, cl_uint count,
                                 const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described = DescribeSVMMemcpy(call, enqueue.queue(), destination, source, size);
  Transfer& transfer = described.transfer;
  transfer.blocking = blocking;
  CheckSharedContext(call, enqueue.queue(), transfer.source, "src_ptr");
  CheckSharedContext(call, enqueue.queue(), transfer.destination, "dst_ptr");
  return enqueue.Run(transfer, described.known, [&] {
    return next(queue, blocking, destination, source, size, count, list, event);
  });
}

cl_int Handle_clEnqueueSVMMemFill(ClCall& call, cl_api_clEnqueueSVMMemFill next,
                                  cl_command_queue queue, void* pointer, const void* pattern,
                                  size_t pattern_size, size_t size, cl_uint count,
                                  const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  DescribedTransfer described =
      DescribeSVMMemFill(call, enqueue.queue(), pointer, pattern, pattern_size, size);
  CheckSharedContext(call, enqueue.queue(), described.transfer.destination, "svm_ptr");
  return enqueue.Run(described.transfer, described.known, [&] {
    return next(queue, pointer, pattern, pattern_size, size, count, list, event);
  });
}

cl_int Handle_clEnqueueSVMMap(ClCall& call, cl_api_clEnqueueSVMMap next, cl_command_queue queue,
                              cl_bool blocking, cl_map_flags flags, void* pointer, size_t size,
                              cl_uint count, const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  uint64_t offset = 0;
  Resource* resource = UseShared(call, enqueue.queue(), pointer, size, "svm_ptr", &offset);
  Transfer transfer;
  transfer.kind = TransferKind::kMap;
  transfer.blocking = blocking;
  transfer.map_read = (flags & CL_MAP_READ) != 0;
  transfer.map_write = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  transfer.source = BufferSide(resource, offset, size);
  enqueue.BeginTransfer(transfer, resource != nullptr);
  const cl_int code = next(queue, blocking, flags, pointer, size, count, list, event);
  enqueue.EndTransfer(transfer, resource != nullptr, code);
  if (code == CL_SUCCESS && resource != nullptr) {
    call.tracker().AddMapping(call, resource, transfer.source, pointer, transfer.map_read,
                              transfer.map_write);
  }
  return call.Done(code);
}

cl_int Handle_clEnqueueSVMUnmap(ClCall& call, cl_api_clEnqueueSVMUnmap next, cl_command_queue queue,
                                void* pointer, cl_uint count, const cl_event* list,
                                cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  uint64_t offset = 0;
  Resource* resource = UseShared(call, enqueue.queue(), pointer, 1, "svm_ptr", &offset);
  Mapping mapping;
  const bool mapped =
      resource != nullptr && call.tracker().RemoveMapping(call, resource, pointer, &mapping);
  Transfer transfer;
  transfer.kind = TransferKind::kUnmap;
  transfer.map_write = mapping.write;
  if (mapped) {
    transfer.source.resource = resource;
    transfer.source.region = mapping.region;
  }
  enqueue.BeginTransfer(transfer, mapped);
  const cl_int code = next(queue, pointer, count, list, event);
  if (code != CL_SUCCESS && mapped) call.tracker().RestoreMapping(resource, mapping);
  enqueue.EndTransfer(transfer, mapped, code);
  return call.Done(code);
}

cl_int Handle_clEnqueueSVMMigrateMem(ClCall& call, cl_api_clEnqueueSVMMigrateMem next,
                                     cl_command_queue queue, cl_uint num_pointers,
                                     const void** pointers, const size_t* sizes,
                                     cl_mem_migration_flags flags, cl_uint count,
                                     const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  for (cl_uint i = 0; pointers != nullptr && i < num_pointers; ++i) {
    uint64_t offset = 0;
    UseShared(call, enqueue.queue(), pointers[i], sizes != nullptr ? sizes[i] : 0, "svm_pointers",
              &offset);
  }
  return enqueue.RunOrderOnly(false, false, [&] {
    return next(queue, num_pointers, pointers, sizes, flags, count, list, event);
  });
}

}  // namespace gpusan::opencl
