# Every workload in a small size through every back end, written and read and verified.
function(muster_bench_smoke_run workload ranks)
  set(name bench.${workload}.np${ranks})
  set(directory ${PROJECT_BINARY_DIR}/smoke/${name})
  file(MAKE_DIRECTORY ${directory})
  set(labels mpi)
  if(ranks IN_LIST MUSTER_MANY_RANKS)
    list(APPEND labels large)
  endif()
  set(options "")
  foreach(option ${ARGN})
    list(APPEND options --option ${option})
  endforeach()
  add_test(NAME ${name}
           COMMAND ${PROJECT_BINARY_DIR}/launch ${ranks} $<TARGET_FILE:muster_bench> --workload ${workload} ${options}
                   --directory ${directory} --runs 1 --warm-ups 0 --steps 2 --operation write --operation read
                   --back-end native/native --back-end muster/muster --back-end plan/plan)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS "${labels}"
                       ENVIRONMENT "${MUSTER_TEST_ENVIRONMENT}")
endfunction()

function(muster_bench_smoke workload)
  foreach(ranks 1 4 16)
    muster_bench_smoke_run(${workload} ${ranks} ${ARGN})
  endforeach()
endfunction()

if(MUSTER_TESTS)
  muster_bench_smoke(e3sm-f ne=3 levels=4 d2=4 d3=2)
  muster_bench_smoke(e3sm-g cells=500 edges=0 vertices=0 levels=3)
  muster_bench_smoke(map files=${PROJECT_SOURCE_DIR}/bench/testing/small_map.dat variables=3)
  muster_bench_smoke(btio grid=12 variables=2)
  muster_bench_smoke(s3d grid=12)
  muster_bench_smoke(cube grid=20)
  muster_bench_smoke(flash blocks=3 more-blocks=2 variables=4)
  muster_bench_smoke(hacc particles=200)
  muster_bench_smoke(array1d elements=500 distribution=random)
  muster_bench_smoke(noncontig datasets=3 dataset-bytes=20000)
  muster_bench_smoke(contiguous block=10000)
  muster_bench_smoke(strided block=100 blocks=20)
endif()

# The tool starts the ranks by itself.
if(MUSTER_TESTS AND MUSTER_HAS_TOOLS AND NOT MUSTER_MPI STREQUAL "system")
  add_test(NAME bench.tool
           COMMAND muster bench cube --grid 8 --ranks 2 --mpi ${MUSTER_MPI} --runs 2 --target ${PROJECT_BINARY_DIR}/smoke
                   --program $<TARGET_FILE:muster_bench> --mode independent --file overwrite --types flat --json)
  set_tests_properties(bench.tool PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS mpi
                       PASS_REGULAR_EXPRESSION "\"verified\": true\n}")
  add_test(NAME bench.exchange
           COMMAND muster bench exchange --ranks 4 --mpi ${MUSTER_MPI} --runs 2 --rounds 3 --bytes 1KiB --program ${PROJECT_BINARY_DIR}/muster-exchange-${MUSTER_MPI_KIND}
                   --json)
  set_tests_properties(bench.exchange PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS mpi
                       PASS_REGULAR_EXPRESSION "\"kernel\": \"alltoallw\"")
endif()
