#version 450
// Writes the value of a uniform buffer to each word of a storage buffer.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Input { uint value; } given;
layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } made;

void main() { made.values[gl_GlobalInvocationID.x] = given.value; }
