#version 450
// Writes a word for each invocation, at the number that its workgroup and its place in the workgroup give.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Words { uint words[]; } all;

void main() {
  all.words[gl_WorkGroupID.x * 64 + gl_LocalInvocationID.x] = gl_NumWorkGroups.x;
}
