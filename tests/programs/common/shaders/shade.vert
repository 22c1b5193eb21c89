#version 450
// The vertices of the bound buffer, moved by another attribute, and shaded by a third one.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec2 move;
layout(location = 2) in vec2 shade;
layout(location = 0) out vec2 shaded;
layout(push_constant) uniform Weights { float move; } weights;

void main() {
  gl_Position = vec4(corner + move * weights.move, 0.0, 1.0);
  shaded = shade;
}
