#version 450
// Changes words of a buffer in place, from a word on that the pipeline says.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kFirst = 0;
layout(set = 0, binding = 0) buffer Words { uint words[]; } all;

void main() {
  const uint i = kFirst + gl_GlobalInvocationID.x;
  all.words[i] = all.words[i] * 2 + 1;
}
