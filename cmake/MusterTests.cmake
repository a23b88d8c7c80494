# How tests, MPI tests, benchmarks and fuzzers are built and registered.
if(MUSTER_TESTS)
  enable_testing()
endif()

set(MUSTER_RANKS 1 2 3 4)
set(MUSTER_MANY_RANKS 7 16)  # labelled "large"
set(MUSTER_TEST_SECONDS 180)
if(MUSTER_SANITIZE)
  set(MUSTER_TEST_SECONDS 360)
endif()

set(MUSTER_TEST_ENVIRONMENT
    "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0"  # the MPIs leak
    "UBSAN_OPTIONS=print_stacktrace=1")

# build/<preset>/launch starts a program on so many ranks: one line for tests, scripts and people.
set(MUSTER_LAUNCH_OPTIONS "")
set(MUSTER_LAUNCH_MANY_OPTIONS "")
if(MUSTER_MPI_KIND STREQUAL "openmpi")
  set(MUSTER_LAUNCH_OPTIONS "--allow-run-as-root --oversubscribe --bind-to none --mca plm isolated --mca pml ob1 \
--mca btl self,vader --mca btl_vader_single_copy_mechanism none --mca mpi_yield_when_idle 1")
else()
  foreach(habit patient leaving)
    add_library(${habit}_mpich MODULE ${PROJECT_SOURCE_DIR}/test/equipment/${habit}_mpich.c)
    target_link_libraries(${habit}_mpich PRIVATE ${CMAKE_DL_LIBS})
    set_target_properties(${habit}_mpich PROPERTIES C_VISIBILITY_PRESET default)
  endforeach()
  target_link_libraries(leaving_mpich PRIVATE MPI::MPI_C)
  set(MUSTER_LAUNCH_OPTIONS "-launcher fork")
  set(MUSTER_LAUNCH_MANY_OPTIONS "-genv LD_PRELOAD '${PROJECT_BINARY_DIR}/libpatient_mpich.so'")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/launch.in launch @ONLY)

# Tests take half the time to compile this way, and little more to run.
set(MUSTER_TEST_OPTIONS -O1 -g1)

function(muster_unit_test name)
  add_executable(${name}_test ${ARGN})
  target_compile_options(${name}_test PRIVATE ${MUSTER_TEST_OPTIONS})
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
    set(labels mpi)
    if(ranks IN_LIST MUSTER_MANY_RANKS)
      list(APPEND labels large)
    endif()
    add_test(NAME ${name}.np${ranks}
             COMMAND ${PROJECT_BINARY_DIR}/launch ${ranks} $<TARGET_FILE:${program}> ${RUN_COMMAND})
    set_tests_properties(${name}.np${ranks} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS "${labels}"
                         ENVIRONMENT "${MUSTER_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

function(muster_mpi_test name)
  add_executable(${name}_mpi_test ${ARGN} ${PROJECT_SOURCE_DIR}/test/mpi_main.cpp)
  target_compile_options(${name}_mpi_test PRIVATE ${MUSTER_TEST_OPTIONS})
  target_link_libraries(${name}_mpi_test PRIVATE GTest::gmock MPI::MPI_C)
  if(NOT MUSTER_TEST_RANKS)
    set(MUSTER_TEST_RANKS ${MUSTER_RANKS} ${MUSTER_MANY_RANKS})
  endif()
  muster_mpi_runs(${name}_mpi RANKS ${MUSTER_TEST_RANKS} COMMAND ${name}_mpi_test)
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

# muster_differential_runs(differential 2 700 4 500): 700 random cases on 2 ranks, 500 on 4; with the sanitizers a tenth of them.
# OPTIONS go to the program.
function(muster_differential_runs name)
  if(NOT MUSTER_TESTS)
    return()
  endif()
  cmake_parse_arguments(RUN "" "" "OPTIONS" ${ARGN})
  set(rest ${RUN_UNPARSED_ARGUMENTS})
  while(rest)
    list(POP_FRONT rest ranks cases)
    if(MUSTER_SANITIZE)
      math(EXPR cases "${cases} / 10")
    endif()
    muster_mpi_runs(${name} RANKS ${ranks} COMMAND differential --cases ${cases} --seed ${ranks}00000 ${RUN_OPTIONS})
    set_tests_properties(${name}.np${ranks} PROPERTIES TIMEOUT 400)
  endwhile()
endfunction()

# muster_cluster_test(differential_nodes NODES 3 PER_NODE 2 COMMAND differential --cases 60): on an emulated cluster, where one can be had.
function(muster_cluster_test name)
  if(NOT MUSTER_TESTS OR MUSTER_SANITIZE)
    return()
  endif()
  cmake_parse_arguments(RUN "" "NODES;PER_NODE" "COMMAND" ${ARGN})
  list(POP_FRONT RUN_COMMAND program)
  add_test(NAME ${name}.${RUN_NODES}x${RUN_PER_NODE}
           COMMAND ${PROJECT_SOURCE_DIR}/script/cluster --mpi ${MUSTER_MPI_KIND} --equipment ${PROJECT_BINARY_DIR}
                   --nodes ${RUN_NODES} --per-node ${RUN_PER_NODE} $<TARGET_FILE:${program}> ${RUN_COMMAND})
  set_tests_properties(${name}.${RUN_NODES}x${RUN_PER_NODE} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2
                       SKIP_RETURN_CODE 77 LABELS "mpi;cluster")
endfunction()
