# The drop-in under programs that know nothing of it: our own for each entry point, Fortran, Python, HDF5, PnetCDF, netCDF-4.
# What Debian does not have for this MPI is left out.
if(NOT MUSTER_TESTS OR MUSTER_SANITIZE OR MUSTER_FUZZERS)
  return()
endif()
find_program(MUSTER_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)  # Debian's, which has Debian's packages
if(NOT MUSTER_PYTHON)
  return()
endif()
set(MUSTER_DROPIN_DIR ${PROJECT_SOURCE_DIR}/test/dropin)

# muster_dropin_test(name RANKS 2 COMMAND program {directory} CHECKS --handled MPI_File_write_all=3)
function(muster_dropin_test name)
  cmake_parse_arguments(TEST "" "RANKS" "COMMAND;CHECKS" ${ARGN})
  set(name dropin.${name}.np${TEST_RANKS})
  add_test(NAME ${name} COMMAND ${MUSTER_PYTHON} ${MUSTER_DROPIN_DIR}/run.py --build ${PROJECT_BINARY_DIR}
                                --ranks ${TEST_RANKS} ${TEST_CHECKS} -- ${TEST_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${MUSTER_TEST_SECONDS} PROCESSORS 2 LABELS mpi)
endfunction()

# A program of one C file that knows nothing of Muster.
function(muster_dropin_program name)
  add_executable(dropin_${name} ${MUSTER_DROPIN_DIR}/${name}.c)
  target_link_libraries(dropin_${name} PRIVATE ${ARGN} MPI::MPI_C)
  add_dependencies(dropin_${name} muster_mpiio)
endfunction()

# --- every entry point ---

muster_dropin_program(entries)
set(every_call --compare --env MUSTER_ENABLE=always
    --handled MPI_File_write_at_all=5 --handled MPI_File_read_at_all=3 --handled MPI_File_write_all=10
    --handled MPI_File_read_all=1 --handled MPI_File_write_all_begin=1 --handled MPI_File_read_all_begin=1
    --handled MPI_File_write_at_all_begin=1 --handled MPI_File_read_at_all_begin=1
    --handled MPI_File_write_ordered=12 --handled MPI_File_read_ordered=3 --handled MPI_File_write_ordered_begin=5
    --handled MPI_File_read_ordered_begin=4 --passed "MPI_File_write_shared=shared file pointer")
set(own_requests --handled MPI_File_iwrite_at_all=1 --handled MPI_File_iwrite_all=2
    --handled MPI_File_iread_at_all=1 --handled MPI_File_iread_all=1 --passed "MPI_File_iread=independent access")
foreach(ranks 1 2 4)
  muster_dropin_test(entries RANKS ${ranks} COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript} CHECKS ${every_call})
endforeach()
muster_dropin_test(threads RANKS 3 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript} threads
                   CHECKS ${every_call} ${own_requests})
# As users have it, with small accesses left to the MPI.
muster_dropin_test(entries_by_default RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS --compare --passed "MPI_File_write_ordered=one of the first small accesses to the file")
muster_dropin_test(raised_threads RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS ${own_requests} --env MUSTER_THREADS=1)

# Single ranks at the shared file pointer, where the MPI does not have the view.
muster_dropin_program(shared)
set(shared_ranks 1 2 4)
if(MUSTER_MPI_KIND STREQUAL "mpich")
  set(shared_ranks 1 2)  # with more ranks than cores its own part takes long
endif()
foreach(ranks ${shared_ranks})
  muster_dropin_test(shared RANKS ${ranks} COMMAND ${PROJECT_BINARY_DIR}/dropin_shared {directory} {transcript}
                     CHECKS --compare --handled MPI_File_write_shared=15 --handled MPI_File_iwrite_shared=3
                            --handled MPI_File_read_shared=7 --handled MPI_File_iread_shared=1 --handled MPI_File_write_ordered=9)
endforeach()

muster_dropin_program(letter)
muster_dropin_test(letter RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_letter {directory} {transcript}
                   CHECKS --compare --env MUSTER_ENABLE=always --handled MPI_File_write_all=14
                          --passed "MPI_File_write=independent access")
