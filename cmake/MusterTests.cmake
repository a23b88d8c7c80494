# How tests, MPI tests, benchmarks and fuzzers are built and registered.
if(MUSTER_TESTS)
  enable_testing()
endif()

set(MUSTER_RANKS 1 2 3 4)            # any MPI takes these on a small machine
set(MUSTER_MANY_RANKS 7 16)          # labelled "large"; MPICH needs equipment for them
set(MUSTER_TEST_SECONDS 90)
if(MUSTER_SANITIZE)
  set(MUSTER_TEST_SECONDS 180)
endif()

set(MUSTER_TEST_ENVIRONMENT
    "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0" # the MPIs leak; equipment is preloaded
    "UBSAN_OPTIONS=print_stacktrace=1")

# The same launch line works as root, in a container without a network, and with more ranks than cores.
set(MUSTER_LAUNCH ${MPIEXEC_EXECUTABLE})
set(MUSTER_LAUNCH_MANY ${MUSTER_LAUNCH})
if(MUSTER_MPI_KIND STREQUAL "openmpi")
  list(APPEND MUSTER_LAUNCH --allow-run-as-root --oversubscribe --bind-to none --mca plm isolated --mca pml ob1
       --mca btl self,vader --mca btl_vader_single_copy_mechanism none --mca mpi_yield_when_idle 1)
  set(MUSTER_LAUNCH_MANY ${MUSTER_LAUNCH})
elseif(MUSTER_TESTS)
  list(APPEND MUSTER_LAUNCH -launcher fork)
  add_library(patient_mpich MODULE ${PROJECT_SOURCE_DIR}/test/equipment/patient_mpich.c)
  target_link_libraries(patient_mpich PRIVATE ${CMAKE_DL_LIBS})
  target_compile_options(patient_mpich PRIVATE -fvisibility=default)
  set(MUSTER_LAUNCH_MANY ${MUSTER_LAUNCH} -genv LD_PRELOAD $<TARGET_FILE:patient_mpich>)
endif()

function(muster_unit_test name)
  add_executable(${name}_test ${ARGN})
  target_link_libraries(${name}_test PRIVATE GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} LABELS unit
                       ENVIRONMENT "${MUSTER_TEST_ENVIRONMENT}")
endfunction()

# muster_mpi_runs(engine_mpi RANKS 1 2 COMMAND engine_mpi_test): tests engine_mpi.np1 and engine_mpi.np2.
function(muster_mpi_runs name)
  cmake_parse_arguments(RUN "" "" "RANKS;COMMAND" ${ARGN})
  list(POP_FRONT RUN_COMMAND program)
  foreach(ranks ${RUN_RANKS})
    set(launch ${MUSTER_LAUNCH})
    set(labels mpi)
    if(ranks IN_LIST MUSTER_MANY_RANKS)
      set(launch ${MUSTER_LAUNCH_MANY})
      set(labels mpi large)
    endif()
    add_test(NAME ${name}.np${ranks} COMMAND ${launch} -n ${ranks} $<TARGET_FILE:${program}> ${RUN_COMMAND})
    set_tests_properties(${name}.np${ranks} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS "${labels}"
                         ENVIRONMENT "${MUSTER_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

function(muster_mpi_test name)
  add_executable(${name}_mpi_test ${ARGN} ${PROJECT_SOURCE_DIR}/test/mpi_main.cpp)
  target_link_libraries(${name}_mpi_test PRIVATE GTest::gmock MPI::MPI_C)
  muster_mpi_runs(${name}_mpi RANKS ${MUSTER_RANKS} ${MUSTER_MANY_RANKS} COMMAND ${name}_mpi_test)
endfunction()

function(muster_benchmark name)
  add_executable(${name}_bench ${ARGN})
  target_link_libraries(${name}_bench PRIVATE benchmark::benchmark_main)
  set_target_properties(${name}_bench PROPERTIES EXCLUDE_FROM_ALL ${MUSTER_SANITIZE})
endfunction()

add_custom_target(fuzzers)

# One program per file; as a test it runs for some seconds from an empty corpus.
function(muster_fuzzer name source)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers ${name})
  add_test(NAME ${name} COMMAND ${name} -max_total_time=10 -timeout=5 -print_final_stats=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT 60 LABELS fuzz ENVIRONMENT "${MUSTER_TEST_ENVIRONMENT}")
endfunction()
