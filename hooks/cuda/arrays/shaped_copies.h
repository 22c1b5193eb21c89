// Handlers: copies of rectangles, boxes and arrays, copies between devices, batches of copies; sets
// of rectangles.
#pragma once

#include <deque>

#include "hooks/cuda/arrays/arrays.h"
#include "hooks/cuda/memory/copies.h"

namespace gpusan::cuda {

// One end of a copy as the argument structs describe it: x in bytes, y in rows, z in slices.
struct ShapedSide {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  uint64_t origin[3];
  uint64_t pitch;   // bytes a row
  uint64_t height;  // rows a slice
  const char* pointer_name;
  const char* array_name;
};
struct ShapedCopy {
  ShapedSide source;
  ShapedSide destination;
  uint64_t extent[3];
};

// From CUDA_MEMCPY2D, CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER.
template <typename C>
ShapedCopy Shaped(const C& c) {
  ShapedCopy copy{{c.srcMemoryType,
                   c.srcHost,
                   c.srcDevice,
                   c.srcArray,
                   {c.srcXInBytes, c.srcY, 0},
                   c.srcPitch,
                   0,
                   c.srcMemoryType == CU_MEMORYTYPE_HOST ? "srcHost" : "srcDevice",
                   "srcArray"},
                  {c.dstMemoryType,
                   c.dstHost,
                   c.dstDevice,
                   c.dstArray,
                   {c.dstXInBytes, c.dstY, 0},
                   c.dstPitch,
                   0,
                   c.dstMemoryType == CU_MEMORYTYPE_HOST ? "dstHost" : "dstDevice",
                   "dstArray"},
                  {c.WidthInBytes, c.Height, 1}};
  if constexpr (requires { c.Depth; }) {
    copy.source.origin[2] = c.srcZ;
    copy.source.height = c.srcHeight;
    copy.destination.origin[2] = c.dstZ;
    copy.destination.height = c.dstHeight;
    copy.extent[2] = c.Depth;
  }
  return copy;
}
void SetSides(CuCall& call, const ShapedCopy& copy, CopyState* state);
void BatchOperation(CuCall& call, const CUDA_MEMCPY3D_BATCH_OP& operation, CopyState* state);
// Marks the source as read before the call returns.
void ReadDuringCall(CopyState* state, const void* source);
// Orders a synchronous copy between devices after and before everything in the three contexts (CUDA
// cuMemcpyPeer).
void JoinPeers(CuCall& call, CUcontext source, CUcontext destination);

template <typename P>
struct CopyShaped : CopyState {
  void Before(CuCall& call, P& p) {
    if (p.pCopy == nullptr) {
      call.FailureFact("pCopy is NULL");
      return;
    }
    if constexpr (requires { p.pCopy->srcContext; } && !kHasStream<P>) {
      JoinPeers(call, p.pCopy->srcMemoryType == CU_MEMORYTYPE_ARRAY ? nullptr : p.pCopy->srcContext,
                p.pCopy->dstMemoryType == CU_MEMORYTYPE_ARRAY ? nullptr : p.pCopy->dstContext);
    }
    SetSides(call, Shaped(*p.pCopy), this);
    Begin(call, StreamArgument(call, p), kHasStream<P>);
  }
  void After(CuCall& call, CUresult code, P&) { End(call, code); }
};

template <typename P>
struct CopyPeer : CopyState {
  void Before(CuCall& call, P& p) {
    if constexpr (!kHasStream<P>) JoinPeers(call, p.srcContext, p.dstContext);
    transfer.source = SourceArgument(call, p, &usable);
    transfer.destination = DestinationArgument(call, p, &usable);
    transfer.kind = TransferKind::kCopy;
    if constexpr (kHasStream<P>) {
      Begin(call, StreamArgument(call, p), true);
    } else {
      command.BeginTransfer(call, DefaultStream(call), transfer, usable, Completion::kHostWaits);
    }
  }
  void After(CuCall& call, CUresult code, P&) { End(call, code); }
};

// Lines of arrays: cuMemcpyHtoA and similar calls.
template <typename P>
struct CopyLine : CopyState {
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.srcArray; }) {
      transfer.source = LineSide(call, p.srcArray, p.srcOffset, p.ByteCount, "srcArray", &usable);
    } else {
      transfer.source = SourceArgument(call, p, &usable);
    }
    if constexpr (requires { p.dstArray; }) {
      transfer.destination =
          LineSide(call, p.dstArray, p.dstOffset, p.ByteCount, "dstArray", &usable);
    } else {
      transfer.destination = DestinationArgument(call, p, &usable);
    }
    SetKind(&transfer);
    Begin(call, StreamArgument(call, p), kHasStream<P>);
  }
  void After(CuCall& call, CUresult code, P&) { End(call, code); }
};