# A description of the machine that is wrong for the job, or fine for it and wrong for each rank alone.
muster_dropin_test(letter_on_wrong_machine RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_letter {directory} {transcript}
                   CHECKS --compare --env MUSTER_MACHINE=junk --says "is left to the MPI: 'junk' is not a machine")
muster_dropin_test(letter_on_described_machine RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_letter {directory} {transcript}
                   CHECKS --compare --env "MUSTER_MACHINE=nodes 1 x 2" --env MUSTER_ENABLE=always --handled MPI_File_write_all=14)
muster_dropin_test(letter_by_default RANKS 3 COMMAND ${PROJECT_BINARY_DIR}/dropin_letter {directory} {transcript}
                   CHECKS --compare --handled MPI_File_write_all=3)

# Without a report files learn later what their ranks have in common.
muster_dropin_test(entries_unreported RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS --compare --unreported)
muster_dropin_test(letter_unreported RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_letter {directory} {transcript}
                   CHECKS --compare --unreported --env MUSTER_ENABLE=always)
muster_dropin_test(shared_unreported RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_shared {directory} {transcript}
                   CHECKS --compare --unreported)

muster_dropin_program(requests)
foreach(ranks 1 2 3)
  muster_dropin_test(requests RANKS ${ranks} COMMAND ${PROJECT_BINARY_DIR}/dropin_requests {directory}
                     CHECKS --handled MPI_File_iwrite_at_all=14 --handled MPI_File_iread_at_all=22)
endforeach()

muster_dropin_program(failures)
foreach(ranks 2 4)
  muster_dropin_test(failures RANKS ${ranks} COMMAND ${PROJECT_BINARY_DIR}/dropin_failures {directory}
                     CHECKS --handled MPI_File_write_all=3
                            --handled MPI_File_iwrite_at_all=3)
endforeach()

muster_dropin_program(beside)
muster_dropin_test(beside RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_beside {directory}
                   CHECKS --handled MPI_File_write_at=20 --handled MPI_File_write_at_all=1)

if(MUSTER_HAS_TOOLS)
  muster_dropin_program(pieces)
  add_dependencies(dropin_pieces muster)
  muster_dropin_test(pieces RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_pieces {directory} ${PROJECT_BINARY_DIR}/muster
                     CHECKS --passed "MPI_File_read_at_all=a set of pieces (muster join makes one file of it)"
                            --says "is left to the MPI: a set of pieces")
endif()

# MPICH is the only one with these functions; Muster does what it cannot.
if(MUSTER_MPI_KIND STREQUAL "mpich")
  muster_dropin_program(large)
  muster_dropin_test(large RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_large {directory}
                     CHECKS --in /dev/shm --handled MPI_File_write_at_all_c=1 --handled MPI_File_read_at_all_c=1
                            --handled MPI_File_write_all_c=1)
  set_tests_properties(dropin.large.np2 PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Random accesses by all forms of the calls, against the MPI's own I/O in the same process.
foreach(run 2:40 4:40)
  string(REPLACE ":" ";" run ${run})
  list(POP_FRONT run ranks cases)
  muster_dropin_test(differential RANKS ${ranks}
                     COMMAND ${PROJECT_BINARY_DIR}/differential --drop-in --cases ${cases} --seed ${ranks}770000
                             --directory {directory}
                     CHECKS --handled MPI_File_write_at_all=4 --handled MPI_File_read_at_all=4
                            --handled MPI_File_iwrite_at_all=4 --handled MPI_File_write_all=4
                            --passed "MPI_File_write_at=the hint muster_enable is off, or a variable is wrong")
endforeach()

# --- whether it works at all ---

muster_dropin_test(switched_off RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS --no-report --env MUSTER_ENABLE=0)
# A wrong variable leaves files to the MPI from the start: nothing fails, in whatever way they are accessed.
set(wrong_reason "the hint muster_enable is off, or a variable is wrong")
muster_dropin_test(wrong_variable RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript} threads
                   CHECKS --compare --env MUSTER_WINDOW=junk --says "left to the MPI: environment variable MUSTER_WINDOW"
                          --passed "MPI_File_write_all=${wrong_reason}" --passed "MPI_File_iwrite_all=${wrong_reason}")
