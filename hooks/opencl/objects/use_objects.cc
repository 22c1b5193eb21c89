// Look-ups of the objects that a call names.
#include "hooks/opencl/objects/use_objects.h"

#include "tracker/rules/rules.h"

namespace gpusan::opencl {

Object* UseContext(ClCall& call, cl_context context) {
  return call.tracker().objects().Use(call, HandleOf(context), MaskOf(ObjectKind::kContext),
                                      "context");
}

Queue* UseQueue(ClCall& call, cl_command_queue queue) {
  return static_cast<Queue*>(call.tracker().objects().Use(
      call, HandleOf(queue), MaskOf(ObjectKind::kQueue), "command_queue"));
}

Resource* UseMemory(ClCall& call, const Object* owner, cl_mem memory, KindMask kinds,
                    const char* argument) {
  Object* object = call.tracker().objects().Use(call, HandleOf(memory), kinds, argument);
  if (object != nullptr) rules::CheckContext(call, object, owner, argument);
  return static_cast<Resource*>(object);
}

void UseWaitList(ClCall& call, const Object* owner, cl_uint count, const cl_event* list,
                 Waits* waits) {
  if (list == nullptr) return;
  for (cl_uint i = 0; i < count; ++i) {
    Object* object =
        call.tracker().objects().Use(call, HandleOf(list[i]), kAnyEvent, "event_wait_list");
    if (object == nullptr) continue;
    rules::CheckContext(call, object, owner, "event_wait_list");
    waits->push_back(static_cast<Event*>(object));
  }
}

}  // namespace gpusan::opencl
