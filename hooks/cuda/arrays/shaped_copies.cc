// Copies of rectangles, boxes and arrays, copies between devices, sets of rectangles.
#include "hooks/cuda/arrays/shaped_copies.h"

namespace gpusan::cuda {
namespace {

Side SideOf(CuCall& call, const ShapedSide& shaped, const uint64_t extent[3], bool* usable) {
  if (shaped.type == CU_MEMORYTYPE_ARRAY) {
    return ArraySide(call, shaped.array, shaped.origin, extent, shaped.array_name, usable);
  }
  const bool rows = extent[1] > 1 || shaped.origin[1] != 0;
  const bool slices = extent[2] > 1 || shaped.origin[2] != 0;
  if (((rows || slices) && shaped.pitch == 0) || (slices && shaped.height == 0)) {
    // The driver's interpretation is not documented.
    *usable = false;
    call.FailureFact(absl::StrCat("the ", shaped.pitch == 0 ? "pitch" : "height", " beside ",
                                  shaped.pointer_name, " is 0"));
    Side side;
    uint64_t unused = 0;
    if (shaped.type == CU_MEMORYTYPE_DEVICE || shaped.type == CU_MEMORYTYPE_UNIFIED)
      side.resource = call.tracker().objects().FindAddress(shaped.device, &unused);
    return side;
  }
  const uint64_t slice_pitch = SaturatingMultiply(shaped.pitch, shaped.height);
  uint64_t offset = SaturatingAdd(SaturatingMultiply(shaped.origin[2], slice_pitch),
                                  SaturatingMultiply(shaped.origin[1], shaped.pitch));
  offset = SaturatingAdd(offset, shaped.origin[0]);
  const Region region =
      Region::Strided(offset, extent[0], extent[1], shaped.pitch, extent[2], slice_pitch);
  Side side;
  switch (shaped.type) {
    case CU_MEMORYTYPE_HOST:
      side = HostSide(call, shaped.host, region, shaped.pointer_name, usable);
      break;
    case CU_MEMORYTYPE_DEVICE:
      side = DeviceSide(call, shaped.device, region, shaped.pointer_name, usable);
      break;
    case CU_MEMORYTYPE_UNIFIED:
      side = AnySide(call, shaped.device, region, shaped.pointer_name, usable);
      break;
    default:
      *usable = false;
      call.FailureFact("the memory type of a side is not a CUmemorytype value");
      return side;
  }
  if (extent[1] > 1 || extent[2] > 1) {
    side.pitches_given = true;
    side.row_pitch = shaped.pitch;
    side.row_bytes = SaturatingAdd(shaped.origin[0], extent[0]);
    side.rows = SaturatingAdd(shaped.origin[1], extent[1]);
    if (extent[2] > 1) side.slice_pitch = slice_pitch;
  }
  return side;
}

// A pointer or array of a batch. Units: elements of the array that takes part, otherwise bytes.
ShapedSide OperandOf(const CUmemcpy3DOperand& operand, const CUextent3D& extent, uint64_t element,
                     const char* pointer_name, const char* array_name) {
  ShapedSide side{};
  side.pointer_name = pointer_name;
  side.array_name = array_name;
  if (operand.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    side.type = CU_MEMORYTYPE_ARRAY;
    side.array = operand.op.array.array;
    side.origin[0] = SaturatingMultiply(operand.op.array.offset.x, element);
    side.origin[1] = operand.op.array.offset.y;
    side.origin[2] = operand.op.array.offset.z;
    return side;
  }
  side.type = CU_MEMORYTYPE_UNIFIED;
  side.device = operand.op.ptr.ptr;
  const uint64_t row = operand.op.ptr.rowLength, rows = operand.op.ptr.layerHeight;
  side.pitch = SaturatingMultiply(row != 0 ? row : extent.width, element);
  side.height = rows != 0 ? rows : extent.height;
  return side;
}

}  // namespace

void SetSides(CuCall& call, const ShapedCopy& copy, CopyState* state) {
  const uint64_t* extent = copy.extent;
  if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) {
    state->usable = false;  // nothing is copied
    return;
  }
  state->transfer.source = SideOf(call, copy.source, extent, &state->usable);
  state->transfer.destination = SideOf(call, copy.destination, extent, &state->usable);
  SetKind(&state->transfer);
}

void BatchOperation(CuCall& call, const CUDA_MEMCPY3D_BATCH_OP& operation, CopyState* state) {
  uint64_t element = 1;
  for (const CUmemcpy3DOperand* operand : {&operation.src, &operation.dst}) {
    if (operand->type != CU_MEMCPY_OPERAND_TYPE_ARRAY) continue;
    const Resource* array = UseArray(call, operand->op.array.array, "opList");
    if (array == nullptr || array->image->texel_bytes == 0) {
      state->usable = false;
      return;
    }
    element = array->image->texel_bytes;
  }
  const ShapedCopy copy{
      OperandOf(operation.src, operation.extent, element, "opList's src", "opList's src"),
      OperandOf(operation.dst, operation.extent, element, "opList's dst", "opList's dst"),
      {SaturatingMultiply(operation.extent.width, element), operation.extent.height,
       operation.extent.depth}};
  SetSides(call, copy, state);
  if (operation.srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL &&
      operation.src.type != CU_MEMCPY_OPERAND_TYPE_ARRAY)
    ReadDuringCall(state, reinterpret_cast<const void*>(operation.src.op.ptr.ptr));
}

void ReadDuringCall(CopyState* state, const void* source) {
  Side& side = state->transfer.source;
  state->reads_during_call = true;
  if (side.resource == nullptr || !side.resource->host_addressable()) return;
  side.region.offset -= reinterpret_cast<uintptr_t>(source) - side.resource->handle;
  side.resource = nullptr;
  side.pointer = source;
  side.complete_on_return = true;
  SetKind(&state->transfer);
}

void JoinPeers(CuCall& call, CUcontext source, CUcontext destination) {
  if (Context* current = call.current(); current != nullptr) WaitContext(call, current);
  for (CUcontext context : {source, destination}) {
    if (Context* peer = ContextOf(call, HandleOf(context)); peer != nullptr)
      WaitContext(call, peer);
  }
}

}  // namespace gpusan::cuda
