// The effects of cuDNN's backend interface: what the tensors of an operation graph are, and which
// of them an execution reads and writes.
//
// An input may be read anywhere by the interface's contract, an output is written whole. Graphs
// with an operation that is not listed here, and tensors whose layout is not plain, have no effect.
#include "hooks/cuda/libraries/dnn.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda::dnn {
namespace {

// cudnnBackendDescriptorType_t
enum DescriptorType : int {
  kEngine = 2,
  kEngineConfiguration = 3,
  kHeuristics = 4,
  kPlan = 5,
  kConvolutionForward = 10,
  kConvolutionBackwardFilter = 11,
  kConvolutionBackwardData = 12,
  kPointwise = 13,
  kGraph = 15,
  kVariantPack = 16,
  kTensor = 17,
  kMatmul = 19,
  kNormForward = 29,
  kNormBackward = 30,
};

// cudnnBackendAttributeName_t
enum Attribute : int {
  kHeuristicsGraph = 201,
  kHeuristicsResults = 202,
  kConfigurationEngine = 300,
  kPlanConfiguration = 401,
  kGraphOperations = 801,
  kTensorDataType = 901,
  kTensorDimensions = 902,
  kTensorStrides = 903,
  kTensorVectorCount = 904,
  kTensorUniqueId = 906,
  kTensorIsVirtual = 907,
  kTensorIsByValue = 908,
  kTensorReordering = 909,
  kTensorRaggedOffset = 913,
  kPackUniqueIds = 1000,
  kPackDataPointers = 1001,
  kPackIntermediates = 1002,
  kPackWorkspace = 1003,
  kEngineGraph = 1300,
};

constexpr int kTypeDescriptor = 15;  // CUDNN_TYPE_BACKEND_DESCRIPTOR
constexpr int64_t kMostElements = 4096;

struct Tensor {
  int64_t id = 0;
  uint64_t element = 0;  // bytes; 0: not known
  bool memory = true;    // neither virtual nor a value
  bool plain = true;
  std::vector<int64_t> dimensions, strides;
};

struct Operation {
  bool known = false;
  std::vector<std::pair<int, Tensor>> tensors;  // by attribute
};

struct Use {
  int64_t id = 0;
  uint64_t bytes = 0;
  bool write = false;
};
using Graph = std::vector<Use>;

struct Descriptor {
  int type = 0;
  Tensor tensor;
  Operation operation;
  std::shared_ptr<const Graph> graph;  // of the graph and of what is made from it
  bool plain_pack = true;
  std::vector<int64_t> ids;
  std::vector<const void*> pointers;
};
using Descriptors = std::unordered_map<const void*, Descriptor>;

constinit SpinLock g_lock;
constinit Descriptors* g_descriptors = nullptr;  // never destroyed
constinit Sibling g_stream("cudnnGetStream");

// A thread of the parent may have changed the map.
const ForkReset g_reset([] {
  new (&g_lock) SpinLock;
  g_descriptors = nullptr;
});

Descriptors& All() {
  if (g_descriptors == nullptr) g_descriptors = new Descriptors;
  return *g_descriptors;
}

// The bytes of a cudnnDataType_t; 0: not known, or smaller than a byte.
uint64_t BytesOf(int data_type) {
  constexpr uint8_t kBytes[] = {4, 8, 2, 1, 4, 0, 1, 0, 0, 2, 8, 1, 1, 1};
  return data_type >= 0 && data_type < static_cast<int>(std::size(kBytes)) ? kBytes[data_type] : 0;
}

// The bytes from the first element on that belong to the tensor without a gap.
uint64_t PlainBytes(const Tensor& tensor) {
  const size_t count = tensor.dimensions.size();
  if (!tensor.plain || count == 0 || count != tensor.strides.size()) return 0;
  std::vector<std::pair<int64_t, int64_t>> by_stride;
  for (size_t i = 0; i < count; ++i) {
    if (tensor.dimensions[i] <= 0) return 0;
    // The stride of a dimension of one element does not matter.
    if (tensor.dimensions[i] > 1) by_stride.emplace_back(tensor.strides[i], tensor.dimensions[i]);
  }
  std::sort(by_stride.begin(), by_stride.end());
  uint64_t elements = 1;
  for (const auto& [stride, dimension] : by_stride) {
    if (stride < 0 || static_cast<uint64_t>(stride) != elements) break;
    elements = SaturatingMultiply(elements, static_cast<uint64_t>(dimension));
  }
  return SaturatingMultiply(elements, tensor.element);
}

enum class Role { kNone, kRead, kWrite, kNotKnown };

// The access of an operation to the tensor of an attribute (CUDNN_ATTR_OPERATION_...).
Role RoleOf(int attribute) {
  switch (attribute) {
    case 703:   // CONVOLUTION_FORWARD_W
    case 704:   // CONVOLUTION_FORWARD_X
    case 709:   // CONVOLUTION_BWD_DATA_W
    case 711:   // CONVOLUTION_BWD_DATA_DY
    case 716:   // CONVOLUTION_BWD_FILTER_X
    case 717:   // CONVOLUTION_BWD_FILTER_DY
    case 751:   // POINTWISE_XDESC
    case 752:   // POINTWISE_BDESC
    case 1520:  // MATMUL_ADESC
    case 1521:  // MATMUL_BDESC
    case 2002:  // NORM_FWD_XDESC
    case 2005:  // NORM_FWD_SCALE_DESC
    case 2006:  // NORM_FWD_BIAS_DESC
    case 2101:  // NORM_BWD_XDESC
    case 2104:  // NORM_BWD_DYDESC
    case 2105:  // NORM_BWD_SCALE_DESC
      return Role::kRead;
    case 705:   // CONVOLUTION_FORWARD_Y
    case 710:   // CONVOLUTION_BWD_DATA_DX
    case 715:   // CONVOLUTION_BWD_FILTER_DW
    case 753:   // POINTWISE_YDESC
    case 1522:  // MATMUL_CDESC
    case 2013:  // NORM_FWD_YDESC
    case 2107:  // NORM_BWD_DSCALE_DESC
    case 2108:  // NORM_BWD_DBIAS_DESC
    case 2109:  // NORM_BWD_DXDESC
      return Role::kWrite;
    // Of a backward operation, which changes what the others are; a choice between inputs; sizes
    // in memory.
    case 756:   // POINTWISE_DXDESC
    case 757:   // POINTWISE_DYDESC
    case 758:   // POINTWISE_TDESC
    case 1525:  // MATMUL_GEMM_M_OVERRIDE_DESC
    case 1526:  // MATMUL_GEMM_N_OVERRIDE_DESC
    case 1527:  // MATMUL_GEMM_K_OVERRIDE_DESC
      return Role::kNotKnown;
    default:
      return Role::kNone;
  }
}

// Adds what the operation does to the graph. Returns false if that is not known.
bool AddUses(const Operation& operation, Graph* graph) {
  if (!operation.known) return false;
  for (const auto& [attribute, tensor] : operation.tensors) {
    const Role role = RoleOf(attribute);
    if (role == Role::kNotKnown) return false;
    const uint64_t bytes = tensor.memory ? PlainBytes(tensor) : 0;
    if (role == Role::kNone || bytes == 0) continue;
    const bool write = role == Role::kWrite;
    const int64_t id = tensor.id;
    const auto known =
        std::find_if(graph->begin(), graph->end(), [&](const Use& use) { return use.id == id; });
    if (known == graph->end()) {
      graph->push_back({id, bytes, write});
    } else {
      // An output of one operation is an input of the next one.
      known->write |= write;
      known->bytes = std::min(known->bytes, bytes);
    }
  }
  return true;
}

template <typename T>
T First(const void* elements) {
  return *static_cast<const T*>(elements);
}

void SetOfTensor(Tensor& tensor, int name, int64_t count, const void* elements) {
  const auto* numbers = static_cast<const int64_t*>(elements);
  switch (name) {
    case kTensorDataType:
      tensor.element = BytesOf(First<int>(elements));
      break;
    case kTensorDimensions:
      tensor.dimensions.assign(numbers, numbers + count);
      break;
    case kTensorStrides:
      tensor.strides.assign(numbers, numbers + count);
      break;
    case kTensorUniqueId:
      tensor.id = numbers[0];
      break;
    case kTensorIsVirtual:
    case kTensorIsByValue:
      if (First<bool>(elements)) tensor.memory = false;
      break;
    case kTensorVectorCount:
      if (numbers[0] != 1) tensor.plain = false;
      break;
    case kTensorReordering:
      if (First<int>(elements) != 0) tensor.plain = false;
      break;
    case kTensorRaggedOffset:
      tensor.plain = false;
      break;
    default:
      break;
  }
}

void SetOfPack(Descriptor& pack, int name, int64_t count, const void* elements) {
  switch (name) {
    case kPackUniqueIds: {
      const auto* ids = static_cast<const int64_t*>(elements);
      pack.ids.assign(ids, ids + count);
      break;
    }
    case kPackDataPointers: {
      const auto* pointers = static_cast<const void* const*>(elements);
      pack.pointers.assign(pointers, pointers + count);
      break;
    }
    case kPackIntermediates:
    case kPackWorkspace:
      break;
    default:
      pack.plain_pack = false;  // other shapes than those of the graph
  }
}

void SetOfGraph(Descriptor& graph, int64_t count, const void* const* operations) {
  auto made = std::make_shared<Graph>();
  for (int64_t i = 0; i < count; ++i) {
    const auto found = All().find(operations[i]);
    if (found == All().end() || !AddUses(found->second.operation, made.get())) {
      graph.graph = nullptr;
      return;
    }
  }
  graph.graph = std::move(made);
}

// Whether the attribute is the descriptor from which this one is made.
bool LeadsToGraph(int type, int name) {
  return (type == kHeuristics && name == kHeuristicsGraph) ||
         (type == kEngine && name == kEngineGraph) ||
         (type == kEngineConfiguration && name == kConfigurationEngine) ||
         (type == kPlan && name == kPlanConfiguration);
}

}  // namespace

