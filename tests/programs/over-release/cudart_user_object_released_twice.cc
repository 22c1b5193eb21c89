// Defect: The only reference to a user object is released twice.
// Fix: The only reference to a user object is released once.
// EXPECT error over-release cudaUserObjectRelease at HERE
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/cudart.h"

static void CUDART_CB Destroy(void*) {}

int main() {
  cudaUserObject_t object;
  OK(cudaUserObjectCreate(&object, nullptr, Destroy, 1, cudaUserObjectNoDestructorSync));
  // @FIRST
  OK(cudaUserObjectRelease(object, 1));
#ifdef DEFECT
  // @HERE
  cudaUserObjectRelease(object, 1);
#endif
}
