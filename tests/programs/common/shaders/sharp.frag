#version 450
// Samples a picture with an explicit level of detail.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;

void main() { color = textureLod(picture, gl_FragCoord.xy, 0.0); }
