! Collective access from Fortran, through whichever binding BINDING names: 1 mpif.h, 2 use mpi, 3 use mpi_f08.
#if BINDING == 3
#define HANDLE(kind) type(kind)
#define STATUS type(MPI_Status) :: status
#else
#define HANDLE(kind) integer
#define STATUS integer :: status(MPI_STATUS_SIZE)
#endif
program drop_in
#if BINDING == 3
  use mpi_f08
#elif BINDING == 2
  use mpi
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer, parameter :: columns = 40, rows = 6
  integer :: error, rank, ranks, i, got
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Datatype) :: filetype, absolute
  integer(kind=MPI_ADDRESS_KIND) :: address
  HANDLE(MPI_Info) :: info
  STATUS
  integer(kind=MPI_OFFSET_KIND) :: displacement, position, offset
  double precision :: mine(rows, columns)
  double precision, asynchronous :: back(rows, columns)
  character(len=1000) :: directory

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, directory)
  do i = 1, columns
    mine(:, i) = rank * 1000 + i
  end do

  call MPI_Info_create(info, error)
  call MPI_Info_set(info, 'muster_window', '4KiB', error)
  call MPI_File_open(MPI_COMM_WORLD, trim(directory)//'/fortran', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), info, file, error)
  call expect(error == MPI_SUCCESS, 'open')
  ! Every rank has `rows` rows of a matrix with rows * ranks of them.
  call MPI_Type_create_subarray(2, [rows * ranks, columns], [rows, columns], [rows * rank, 0], MPI_ORDER_FORTRAN, &
                                MPI_DOUBLE_PRECISION, filetype, error)
  call MPI_Type_commit(filetype, error)
  displacement = 64
  call MPI_File_set_view(file, displacement, MPI_DOUBLE_PRECISION, filetype, 'native', MPI_INFO_NULL, error)
  call expect(error == MPI_SUCCESS, 'set_view')
  call MPI_File_write_all(file, mine, rows * columns, MPI_DOUBLE_PRECISION, status, error)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, error)
  call expect(got == rows * columns, 'write_all')
  call MPI_File_get_position(file, position, error)
  call expect(position == rows * columns, 'get_position')
  offset = 0
  call MPI_File_seek(file, offset, MPI_SEEK_SET, error)
  back = 0
  call MPI_File_read_all(file, back, rows * columns, MPI_DOUBLE_PRECISION, status, error)
  call expect(all(back == mine), 'read_all')
  back = 0
  offset = rows
  call MPI_File_read_at_all(file, offset, back, rows, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error)
  call expect(all(back(:, 1) == mine(:, 2)), 'read_at_all')
  call MPI_Get_address(back, address, error)
  call MPI_Type_create_hindexed(1, [rows], [address], MPI_DOUBLE_PRECISION, absolute, error)
  call MPI_Type_commit(absolute, error)
  back = 0
  call MPI_File_read_at_all(file, offset, MPI_BOTTOM, 1, absolute, status, error)
  call MPI_Type_free(absolute, error)
  call expect(all(back(:, 1) == mine(:, 2)), 'read_at_all to MPI_BOTTOM')
  call MPI_File_write_at_all_begin(file, offset, mine, rows, MPI_DOUBLE_PRECISION, error)
  call MPI_File_write_at_all_end(file, mine, status, error)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, error)
  call expect(error == MPI_SUCCESS .and. got == rows, 'write_at_all_begin')
  call MPI_File_write_at(file, offset, mine, 1, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error)
  call expect(error == MPI_SUCCESS, 'write_at')
  call MPI_File_write_all(file, mine, -1, MPI_DOUBLE_PRECISION, status, error)
  call expect(error /= MPI_SUCCESS, 'a count of -1 is an error')
  call MPI_File_close(file, error)
  call expect(error == MPI_SUCCESS, 'close')
  call MPI_Type_free(filetype, error)
  call MPI_Info_free(info, error)
  call MPI_Finalize(error)

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    integer :: failure
    if (holds) return
    print *, 'wrong on rank', rank, ': ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, failure)
  end subroutine

end program
