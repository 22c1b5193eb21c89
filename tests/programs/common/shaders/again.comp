#version 450
// Copies the words of a storage buffer to another one.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } given;
layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } made;

void main() { made.values[gl_GlobalInvocationID.x] = given.values[gl_GlobalInvocationID.x]; }
