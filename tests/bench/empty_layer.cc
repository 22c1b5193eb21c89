// An OpenCL layer that forwards every call and does nothing else: the least that any layer can
// cost.
//
// One wrapper a dispatch slot, made from the slot's own type. A wrapper is one indirect tail jump
// through the table of the next layer, which is copied once at load so that no pointer has to be
// chased on a call.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include <algorithm>
#include <cstring>

namespace {

cl_icd_dispatch next;

template <auto slot>
struct Forward {  // slots that have no type on this system (Direct3D): the next layer's entry
                  // itself
  static constexpr void* Wrapper() { return nullptr; }
};

template <typename Result, typename... Args, Result (*cl_icd_dispatch::*slot)(Args...)>
struct Forward<slot> {
  static Result Call(Args... args) { return (next.*slot)(args...); }
  static constexpr auto Wrapper() { return &Call; }
};

cl_icd_dispatch MakeTable() {
  cl_icd_dispatch table{};
#define SLOT(name)                                           \
  if (next.name != nullptr) {                                \
    table.name = Forward<&cl_icd_dispatch::name>::Wrapper(); \
    if (table.name == nullptr) table.name = next.name;       \
  }
#include "dispatch_slots.inc"
#undef SLOT
  return table;
}

cl_int Answer(const void* value, size_t bytes, size_t room, void* out, size_t* bytes_out) {
  if (out != nullptr && room < bytes) return CL_INVALID_VALUE;
  if (out != nullptr) std::memcpy(out, value, bytes);
  if (bytes_out != nullptr) *bytes_out = bytes;
  return CL_SUCCESS;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) cl_int clGetLayerInfo(cl_layer_info name, size_t room,
                                                             void* out, size_t* bytes_out) {
  static constexpr cl_layer_api_version kVersion = CL_LAYER_API_VERSION_100;
  static constexpr char kName[] = "empty pass-through";
  if (name == CL_LAYER_API_VERSION) return Answer(&kVersion, sizeof kVersion, room, out, bytes_out);
  if (name == CL_LAYER_NAME) return Answer(kName, sizeof kName, room, out, bytes_out);
  return CL_INVALID_VALUE;
}

__attribute__((visibility("default"))) cl_int clInitLayer(cl_uint entries,
                                                          const cl_icd_dispatch* target,
                                                          cl_uint* entries_out,
                                                          const cl_icd_dispatch** table_out) {
  if (target == nullptr || entries_out == nullptr || table_out == nullptr) return CL_INVALID_VALUE;
  constexpr cl_uint kSlots = sizeof(cl_icd_dispatch) / sizeof(void*);
  const cl_uint known = std::min(entries, kSlots);
  std::memcpy(static_cast<void*>(&next), target, known * sizeof(void*));
  static const cl_icd_dispatch table = MakeTable();
  *entries_out = known;
  *table_out = &table;
  return CL_SUCCESS;
}

}  // extern "C"
