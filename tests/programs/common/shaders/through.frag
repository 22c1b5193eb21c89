#version 450
// Reads all that through.vert passes on.
layout(location = 0) in Given { vec2 place; float parts[2]; } given;
layout(location = 3, component = 0) in vec2 first;
layout(location = 3, component = 2) in float second;
layout(location = 4) in mat2 turned;
layout(location = 6) in vec4 last;
layout(location = 0) out vec4 color;

void main() { color = vec4(turned * (given.place + first), given.parts[1] * second, last.w); }