muster_dropin_test(wrong_variable_unreported RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_shared {directory} {transcript}
                   CHECKS --compare --unreported --env MUSTER_FAULTS=junk --says "left to the MPI: not a fault")
muster_dropin_test(summary RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS --env MUSTER_SUMMARY=1 --says "collective accesses")
add_executable(dropin_linked ${MUSTER_DROPIN_DIR}/entries.c)
target_link_libraries(dropin_linked PRIVATE muster_mpiio MPI::MPI_C)
muster_dropin_test(linked_first RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_linked {directory} {transcript}
                   CHECKS --preload= --handled MPI_File_write_all=10)

add_library(dropin_tool MODULE ${MUSTER_DROPIN_DIR}/tool.c)
target_link_libraries(dropin_tool PRIVATE MPI::MPI_C)
set_target_properties(dropin_tool PROPERTIES C_VISIBILITY_PRESET default)
set(tool ${PROJECT_BINARY_DIR}/libdropin_tool.so)
muster_dropin_test(tool_before RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS --preload ${tool}:+ --handled MPI_File_write_at_all=5 --says "tool: opened, written")
muster_dropin_test(tool_after RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                   CHECKS --preload +:${tool} --handled MPI_File_write_at_all=5 --says "tool: opened, written")

# Entry points that were made for the other MPI.
set(other mpich)
if(MUSTER_MPI_KIND STREQUAL "mpich")
  set(other ompi-c)
