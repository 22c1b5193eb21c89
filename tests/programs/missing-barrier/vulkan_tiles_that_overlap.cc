// Defect: Two dispatches with bases write the same tile, and nothing orders them.
// Fix: The second one begins after the last tile of the first.
// EXPECT error missing-barrier vkCmdDispatchBase at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
#include "common/vulkan_tiles.h"

int main() {
  Open();
  const Tiles tiles = MakeTiles(16, 16);
  Begin();
  Bind(tiles.compute);
  // @FIRST
  vkCmdDispatchBase(commands, 2, 0, 0, 4, 1, 1);
#ifdef DEFECT
  // @SECOND
  vkCmdDispatchBase(commands, 5, 0, 0, 4, 1, 1);
#else
  vkCmdDispatchBase(commands, 6, 0, 0, 4, 1, 1);
#endif
  // Of tiles that no dispatch writes.
  vkCmdFillBuffer(commands, tiles.words.handle, 10 * kTileBytes, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, tiles.words.handle, 0, 2 * kTileBytes, 0);
  Run();
  Close(tiles);
}
