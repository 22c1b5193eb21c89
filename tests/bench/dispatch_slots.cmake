# Reads the names of the loader's dispatch slots out of the installed cl_icd.h and writes one
# SLOT(name) a line, so that the empty layer cannot fall behind the header. Arguments: -DHEADER=,
# -DOUTPUT=.
file(READ ${HEADER} text)
string(REGEX MATCH "typedef struct _cl_icd_dispatch {.*} cl_icd_dispatch;" struct "${text}")
string(REGEX MATCHALL "(cl_api_cl[A-Za-z0-9_]+[ \n]+|cl[A-Za-z0-9_]+_t[ \n]*\\*)cl[A-Za-z0-9_]+" members "${struct}")
list(LENGTH members count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} dispatch slots found in ${HEADER}")
endif()
set(lines "")
foreach(member ${members})
  string(REGEX REPLACE "^(cl_api_cl[A-Za-z0-9_]+[ \n]+|cl[A-Za-z0-9_]+_t[ \n]*\\*)" "" name "${member}")
  string(APPEND lines "SLOT(${name})\n")
endforeach()
file(WRITE ${OUTPUT} "${lines}")