void Created(const void* descriptor, int type) {
  std::lock_guard lock(g_lock);
  Descriptor& made = All()[descriptor];
  made = Descriptor();
  made.type = type;
  made.operation.known = type == kConvolutionForward || type == kConvolutionBackwardFilter ||
                         type == kConvolutionBackwardData || type == kPointwise ||
                         type == kMatmul || type == kNormForward || type == kNormBackward;
}

void Destroyed(const void* descriptor) {
  std::lock_guard lock(g_lock);
  All().erase(descriptor);
}

void Set(const void* descriptor, int name, int type, int64_t count, const void* elements) {
  if (count <= 0 || count > kMostElements || elements == nullptr) return;
  std::lock_guard lock(g_lock);
  const auto found = All().find(descriptor);
  if (found == All().end()) return;
  Descriptor& one = found->second;
  if (one.type == kTensor) return SetOfTensor(one.tensor, name, count, elements);
  if (one.type == kVariantPack) return SetOfPack(one, name, count, elements);
  if (type != kTypeDescriptor) return;
  const auto* descriptors = static_cast<const void* const*>(elements);
  if (one.type == kGraph && name == kGraphOperations) return SetOfGraph(one, count, descriptors);
  const auto other = All().find(descriptors[0]);
  if (other == All().end()) return;
  if (LeadsToGraph(one.type, name)) {
    one.graph = other->second.graph;
  } else if (one.operation.known && other->second.type == kTensor) {
    one.operation.tensors.emplace_back(name, other->second.tensor);
  }
}

