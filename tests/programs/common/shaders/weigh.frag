#version 450
// Adds the weighted texel of a picture.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(push_constant) uniform Frame { float weight; } frame;
layout(location = 0) out vec4 color;

void main() {
  color = vec4(0.5) + texelFetch(picture, ivec2(gl_FragCoord.xy), 0) * frame.weight;
}
