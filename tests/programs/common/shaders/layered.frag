#version 450
#extension GL_ARB_fragment_shader_interlock : require
// Counts the fragments of each pixel in a picture, one after the other.
layout(pixel_interlock_ordered) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D counts;
layout(location = 0) out vec4 color;

void main() {
  beginInvocationInterlockARB();
  const uint before = imageLoad(counts, ivec2(gl_FragCoord.xy)).x;
  imageStore(counts, ivec2(gl_FragCoord.xy), uvec4(before + 1));
  endInvocationInterlockARB();
  color = vec4(float(before));
}