void Got(const void* descriptor, int name, int type, const int64_t* count, const void* elements) {
  if (type != kTypeDescriptor || count == nullptr || elements == nullptr ||
      (name != kHeuristicsResults && name != kConfigurationEngine))
    return;
  std::lock_guard lock(g_lock);
  const auto found = All().find(descriptor);
  if (found == All().end()) return;
  const std::shared_ptr<const Graph> graph = found->second.graph;
  const auto* descriptors = static_cast<const void* const*>(elements);
  for (int64_t i = 0; i < *count && i < kMostElements; ++i) {
    if (const auto result = All().find(descriptors[i]); result != All().end())
      result->second.graph = graph;
  }
}

void Run(LibraryCall& call, void* handle, const void* plan, const void* pack) {
  if (!call.EnqueuesToStreamOf(handle, g_stream)) return;
  std::lock_guard lock(g_lock);
  const auto of_plan = All().find(plan), of_pack = All().find(pack);
  if (of_plan == All().end() || of_pack == All().end() || of_plan->second.graph == nullptr ||
      !of_pack->second.plain_pack)
    return;
  const Descriptor& given = of_pack->second;
  const size_t count = std::min(given.ids.size(), given.pointers.size());
  for (const Use& use : *of_plan->second.graph) {
    const auto id = std::find(given.ids.begin(), given.ids.begin() + count, use.id);
    if (id == given.ids.begin() + count) continue;
    const void* pointer = given.pointers[id - given.ids.begin()];
    if (use.write) {
      call.Writes(Operand::kVariantPack, pointer, use.bytes);
    } else {
      call.MayRead(Operand::kVariantPack, pointer, use.bytes);
    }
  }
}

}  // namespace gpusan::cuda::dnn
