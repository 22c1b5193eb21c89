#version 450
// Reads its second push constant only if the first one is 1.
layout(local_size_x = 64) in;
layout(push_constant) uniform Branch { uint mode; uint value; } given;
layout(set = 0, binding = 0) buffer Words { uint words[]; } all;

void main() {
  if (given.mode == 1) all.words[gl_GlobalInvocationID.x] = given.value;
}
