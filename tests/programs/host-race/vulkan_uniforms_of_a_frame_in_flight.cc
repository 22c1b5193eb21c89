// Defect: Three frames are in flight, and all of them use the matrices of the first slot of a
// uniform buffer. The second frame overwrites the matrices that the first one still reads.
// Fix: Each frame in flight has its own slot, which is written again when the frame is complete.
// OPTION --protect-maps
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY device-access at DRAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
// EXPECT-COUNT any
#include "common/vulkan_frames.h"

int main() {
  OpenForRendering(true);
  const Frames frames = MakeFrames(2);
  for (uint32_t frame = 0; frame < 12; ++frame) {
#ifdef DEFECT
    const uint32_t slot = 0;
#else
    const uint32_t slot = frame % kFrames;
#endif
    WaitForSlot(frames, frame);
    for (uint32_t object = 0; object < frames.objects; ++object) {
      volatile float* matrix = MatrixOf(frames, slot, object);
      for (int i = 0; i < 16; ++i) {
        // @WRITE
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
      }
    }
    BeginFrame(frames, frame);
    for (uint32_t object = 0; object < frames.objects; ++object) {
      BindMatrix(frames, slot, object);
      // @DRAW
      vkCmdDraw(commands, 3, 1, 0, 0);
    }
    EndFrame(frames, frame);
  }
  Destroy(frames);
  Close();
}