endif()
pkg_check_modules(MUSTER_OTHER_MPI QUIET ${other})
if(MUSTER_OTHER_MPI_FOUND)
  add_library(dropin_wrong MODULE ${PROJECT_SOURCE_DIR}/src/intercept/entry.cpp)
  target_compile_definitions(dropin_wrong PRIVATE MUSTER_WORKER="none.so" OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_include_directories(dropin_wrong PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(dropin_wrong SYSTEM PRIVATE ${MUSTER_OTHER_MPI_INCLUDE_DIRS})
  target_link_libraries(dropin_wrong PRIVATE muster_core ${CMAKE_DL_LIBS})
  muster_dropin_test(wrong_mpi RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_entries {directory} {transcript}
                     CHECKS --preload ${PROJECT_BINARY_DIR}/libdropin_wrong.so --no-report --says "switched off")
endif()

# --- Fortran ---

find_program(MUSTER_MPIF90 mpif90.${MUSTER_MPI_KIND})
if(MUSTER_MPIF90)
  foreach(binding 1:mpif 2:mpi 3:mpi_f08)
    string(REPLACE ":" ";" binding ${binding})
    list(POP_FRONT binding number name)
    set(program ${PROJECT_BINARY_DIR}/dropin_fortran_${name})
    add_custom_command(OUTPUT ${program} DEPENDS ${MUSTER_DROPIN_DIR}/fortran.F90
                       COMMAND ${MUSTER_MPIF90} -DBINDING=${number} -ffree-line-length-none -fallow-argument-mismatch
                               ${MUSTER_DROPIN_DIR}/fortran.F90 -o ${program})
    list(APPEND fortran_programs ${program})
    muster_dropin_test(fortran_${name} RANKS 2 COMMAND ${program} {directory}
                       CHECKS --nothing-passed --handled MPI_File_write_all=2 --handled MPI_File_read_all=1
                              --handled MPI_File_read_at_all=1 --handled MPI_File_write_at_all_begin=1)
  endforeach()
  add_custom_target(dropin_fortran ALL DEPENDS ${fortran_programs})
endif()

# --- libraries ---

pkg_check_modules(MUSTER_HDF5 QUIET IMPORTED_TARGET hdf5-${MUSTER_MPI_KIND})
if(MUSTER_HDF5_FOUND)
  muster_dropin_program(hdf5 PkgConfig::MUSTER_HDF5)
  foreach(ranks 2 4)
    muster_dropin_test(hdf5 RANKS ${ranks} COMMAND ${PROJECT_BINARY_DIR}/dropin_hdf5 {directory}
                       CHECKS --nothing-passed --handled MPI_File_write_at_all=12 --handled MPI_File_read_at_all=4)
  endforeach()
endif()
# Many datasets in one call while HDF5 itself is on the drop-in.
if(MUSTER_HAS_HDF5)
  muster_dropin_test(hdf5_multi RANKS 4 COMMAND ${PROJECT_BINARY_DIR}/muster_hdf5_bench --directory {directory} --runs 1
                            --variables 6 --subjects climate,cubes,one --ways hdf5,dropin,single,multi,blocks
                     CHECKS --handled MPI_File_write_at_all=26 --handled MPI_File_read_at_all=26
                            --passed "MPI_File_write_at_all=the hint muster_enable is off, or a variable is wrong")
endif()

if(MUSTER_MPI_KIND STREQUAL "openmpi")  # the only one that Debian has these for
  pkg_check_modules(MUSTER_PNETCDF QUIET IMPORTED_TARGET pnetcdf)
  if(MUSTER_PNETCDF_FOUND)
    muster_dropin_program(pnetcdf PkgConfig::MUSTER_PNETCDF)
    foreach(ranks 2 4)
      muster_dropin_test(pnetcdf RANKS ${ranks} COMMAND ${PROJECT_BINARY_DIR}/dropin_pnetcdf {directory}
                         CHECKS --nothing-passed --handled MPI_File_write_at_all=4 --handled MPI_File_read_at_all=6)
    endforeach()
    muster_dropin_test(pnetcdf_many RANKS 4 COMMAND ${PROJECT_BINARY_DIR}/muster_pnetcdf_bench --directory {directory}
                              --runs 1 --variables 6
                       CHECKS --handled MPI_File_write_at_all=4 --handled MPI_File_read_at_all=4)
  endif()
  pkg_check_modules(MUSTER_NETCDF QUIET IMPORTED_TARGET netcdf-mpi)
  find_path(MUSTER_NETCDF_PAR netcdf_par.h PATHS ${MUSTER_NETCDF_PREFIX}/include)  # its pkg-config file leaves it out
  if(MUSTER_NETCDF_FOUND AND MUSTER_NETCDF_PAR)
    muster_dropin_program(netcdf4 PkgConfig::MUSTER_NETCDF)
    target_include_directories(dropin_netcdf4 SYSTEM BEFORE PRIVATE ${MUSTER_NETCDF_PAR})
    muster_dropin_test(netcdf4 RANKS 2 COMMAND ${PROJECT_BINARY_DIR}/dropin_netcdf4 {directory}
                       CHECKS --nothing-passed --handled MPI_File_write_at_all=1 --handled MPI_File_read_at_all=1)
  endif()
  foreach(module mpi4py h5py._debian_h5py_mpi)
    execute_process(COMMAND ${MUSTER_PYTHON} -c "import importlib.util as u, sys; sys.exit(u.find_spec('${module}') is None)"
                    RESULT_VARIABLE missing ERROR_QUIET)
    if(missing)
      continue()
    elseif(module STREQUAL "mpi4py")
      muster_dropin_test(mpi4py RANKS 2 COMMAND ${MUSTER_PYTHON} ${MUSTER_DROPIN_DIR}/mpi4py_access.py {directory}
                         CHECKS --nothing-passed --handled MPI_File_write_all=1 --handled MPI_File_read_at_all=1
                                --handled MPI_File_iwrite_at_all=1 --handled MPI_File_iread_all=1)
      muster_dropin_test(mpi4py_methods RANKS 2 COMMAND ${MUSTER_PYTHON} ${MUSTER_DROPIN_DIR}/mpi4py_methods.py {directory}
                         CHECKS --handled MPI_File_write_at_all=2 --handled MPI_File_read_all_begin=2
                                --handled MPI_File_iwrite_all=2 --handled MPI_File_write_ordered=1
                                --handled MPI_File_read_ordered_begin=1
                                --passed "MPI_File_write_shared=shared file pointer")
    else()
      muster_dropin_test(h5py RANKS 2 COMMAND ${MUSTER_PYTHON} ${MUSTER_DROPIN_DIR}/h5py_access.py {directory}
                         CHECKS --nothing-passed --handled MPI_File_write_at_all=3 --handled MPI_File_read_at_all=1)
    endif()
  endforeach()
endif()

# --- what it costs, by hand: test/dropin/overhead.py ---

muster_dropin_program(overhead)