// Sets of rectangles.
template <typename P>
struct SetRectangle : CopyState {
  void Before(CuCall& call, P& p) {
    const uint64_t element = SetRequest::ElementBytes<P>();
    const uint64_t row = SaturatingMultiply(p.Width, element);
    transfer.kind = TransferKind::kFill;
    transfer.pattern_bytes = element;
    const uint64_t pitch = p.Height > 1 ? p.dstPitch : row;
    transfer.destination = DeviceSide(
        call, p.dstDevice, Region::Strided(0, row, p.Height, pitch, 1, 0), "dstDevice", &usable);
    Side& side = transfer.destination;
    side.pitches_given = true;
    side.row_pitch = pitch;
    side.row_bytes = row;
    side.rows = p.Height;
    Begin(call, StreamArgument(call, p), kHasStream<P>);
  }
  void After(CuCall& call, CUresult code, P&) { End(call, code); }
};

// Adds a finding if two copies of one batch touch the same bytes and one of them writes: the copies
// of a batch have no order among each other (CUDA cuMemcpyBatchAsync). Copies with equal sides
// write the same values.
void CheckOrderOfBatch(CuCall& call, const std::deque<CopyState>& copies);

// Batches. Accesses of other commands are compared with those of the copies in turn.
struct Batch {
  std::deque<CopyState> copies;
  void End(CuCall& call, CUresult code) {
    for (CopyState& copy : copies) copy.End(call, code);
  }
};

template <typename P>
struct CopyBatch : Batch {
  void Before(CuCall& call, P& p) {
    if (p.dsts == nullptr || p.srcs == nullptr || p.sizes == nullptr) return;
    Stream* stream = StreamArgument(call, p);
    size_t attribute = 0;
    for (size_t i = 0; i < p.count; ++i) {
      while (attribute + 1 < p.numAttrs && p.attrsIdxs[attribute + 1] <= i) ++attribute;
      CopyState& copy = copies.emplace_back();
      const Region bytes = Region::Linear(0, p.sizes[i]);
      copy.transfer.source = AnySide(call, p.srcs[i], bytes, "srcs", &copy.usable);
      copy.transfer.destination = AnySide(call, p.dsts[i], bytes, "dsts", &copy.usable);
      SetKind(&copy.transfer);
      if (p.numAttrs != 0 &&
          p.attrs[attribute].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL)
        ReadDuringCall(&copy, reinterpret_cast<const void*>(p.srcs[i]));
      copy.Begin(call, stream, true);
    }
    CheckOrderOfBatch(call, copies);
  }
  void After(CuCall& call, CUresult code, P&) { End(call, code); }
};

template <typename P>
struct CopyBoxBatch : Batch {
  void Before(CuCall& call, P& p) {
    if (p.opList == nullptr) return;
    Stream* stream = StreamArgument(call, p);
    for (size_t i = 0; i < p.numOps; ++i) {
      CopyState& copy = copies.emplace_back();
      BatchOperation(call, p.opList[i], &copy);
      copy.Begin(call, stream, true);
    }
    CheckOrderOfBatch(call, copies);
  }
  void After(CuCall& call, CUresult code, P&) { End(call, code); }
};

}  // namespace gpusan::cuda
