// Programs by chance on parts of memory: rows, rectangles and pieces that lie side by side are used
// at once in several streams; only what overlaps is made to wait. Memory is plain, managed,
// page-locked, and an array.
#include <memory>
#include <vector>

#include "common/cuda.h"

static uint32_t state;
static uint32_t Random(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

// Blocks are 8 rows of 8 cells of 16 elements.
constexpr int kCells = 8, kCellBytes = 64, kRowBytes = kCells * kCellBytes;
constexpr int kBytes = kCells * kRowBytes, kElements = kBytes / 4;

static std::vector<CUevent> spare;

struct Use {
  CUstream stream;
  CUevent event;
  ~Use() { spare.push_back(event); }
};

struct Cell {
  float value = 0;
  std::shared_ptr<Use> writer;
  std::vector<std::shared_ptr<Use>> readers;
};

struct Block {
  CUdeviceptr address = 0;  // 0: an array
  CUarray array = nullptr;
  bool host = false;
  Cell cells[kCells * kCells];
};

struct Part {
  int row, column, rows, columns;
};

static CUstream streams[4];
static CUfunction twice;
static std::vector<std::unique_ptr<Block>> blocks;

template <typename Act>
static void ForEach(Block& block, const Part& part, Act act) {
  for (int row = part.row; row < part.row + part.rows; ++row) {
    for (int column = part.column; column < part.column + part.columns; ++column)
      act(block.cells[row * kCells + column]);
  }
}

static void Await(const std::shared_ptr<Use>& use, CUstream stream) {
  if (use == nullptr || use->stream == stream) return;
  if (Random(6) == 0) {
    OK(cuEventSynchronize(use->event));
  } else {
    OK(cuStreamWaitEvent(stream, use->event, 0));
  }
}
static void Before(Block& block, const Part& part, bool write, CUstream stream) {
  ForEach(block, part, [&](Cell& cell) {
    Await(cell.writer, stream);
    for (const auto& reader : cell.readers) {
      if (write) Await(reader, stream);
    }
  });
}
static std::shared_ptr<Use> After(CUstream stream) {
  auto use = std::make_shared<Use>();
  use->stream = stream;
  if (spare.empty()) {
    use->event = NewEvent();
  } else {
    use->event = spare.back();
    spare.pop_back();
  }
  OK(cuEventRecord(use->event, stream));
  return use;
}

static void SetSide(CUDA_MEMCPY2D* copy, const Block& block, const Part& part, bool source) {
  const CUmemorytype type = block.array != nullptr ? CU_MEMORYTYPE_ARRAY
                            : block.host           ? CU_MEMORYTYPE_HOST
                                                   : CU_MEMORYTYPE_DEVICE;
  const size_t x = part.column * kCellBytes, y = part.row;
  if (source) {
    copy->srcMemoryType = type;
    copy->srcArray = block.array;
    copy->srcHost = (void*)block.address;
    copy->srcDevice = block.address;
    copy->srcPitch = kRowBytes;
    copy->srcXInBytes = x;
    copy->srcY = y;
  } else {
    copy->dstMemoryType = type;
    copy->dstArray = block.array;
    copy->dstHost = (void*)block.address;
    copy->dstDevice = block.address;
    copy->dstPitch = kRowBytes;
    copy->dstXInBytes = x;
    copy->dstY = y;
  }
}

static void Step(int turn) {
  CUstream stream = streams[Random(4)];
  Block &from = *blocks[Random((uint32_t)blocks.size())],
        &to = *blocks[Random((uint32_t)blocks.size())];
  Part source, target;
  source.rows = target.rows = 1 + (int)Random(4);
  source.columns = target.columns = 1 + (int)Random(4);
  source.row = (int)Random(5), source.column = (int)Random(5);
  target.row = (int)Random(5), target.column = (int)Random(5);
  const bool copy = Random(3) != 0 && &from != &to;
  if (!copy && to.array != nullptr) return;
  if (copy) Before(from, source, false, stream);
  Before(to, target, true, stream);
  std::vector<float> values;
  if (copy) {
    CUDA_MEMCPY2D shape = {};
    SetSide(&shape, from, source, true);
    SetSide(&shape, to, target, false);
    shape.WidthInBytes = source.columns * kCellBytes;
    shape.Height = source.rows;
    OK(cuMemcpy2DAsync(&shape, stream));
    ForEach(from, source, [&](Cell& cell) { values.push_back(cell.value); });
  } else if (to.host || Random(2) == 0) {
    const float value = (float)(turn % 7);
    uint32_t bits;
    memcpy(&bits, &value, 4);
    OK(cuMemsetD2D32Async(to.address + target.row * kRowBytes + target.column * kCellBytes,
                          kRowBytes, bits, target.columns * kCellBytes / 4, target.rows, stream));
    ForEach(to, target, [&](Cell&) { values.push_back(value); });
  } else {
    // One row at a time, by a pointer into the block.
    target.rows = 1;
    CUdeviceptr begin = to.address + target.row * kRowBytes + target.column * kCellBytes;
    void* arguments[] = {&begin};
    OK(cuLaunchKernel(twice, target.columns, 1, 1, 16, 1, 1, 0, stream, arguments, nullptr));
    ForEach(to, target, [&](Cell& cell) { values.push_back(2 * cell.value); });
  }
  const std::shared_ptr<Use> use = After(stream);
  if (copy) ForEach(from, source, [&](Cell& cell) { cell.readers.push_back(use); });
  size_t next = 0;
  ForEach(to, target, [&](Cell& cell) {
    cell.readers.clear();
    cell.writer = use;
    cell.value = values[next++];
  });
}

static std::unique_ptr<Block> NewBlock(CUdeviceptr address, bool host) {
  auto block = std::make_unique<Block>();
  block->address = address;
  block->host = host;
  return block;
}

static void Check(Block& block) {
  static float values[kElements];
  CUDA_MEMCPY2D down = {};
  SetSide(&down, block, {0, 0, kCells, kCells}, true);
  down.dstMemoryType = CU_MEMORYTYPE_HOST;
  down.dstHost = values;
  down.dstPitch = kRowBytes;
  down.WidthInBytes = kRowBytes;
  down.Height = kCells;
  OK(cuMemcpy2D(&down));
  for (int i = 0; i < kCells * kCells; ++i) {
    const int at = i / kCells * (kRowBytes / 4) + i % kCells * 16;
    CHECK(values[at] == block.cells[i].value && values[at + 15] == block.cells[i].value);
  }
}

static void RunProgram(uint32_t seed) {
  state = seed * 2654435761u;
  blocks.push_back(NewBlock(NewZeros(kBytes), false));
  blocks.push_back(NewBlock(NewZeros(kBytes), false));
  CUdeviceptr managed;
  OK(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemsetD8(managed, 0, kBytes));
  blocks.push_back(NewBlock(managed, false));
  blocks.push_back(NewBlock((CUdeviceptr)NewPinned(kBytes), true));
  blocks.push_back(NewBlock(0, false));
  const CUDA_ARRAY_DESCRIPTOR shape = {kRowBytes / 4, kCells, CU_AD_FORMAT_FLOAT, 1};
  OK(cuArrayCreate(&blocks[4]->array, &shape));
  CUDA_MEMCPY2D zeros = {};
  SetSide(&zeros, *blocks[3], {0, 0, kCells, kCells}, true);
  SetSide(&zeros, *blocks[4], {0, 0, kCells, kCells}, false);
  zeros.WidthInBytes = kRowBytes;
  zeros.Height = kCells;
  OK(cuMemcpy2D(&zeros));
  OK(cuCtxSynchronize());
  for (int turn = 0; turn < 80; ++turn) Step(turn);
  OK(cuCtxSynchronize());
  for (auto& block : blocks) Check(*block);
  OK(cuMemFree(blocks[0]->address));
  OK(cuMemFree(blocks[1]->address));
  OK(cuMemFree(managed));
  OK(cuMemFreeHost((void*)blocks[3]->address));
  OK(cuArrayDestroy(blocks[4]->array));
  blocks.clear();
}

int main() {
  Open();
  twice = Kernel(KERNEL_TWICE);
  for (int i = 0; i < 4; ++i)
    streams[i] = NewStream(i < 3 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT);
  for (uint32_t seed = 1; seed <= 40; ++seed) RunProgram(seed);
  for (CUevent event : spare) OK(cuEventDestroy(event));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close();
}
