#version 450
// Changes words of a buffer in place: as many as a push constant says, from a word on that another
// one says.
layout(local_size_x = 64) in;
layout(push_constant) uniform Window { uint first; uint count; } window;
layout(set = 0, binding = 0) buffer Words { uint words[]; } all;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < window.count) all.words[window.first + i] = all.words[window.first + i] * 2 + 1;
}
