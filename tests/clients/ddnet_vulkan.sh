#!/bin/sh
# DDNet: the menu of a game above a map that is drawn, by its Vulkan renderer: threads that record, secondary command buffers,
# streamed buffers, mip chains of some hundred textures. The package brings the shaders' source; the game ends by a signal.
# packages: ddnet ddnet-data glslang-tools mesa-vulkan-drivers xvfb xauth
# api: vulkan
# suite: long
# attach: layer validation
# ignore: ^(VUID|UNASSIGNED|    Objects: | +\[\d+\]|$)
from=/usr/share/games/ddnet/data/shader/vulkan
to=$HOME/.local/share/ddnet/shader/vulkan
mkdir -p "$to"
shader() {  # source, result, macros
  for stage in vert frag; do
    glslangValidator -V -S $stage $3 -o "$to/$2.$stage.spv" "$from/$1.$stage" >/dev/null || exit
  done
}
shader prim prim ''
shader prim prim_textured -DTW_TEXTURED
shader prim3d prim3d ''
shader prim3d prim3d_textured -DTW_TEXTURED
shader primex primex ''
shader primex primex_rotationless -DTW_ROTATIONLESS
shader primex primex_tex -DTW_TEXTURED
shader primex primex_tex_rotationless '-DTW_TEXTURED -DTW_ROTATIONLESS'
shader quad quad ''
shader quad quad_textured -DTW_QUAD_TEXTURED
shader quad quad_push -DTW_PUSH_CONST
shader quad quad_push_textured '-DTW_PUSH_CONST -DTW_QUAD_TEXTURED'
shader spritemulti spritemulti ''
shader spritemulti spritemulti_push -DTW_PUSH_CONST
shader text text ''
shader tile tile ''
shader tile tile_textured -DTW_TILE_TEXTURED
shader tile tile_border -DTW_TILE_BORDER
shader tile tile_border_textured '-DTW_TILE_BORDER -DTW_TILE_TEXTURED'
shader tile tile_border_line -DTW_TILE_BORDER_LINE
shader tile tile_border_line_textured '-DTW_TILE_BORDER_LINE -DTW_TILE_TEXTURED'
XDG_RUNTIME_DIR="$HOME" xvfb-run -a timeout -k 20 -s INT 20 /usr/games/DDNet 'gfx_backend Vulkan' \
  'gfx_screen_width 320; gfx_screen_height 240; gfx_fullscreen 0; gfx_refresh_rate 20; snd_enable 0; cl_show_welcome 0' >out 2>&1
test $? -eq 124 && grep -o 'GPU version: Vulkan' out
