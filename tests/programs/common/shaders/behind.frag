#version 450
// Reads a location behind those that through.vert passes on.
layout(location = 7) in vec4 behind;
layout(location = 0) out vec4 color;

void main() { color = behind; }
