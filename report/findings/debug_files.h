// Finds the separate debug files of a program: its debug file, and the supplementary file that
// several debug files share (DWARF 5 section 7.3.6, .gnu_debugaltlink).
//
// The program, its links and the folders around it are untrusted. Only regular files of at most
// 8 GiB are opened, and opening never blocks. A file is used only if its build-id, or else its
// checksum, is the one that the program names. Not thread-safe.
#pragma once

#include <elfutils/libdwfl.h>

namespace gpusan {

// The callback find_debuginfo of libdwfl. It looks at the debug link and ".debug" files in the
// folder of the program and in /usr/lib/debug, then for the build-id in /usr/lib/debug and at the
// servers of DEBUGINFOD_URLS. Returns a descriptor that the caller owns, and sets *found to a
// string that the caller frees; otherwise returns -1.
int FindDebugFile(Dwfl_Module* module, void** userdata, const char* name, Dwarf_Addr base,
                  const char* file, const char* link, GElf_Word crc, char** found);

// Loads the DWARF of `module`, whose callbacks contain FindDebugFile. Afterwards libdw opens no
// further file for it. Without this function, libdw itself opens a supplementary file that
// FindDebugFile refused, and does not compare its build-id.
void LoadDebugInformation(Dwfl_Module* module);

}  // namespace gpusan
