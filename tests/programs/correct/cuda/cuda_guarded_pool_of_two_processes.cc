// A process imports memory of another one's pool that has guard zones, and finds the same bytes as without zones.
// OPTION --guard
#include "correct/cuda/cuda_two_processes_and_a_pool.cc"
