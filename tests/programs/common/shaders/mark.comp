#version 450
// Copies one buffer behind the first word of another, and marks that word.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } given;
layout(set = 0, binding = 1) writeonly buffer Output { uint mark; uint values[]; } made;

void main() {
  made.mark = 1;
  const uint i = gl_GlobalInvocationID.x;
  if (i < given.values.length()) made.values[i] = given.values[i];
}
