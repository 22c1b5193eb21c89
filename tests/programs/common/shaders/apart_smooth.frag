#version 450
// Samples a picture through a sampler of its own, with an implicit level of detail.
layout(set = 0, binding = 0) uniform texture2D picture;
layout(set = 0, binding = 1) uniform sampler texels;
layout(location = 0) out vec4 color;

void main() { color = texture(sampler2D(picture, texels), gl_FragCoord.xy); }
