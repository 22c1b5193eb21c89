// Stream capture and graphs of the fake driver.
#include "driver_fixture.h"

namespace {

constexpr size_t kCount = 64;
constexpr size_t kBytes = kCount * 4;

CUDA_KERNEL_NODE_PARAMS KernelNode(CUfunction kernel, void** parameters) {
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = kernel;
  node.gridDimX = node.gridDimY = node.gridDimZ = 1;
  node.blockDimX = kCount;
  node.blockDimY = node.blockDimZ = 1;
  node.kernelParams = parameters;
  return node;
}

CUDA_MEMSET_NODE_PARAMS FillNode(CUdeviceptr memory, unsigned value) {
  return {memory, 0, value, 4, kCount, 1};
}

}  // namespace

TEST_CASE_METHOD(Driver, "a capture over two streams becomes a graph with their edges") {
  CUstream first = Stream();
  CUstream second = Stream();
  CUevent forked = Event();
  CUevent joined = Event();
  CUdeviceptr memory = Memory(kBytes);
  CUdeviceptr copy = Memory(kBytes);
  REQUIRE(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(memory, 0x40400000, kCount, first) == CUDA_SUCCESS);  // 3.0f
  REQUIRE(cuEventRecord(forked, first) == CUDA_SUCCESS);
  REQUIRE(cuStreamWaitEvent(second, forked, 0) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_COPY, kCount, second, memory, copy) == CUDA_SUCCESS);
  REQUIRE(cuEventRecord(joined, second) == CUDA_SUCCESS);
  REQUIRE(cuStreamWaitEvent(first, joined, 0) == CUDA_SUCCESS);
  REQUIRE(Launch(KERNEL_TWICE, kCount, first, copy) == CUDA_SUCCESS);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  REQUIRE(cuStreamIsCapturing(second, &status) == CUDA_SUCCESS);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CUgraph graph = nullptr;
  REQUIRE(cuStreamEndCapture(first, &graph) == CUDA_SUCCESS);
  REQUIRE(cuStreamIsCapturing(second, &status) == CUDA_SUCCESS);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
  size_t nodes = 0;
  size_t edges = 0;
  REQUIRE(cuGraphGetNodes(graph, nullptr, &nodes) == CUDA_SUCCESS);
  REQUIRE(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == CUDA_SUCCESS);
  CHECK(nodes == 3);
  CHECK(edges >= 2);
  CHECK(Read<float>(copy, 1)[0] == 0);  // nothing has run

  CUgraphExec exec = nullptr;
  REQUIRE(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  REQUIRE(cuGraphLaunch(exec, first) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(first) == CUDA_SUCCESS);
  CHECK(Read<float>(copy, kCount)[kCount - 1] == 6);
  REQUIRE(cuGraphLaunch(exec, second) == CUDA_SUCCESS);
  CHECK(Read<float>(copy, kCount)[0] == 6);
  CHECK(cuGraphExecDestroy(exec) == CUDA_SUCCESS);
  CHECK(cuGraphDestroy(graph) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver, "a capture ends when the legacy stream would depend on it") {
  CUstream stream = Stream(CU_STREAM_DEFAULT);
  CUdeviceptr memory = Memory(kBytes);
  CUgraph graph = nullptr;
  REQUIRE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
  CHECK(cuMemsetD8Async(memory, 0, kBytes, nullptr) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(graph == nullptr);
}

TEST_CASE_METHOD(Driver,
                 "a wait for captured work from outside, and a join that is missing, are refused") {
  CUstream stream = Stream();
  CUstream other = Stream();
  CUevent event = Event();
  CUgraph graph = nullptr;
  SECTION("synchronizing the stream") {
    REQUIRE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  }
  SECTION("no join") {
    REQUIRE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    REQUIRE(cuEventRecord(event, stream) == CUDA_SUCCESS);
    REQUIRE(cuStreamWaitEvent(other, event, 0) == CUDA_SUCCESS);
    REQUIRE(Launch(KERNEL_NOTHING, 1, other) == CUDA_SUCCESS);
    CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  }
  SECTION("an event of uncaptured work") {
    REQUIRE(cuEventRecord(event, other) == CUDA_SUCCESS);
    REQUIRE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    CHECK(cuStreamWaitEvent(stream, event, 0) == CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  }
  SECTION("asking a captured event") {
    REQUIRE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    REQUIRE(cuEventRecord(event, stream) == CUDA_SUCCESS);
    CHECK(cuEventQuery(event) == CUDA_ERROR_CAPTURED_EVENT);
    cuStreamEndCapture(stream, &graph);
  }
}

TEST_CASE_METHOD(Driver,
                 "an allocation during a capture is refused unless the thread asks for it") {
  CUstream stream = Stream();
  CUdeviceptr memory = 0;
  CUgraph graph = nullptr;
  REQUIRE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  REQUIRE(cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
  CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
  CHECK(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
  REQUIRE(cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
  CHECK(cuMemAlloc(&memory, 16) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_CASE_METHOD(Driver, "explicit nodes run along their edges") {
  CUdeviceptr a = Memory(kBytes);
  CUdeviceptr b = Memory(kBytes);
  CUgraph graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUgraphNode fill = nullptr;
  CUgraphNode copy = nullptr;
  CUgraphNode twice = nullptr;
  CUgraphNode empty = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill_parameters = FillNode(a, 0x3f800000);  // 1.0f
  REQUIRE(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_parameters, context) ==
          CUDA_SUCCESS);
  CUDA_MEMCPY3D box{};
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = a;
  box.dstDevice = b;
  box.WidthInBytes = kBytes;
  box.Height = box.Depth = 1;
  REQUIRE(cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, &box, context) == CUDA_SUCCESS);
  void* parameters[] = {&b};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(Kernel(KERNEL_TWICE), parameters);
  REQUIRE(cuGraphAddKernelNode(&twice, graph, &copy, 1, &kernel) == CUDA_SUCCESS);
  REQUIRE(cuGraphAddEmptyNode(&empty, graph, &twice, 1) == CUDA_SUCCESS);
  REQUIRE(cuGraphAddDependencies(graph, &fill, &copy, nullptr, 1) == CUDA_SUCCESS);
  CHECK(cuGraphAddDependencies(graph, &fill, &copy, nullptr, 1) == CUDA_ERROR_INVALID_VALUE);
  CUgraphExec exec = nullptr;
  REQUIRE(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  CHECK(Read<float>(b, 1)[0] == 2);

  SECTION("a node's parameters in the executable graph") {
    fill_parameters.value = 0x40000000;  // 2.0f
    REQUIRE(cuGraphExecMemsetNodeSetParams(exec, fill, &fill_parameters, context) == CUDA_SUCCESS);
    REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
    CHECK(Read<float>(b, 1)[0] == 4);
  }
  SECTION("an update from a graph of the same shape") {
    fill_parameters.value = 0x40400000;  // 3.0f
    REQUIRE(cuGraphMemsetNodeSetParams(fill, &fill_parameters) == CUDA_SUCCESS);
    CUgraphExecUpdateResultInfo info{};
    REQUIRE(cuGraphExecUpdate(exec, graph, &info) == CUDA_SUCCESS);
    REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
    CHECK(Read<float>(b, 1)[0] == 6);
  }
  SECTION("an update from a graph of another shape") {
    CUgraph other = nullptr;
    CUgraphExecUpdateResultInfo info{};
    REQUIRE(cuGraphCreate(&other, 0) == CUDA_SUCCESS);
    CHECK(cuGraphExecUpdate(exec, other, &info) == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  }
  SECTION("a cycle") {
    CUgraphExec never = nullptr;
    REQUIRE(cuGraphAddDependencies(graph, &empty, &fill, nullptr, 1) == CUDA_SUCCESS);
    CHECK(cuGraphInstantiate(&never, graph, 0) != CUDA_SUCCESS);
  }
  SECTION("a child graph") {
    CUgraph parent = nullptr;
    CUgraphNode child = nullptr;
    CUgraphNode after = nullptr;
    REQUIRE(cuGraphCreate(&parent, 0) == CUDA_SUCCESS);
    REQUIRE(cuGraphAddChildGraphNode(&child, parent, nullptr, 0, graph) == CUDA_SUCCESS);
    REQUIRE(cuGraphAddKernelNode(&after, parent, &child, 1, &kernel) == CUDA_SUCCESS);
    REQUIRE(cuGraphInstantiate(&exec, parent, 0) == CUDA_SUCCESS);
    REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
    CHECK(Read<float>(b, 1)[0] == 4);
  }
}

TEST_CASE_METHOD(Driver,
                 "a child graph two levels deep is given other work for one executable graph") {
  CUdeviceptr old = Memory(kBytes);
  CUdeviceptr fresh = Memory(kBytes);
  CUdeviceptr own = Memory(kBytes);
  auto nest = [&](CUdeviceptr memory, unsigned value, CUgraphNode* node) {
    CUgraph inner = nullptr;
    CUgraph outer = nullptr;
    CUDA_MEMSET_NODE_PARAMS fill = FillNode(memory, value);
    REQUIRE(cuGraphCreate(&inner, 0) == CUDA_SUCCESS);
    REQUIRE(cuGraphAddMemsetNode(node, inner, nullptr, 0, &fill, context) == CUDA_SUCCESS);
    REQUIRE(cuGraphCreate(&outer, 0) == CUDA_SUCCESS);
    REQUIRE(cuGraphAddChildGraphNode(node, outer, nullptr, 0, inner) == CUDA_SUCCESS);
    REQUIRE(cuGraphDestroy(inner) == CUDA_SUCCESS);
    return outer;
  };
  CUgraphNode node = nullptr;
  CUgraph child = nest(old, 1, &node);
  CUgraph other = nest(fresh, 2, &node);
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  REQUIRE(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child) == CUDA_SUCCESS);
  REQUIRE(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  REQUIRE(cuGraphExecChildGraphNodeSetParams(exec, node, other) == CUDA_SUCCESS);
  REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  CHECK(Read<int>(old, 1)[0] == 0);
  CHECK(Read<int>(fresh, 1)[0] == 2);
  // The innermost node, as the graph that was instantiated names it.
  CUgraph nested = graph;
  CUgraphNode innermost = nullptr;
  for (int level = 0; level < 3; ++level) {
    size_t count = 1;
    REQUIRE(cuGraphGetNodes(nested, &innermost, &count) == CUDA_SUCCESS);
    REQUIRE(count == 1);
    if (level < 2) REQUIRE(cuGraphChildGraphNodeGetGraph(innermost, &nested) == CUDA_SUCCESS);
  }
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(own, 3);
  REQUIRE(cuGraphExecMemsetNodeSetParams(exec, innermost, &fill, context) == CUDA_SUCCESS);
  REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  CHECK(Read<int>(own, 1)[0] == 3);
  CUgraphNodeParams given{};
  given.type = CU_GRAPH_NODE_TYPE_GRAPH;
  given.graph.graph = child;
  REQUIRE(cuGraphExecNodeSetParams(exec, node, &given) == CUDA_SUCCESS);
  REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  CHECK(Read<int>(old, 1)[0] == 1);
  given.graph.graph = graph;  // built otherwise
  CHECK(cuGraphExecNodeSetParams(exec, node, &given) != CUDA_SUCCESS);
}

TEST_CASE_METHOD(Driver,
                 "nodes without an edge between them run the wrong way round in late order") {
  if (!Late()) {
    return;
  }
  CUdeviceptr memory = Memory(kBytes);
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr;
  CUgraphNode second = nullptr;
  CUgraphExec exec = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUDA_MEMSET_NODE_PARAMS one = FillNode(memory, 1);
  CUDA_MEMSET_NODE_PARAMS two = FillNode(memory, 2);
  REQUIRE(cuGraphAddMemsetNode(&first, graph, nullptr, 0, &one, context) == CUDA_SUCCESS);
  REQUIRE(cuGraphAddMemsetNode(&second, graph, nullptr, 0, &two, context) == CUDA_SUCCESS);
  REQUIRE(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  REQUIRE(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  CHECK(Read<int>(memory, 1)[0] == 1);
}

TEST_CASE_METHOD(Driver, "a graph's memory lives from its allocation node to its free node") {
  CUstream stream = Stream();
  CUdeviceptr result = Memory(kBytes);
  CUgraph graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  allocation.bytesize = kBytes;
  CUgraphNode allocated = nullptr;
  CUgraphNode filled = nullptr;
  CUgraphNode copied = nullptr;
  CUgraphNode freed = nullptr;
  REQUIRE(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation) == CUDA_SUCCESS);
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(allocation.dptr, 0x40a00000);  // 5.0f
  REQUIRE(cuGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill, context) == CUDA_SUCCESS);
  void* parameters[] = {&allocation.dptr, &result};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(Kernel(KERNEL_COPY), parameters);
  REQUIRE(cuGraphAddKernelNode(&copied, graph, &filled, 1, &kernel) == CUDA_SUCCESS);
  REQUIRE(cuGraphAddMemFreeNode(&freed, graph, &copied, 1, allocation.dptr) == CUDA_SUCCESS);
  CUgraphExec exec = nullptr;
  REQUIRE(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(Read<float>(result, 1)[0] == 5);
    REQUIRE(cuMemsetD8(result, 0, kBytes) == CUDA_SUCCESS);
    REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);  // the stream does not wait for the legacy one
  }
}
