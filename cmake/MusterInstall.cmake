# The library as others get it: one shared library per MPI, headers, a CMake package and a pkg-config file.
# Both flavours can live in one prefix.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MUSTER_FLAVOUR ${MUSTER_MPI})
set(MUSTER_NAME muster-${MUSTER_MPI})
if(MUSTER_MPI STREQUAL "system")
  set(MUSTER_NAME muster)
endif()
set(MUSTER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/muster)

# One shared library of all rooms so far.
function(muster_library)
  get_property(rooms GLOBAL PROPERTY MUSTER_ROOMS)
  add_library(muster_library SHARED)
  foreach(room ${rooms})
    target_sources(muster_library PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
  target_link_libraries(muster_library PRIVATE muster_options Threads::Threads muster_hwloc muster_memkind muster_liburing muster_libibnetdisc
                        PUBLIC MPI::MPI_C)
  if(NOT MUSTER_SANITIZE AND NOT MUSTER_FUZZERS)
    target_link_options(muster_library PRIVATE -Wl,--no-undefined)
  endif()
  target_compile_definitions(muster_library INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_include_directories(muster_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(muster_library INTERFACE cxx_std_20)
  set_target_properties(muster_library PROPERTIES
    OUTPUT_NAME ${MUSTER_NAME} EXPORT_NAME muster LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  muster_install_library()
endfunction()

# libmuster-mpiio-<mpi>.so, to be preloaded or linked before the MPI, and what it loads once it has found the right MPI.
# lib/muster/<mpi>/libmuster-mpiio.so is another name for it.
function(muster_drop_in)
  set(name muster-mpiio-${MUSTER_MPI_KIND})
  add_library(muster_mpiio_worker MODULE $<TARGET_OBJECTS:muster_preload>)
  get_property(rooms GLOBAL PROPERTY MUSTER_ROOMS)
  list(REMOVE_ITEM rooms muster_intercept muster_preload muster_c)
  foreach(room ${rooms})
    target_sources(muster_mpiio_worker PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
  target_link_libraries(muster_mpiio_worker PRIVATE muster_options Threads::Threads muster_hwloc muster_memkind muster_liburing muster_libibnetdisc
                        MPI::MPI_C)
  set_target_properties(muster_mpiio_worker PROPERTIES OUTPUT_NAME ${name}-worker LINKER_LANGUAGE CXX)
  target_compile_definitions(muster_preload PRIVATE MUSTER_VERSION="${PROJECT_VERSION}" MUSTER_MPI_NAME="${MUSTER_MPI_KIND}")

  add_library(muster_mpiio SHARED $<TARGET_OBJECTS:muster_intercept> $<TARGET_OBJECTS:muster_core>)
  target_compile_definitions(muster_intercept PRIVATE MUSTER_WORKER="$<TARGET_FILE_NAME:muster_mpiio_worker>")
  target_link_libraries(muster_mpiio PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
  set_target_properties(muster_mpiio PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX)
  add_dependencies(muster_mpiio muster_mpiio_worker)
  # Nothing else is seen: a program may use another Muster itself.
  target_link_options(muster_mpiio PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/entry.map)
  target_link_options(muster_mpiio_worker PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/worker.map)
  install(TARGETS muster_mpiio muster_mpiio_worker LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  muster_install_other_name(${name})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/preload.in preload @ONLY)
endfunction()

# The link holds in the build directory as well; there `muster` is the tool.
function(muster_install_other_name name)
  set(here ${PROJECT_BINARY_DIR}/drop-in/${MUSTER_MPI_KIND})
  file(MAKE_DIRECTORY ${here})
  file(CREATE_LINK ../../lib${name}.so ${here}/libmuster-mpiio.so SYMBOLIC)
  install(FILES ${here}/libmuster-mpiio.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/muster/${MUSTER_MPI_KIND})
endfunction()

macro(muster_install_library)
  install(TARGETS muster_library EXPORT ${MUSTER_NAME} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/muster DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
  muster_install_package()
  muster_install_pkgconfig()
endmacro()

macro(muster_install_package)
  install(EXPORT ${MUSTER_NAME} FILE muster-targets-${MUSTER_FLAVOUR}.cmake NAMESPACE muster::
          DESTINATION ${MUSTER_PACKAGE_DIR})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/muster-config.cmake.in muster-config.cmake
                                INSTALL_DESTINATION ${MUSTER_PACKAGE_DIR})
  write_basic_package_version_file(muster-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/muster-config.cmake ${PROJECT_BINARY_DIR}/muster-config-version.cmake
          DESTINATION ${MUSTER_PACKAGE_DIR})
endmacro()

# `mpicxx prog.cpp $(pkg-config --cflags --libs muster-mpich)`: the compiler wrapper brings the MPI.
macro(muster_install_pkgconfig)
  string(REGEX REPLACE "[^/]+" ".." MUSTER_PREFIX_FROM_PC ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/muster.pc.in ${MUSTER_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${MUSTER_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endmacro()

# muster_side_library(hdf5): the room as a shared library of its own, libmuster-hdf5-mpich, on top of the library. What it uses of
# the other rooms must be marked MUSTER_API.
function(muster_side_library room)
  set(target muster_${room}_library)
  string(REPLACE muster muster-${room} name ${MUSTER_NAME})
  add_library(${target} SHARED $<TARGET_OBJECTS:muster_${room}>)
  target_link_libraries(${target} PRIVATE muster_options PUBLIC muster_library)
  if(room STREQUAL "hdf5")
    target_link_libraries(${target} PRIVATE PkgConfig::HDF5)
  endif()
  if(NOT MUSTER_SANITIZE AND NOT MUSTER_FUZZERS)
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} EXPORT_NAME ${room} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS ${target} EXPORT ${MUSTER_NAME} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  string(REGEX REPLACE "[^/]+" ".." MUSTER_PREFIX_FROM_PC ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/muster-${room}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

function(muster_install_program name)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# Manual pages and completion, which the tool makes itself, and the module for Python.
function(muster_install_manual module)
  if(MUSTER_SANITIZE OR MUSTER_FUZZERS)  # nobody installs these
    return()
  endif()
  set(manual ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(TARGET muster POST_BUILD COMMAND muster manual ${manual}
                     COMMAND muster completion bash > ${manual}/muster.bash
                     COMMAND muster completion zsh > ${manual}/_muster VERBATIM)
  install(DIRECTORY ${manual}/man1 ${manual}/man7 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${manual}/muster.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME muster)
  install(FILES ${manual}/_muster DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_SOURCE_DIR}/${module} DESTINATION ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages)
endfunction()
