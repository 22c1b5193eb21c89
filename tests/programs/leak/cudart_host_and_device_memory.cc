// Defect: Device memory, user objects and registrations of host memory are never freed.
// Fix: They are freed.
#include "common/cudart.h"

// Defect: Device memory is never freed.
// Fix: Device memory is freed.
// EXPECT error leak cudaMalloc at CREATED
static void Memory() {
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
  OK(cudaMemset(buffer, 0, 4096));
#ifndef DEFECT
  OK(cudaFree(buffer));
#endif
  Close();
}

// Defect: Host memory is registered and never unregistered.
// Fix: Host memory is unregistered.
// EXPECT error leak cudaHostRegister at CREATED_2
// EXPECT-TEXT call cudaHostUnregister on every path
static void RegisteredMemory() {
  alignas(4096) static char data[4096];
  // @CREATED_2
  OK(cudaHostRegister(data, sizeof(data), cudaHostRegisterDefault));
#ifndef DEFECT
  OK(cudaHostUnregister(data));
#endif
  Close();
}

// Defect: Each turn of a loop lets a graph retain a user object, and keeps its own reference.
// Fix: Each turn of a loop moves its reference to the graph.
// EXPECT warning leak cudaUserObjectCreate at HERE
// EXPECT-FACT objects=100
// EXPECT-FACT references=1
static void CUDART_CB Destroy(void*) {}

static void UserObjectATurn() {
  for (int turn = 0; turn < 100; ++turn) {
    cudaGraph_t graph;
    cudaUserObject_t object;
    unsigned flags = cudaGraphUserObjectMove;
#ifdef DEFECT
    flags = 0;
#endif
    OK(cudaGraphCreate(&graph, 0));
    // @HERE
    OK(cudaUserObjectCreate(&object, nullptr, Destroy, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(graph, object, 1, flags));
    OK(cudaGraphDestroy(graph));
  }
}

int main() {
  Memory();
  RegisteredMemory();
  UserObjectATurn();
}
