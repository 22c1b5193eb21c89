#version 450
// Counts values, and takes a place in a list for each.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } given;
layout(set = 0, binding = 1) buffer Output { uint taken; uint counts[15]; uint list[]; } made;

void main() {
  const uint value = given.values[gl_GlobalInvocationID.x];
  atomicAdd(made.counts[value % 15], 1);
  made.list[atomicAdd(made.taken, 1)] = value;
}
