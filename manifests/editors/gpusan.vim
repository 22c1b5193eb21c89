" Vim compiler file: copy it to ~/.vim/compiler/, then ':compiler gpusan' and ':make program arguments'.
if exists("current_compiler") | finish | endif
let current_compiler = "gpusan"
CompilerSet makeprg=gpusan\ run\ --brief\ --color=never\ --
CompilerSet errorformat=%Agpusan:\ %t%*[a-z]:\ %m\ at\ %f:%l:%c%.%#,%Agpusan:\ %t%*[a-z]:\ %m\ at\ %f:%l%.%#,%C\ \ what:\ %m,%-C\ \ %.%#,%-ZSUMMARY:%.%#,%-G%.%#
