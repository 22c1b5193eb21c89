// A process opens memory of another one that has guard zones, and finds the same bytes as without zones.
// OPTION --guard
#include "correct/cuda/cuda_two_processes.cc"
