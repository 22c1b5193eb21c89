#version 450
// Reads one buffer and writes another.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } given;
layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } made;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < given.values.length()) made.values[i] = given.values[i] * 3;
}
