#version 450
// Samples the texels beside its own.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;

void main() { color = textureLodOffset(picture, gl_FragCoord.xy, 0.0, ivec2(1, 0)); }
