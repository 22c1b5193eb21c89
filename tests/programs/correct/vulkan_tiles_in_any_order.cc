// Dispatches with bases write tiles of one buffer without barriers: in any order, between plain
// dispatches, and the last tiles with a range that ends with them.
#include "common/vulkan_tiles.h"

int main() {
  Open();
  const Tiles tiles = MakeTiles(16, 12);
  Begin();
  Bind(tiles.compute);
  vkCmdDispatchBase(commands, 8, 0, 0, 4, 1, 1);
  vkCmdDispatch(commands, 2, 1, 1);
  vkCmdDispatchBase(commands, 4, 0, 0, 4, 1, 1);
  vkCmdDispatchBase(commands, 2, 0, 0, 2, 1, 1);
  vkCmdDispatchBase(commands, 2, 0, 0, 0, 1, 1);
  vkCmdFillBuffer(commands, tiles.words.handle, 12 * kTileBytes, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(tiles.compute);
  vkCmdDispatch(commands, 12, 1, 1);
  Run();
  Close(tiles);
}
