# The tool as users call it.
if(NOT MUSTER_TESTS OR NOT MUSTER_HAS_TOOLS OR MUSTER_SANITIZE OR MUSTER_FUZZERS OR NOT MUSTER_PYTHON)
  return()
endif()
set(MUSTER_TOOL_TESTS ${PROJECT_SOURCE_DIR}/test/tool)
separate_arguments(launch_words UNIX_COMMAND "${MPIEXEC_EXECUTABLE} ${MUSTER_LAUNCH_OPTIONS}")

function(muster_tool_test name script)
  add_test(NAME tool.${name} COMMAND ${MUSTER_PYTHON} ${MUSTER_TOOL_TESTS}/${script} $<TARGET_FILE:muster> ${ARGN})
  set_tests_properties(tool.${name} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS mpi SKIP_RETURN_CODE 77)
endfunction()

muster_tool_test(run run_test.py ${MUSTER_MPI_KIND} $<TARGET_FILE:dropin_entries> ${launch_words})
muster_tool_test(page page_test.py)
muster_tool_test(subfiles subfiles_test.py)
muster_tool_test(advise advise_test.py)
muster_tool_test(manual manual_test.py ${PROJECT_SOURCE_DIR}/tools/python)

# A program as users have them, and libraries as they use them, captured and replayed.
add_executable(tool_program ${MUSTER_TOOL_TESTS}/program.c)
target_link_libraries(tool_program PRIVATE MPI::MPI_C)
muster_tool_test(capture capture_test.py ${MUSTER_MPI_KIND} 4 "$<TARGET_FILE:tool_program>,3,halves" ${launch_words})
foreach(library hdf5 pnetcdf)
  if(TARGET dropin_${library})
    muster_tool_test(capture_${library} capture_test.py ${MUSTER_MPI_KIND} 4 "$<TARGET_FILE:dropin_${library}>,{directory}" ${launch_words})
  endif()
endforeach()
muster_tool_test(advise_run advise_run_test.py ${MUSTER_MPI_KIND} $<TARGET_FILE:tool_program> ${launch_words})
if(MUSTER_HAS_IBNETDISC)
  muster_tool_test(fabric fabric_test.py $<TARGET_FILE:tool_program> ${launch_words})
endif()
# Every command in README and docs.
muster_tool_test(docs docs_test.py ${MUSTER_MPI_KIND} ${PROJECT_BINARY_DIR} $<TARGET_FILE:tool_program>)
