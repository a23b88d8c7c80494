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
muster_tool_test(advise advise_test.py)
