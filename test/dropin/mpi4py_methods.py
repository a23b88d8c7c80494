"""Every method of mpi4py's files, through views with holes and plain ones, and every form of access with every type."""
import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size

# --- every method of a file ---


def cyclic():
    return MPI.INT.Create_vector(5, 1, ranks).Create_resized(0, 20 * ranks).Commit()


def check(file, access, *arguments):
    """A blocking call, its status and what it says about itself."""
    status = MPI.Status()
    getattr(file, access)(*arguments, status)
    assert status.Get_elements(MPI.BYTE) == 40, (access, status.Get_elements(MPI.BYTE))


def finish(request):
    status = MPI.Status()
    request.Wait(status)
    assert status.Get_elements(MPI.BYTE) == 40


ten = numpy.arange(10, dtype="i4") + 100 * rank
got = numpy.zeros_like(ten)
path = sys.argv[1] + "/methods"
file = MPI.File.Open(world, path, MPI.MODE_CREATE | MPI.MODE_RDWR)
assert file.Get_amode() == MPI.MODE_CREATE | MPI.MODE_RDWR and file.amode == file.Get_amode()
assert MPI.Group.Compare(file.Get_group(), world.Get_group()) == MPI.IDENT
file.Set_size(0)
file.Preallocate(400 * ranks)
world.Barrier()
assert file.Get_size() == 400 * ranks == file.size
filetype = cyclic()
for displacement in (0, 40 * ranks):
    file.Set_view(displacement + 4 * rank, MPI.INT, filetype, "native", MPI.INFO_NULL)
    where, etype, seen, representation = file.Get_view()
    assert where == displacement + 4 * rank and representation == "native" and seen.Get_size() == 20
    assert file.Get_type_extent(MPI.INT) == 4
    assert file.Get_byte_offset(6) == displacement + 4 * rank + 4 * ranks * 6
    assert not file.Get_atomicity() and not file.atomicity

    # At offsets: alone, together, in two, later.
    check(file, "Write_at", 0, ten)
    check(file, "Read_at", 0, got)
    assert (got == ten).all()
    check(file, "Write_at_all", 0, ten)
    check(file, "Read_at_all", 0, got)
    file.Write_at_all_begin(10, ten)
    file.Write_at_all_end(ten)
    got[:] = 0
    file.Read_at_all_begin(10, got)
    file.Read_at_all_end(got)
    assert (got == ten).all()
    finish(file.Iwrite_at(0, ten))
    finish(file.Iread_at(0, got))
    finish(file.Iwrite_at_all(10, ten))
    finish(file.Iread_at_all(10, got))
    assert (got == ten).all()

    # At the file pointer.
    assert file.Get_position() == 0
    check(file, "Write", ten)
    check(file, "Write_all", ten)
    assert file.Get_position() == 20
    file.Seek(0, MPI.SEEK_SET)
    check(file, "Read", got)
    check(file, "Read_all", got)
    file.Seek(-20, MPI.SEEK_CUR)
    file.Write_all_begin(ten)
    file.Write_all_end(ten)
    file.Seek(0)
    file.Read_all_begin(got)
    file.Read_all_end(got)
    finish(file.Iwrite(ten))
    file.Seek(0)
    finish(file.Iread(got))
    finish(file.Iwrite_all(ten))
    file.Seek(10)
    finish(file.Iread_all(got))
    assert (got == ten).all() and file.Get_position() == 20
    file.Sync()
    world.Barrier()

# At the shared file pointer, for which all ranks have the same view.
file.Set_view(0, MPI.INT, MPI.INT)
check(file, "Write_ordered", ten)
file.Write_ordered_begin(ten)
file.Write_ordered_end(ten)
assert file.Get_position_shared() == 20 * ranks
world.Barrier()
file.Seek_shared(0, MPI.SEEK_SET)
check(file, "Read_ordered", got)
assert (got == ten).all()
got[:] = 0
file.Read_ordered_begin(got)
file.Read_ordered_end(got)
assert (got == ten).all()
world.Barrier()
file.Seek_shared(0)
check(file, "Write_shared", numpy.full(10, 7, dtype="i4"))
finish(file.Iwrite_shared(numpy.full(10, 7, dtype="i4")))
world.Barrier()
file.Seek_shared(0)
check(file, "Read_shared", got)
assert (got == 7).all()
finish(file.Iread_shared(got))
world.Barrier()

file.Set_atomicity(True)
assert file.Get_atomicity()
file.Set_atomicity(False)
given = MPI.Info.Create()
given.Set("muster_window", "1MiB")
file.Set_info(given)
assert file.Get_info().Get("muster_window") == "1MiB"
handler = file.Get_errhandler()
assert handler == MPI.ERRORS_RETURN
handler.Free()
try:
    file.Write_at_all(-1, ten)
    assert False
except MPI.Exception as error:
    assert error.Get_error_class() == MPI.ERR_ARG

# Handles, handlers and properties.
same = MPI.File.f2py(file.py2f())
assert same == file and same
assert file.group.size == ranks and file.info.Get("muster_window") == "1MiB"
file.Set_errhandler(MPI.ERRORS_ARE_FATAL)
assert file.Get_errhandler() == MPI.ERRORS_ARE_FATAL
file.Set_errhandler(MPI.ERRORS_RETURN)
file.Call_errhandler(MPI.ERR_IO)
file.atomicity = True
assert file.atomicity
file.atomicity = False

# Beyond the end a read counts what there is, and the pointer goes on all the same.
file.Set_size(20)
file.Set_view(0, MPI.BYTE, MPI.BYTE)
beyond, status = bytearray(64), MPI.Status()
file.Read_at_all(12, beyond, status)
assert status.Get_count(MPI.BYTE) == 8 and status.Get_elements(MPI.INT) == 2
file.Seek(-4, MPI.SEEK_END)
file.Read_all(beyond, status)
assert status.Get_count(MPI.BYTE) == 4 and file.Get_position() == 16 + 64
file.Read_at_all(100, beyond, status)
assert status.Get_count(MPI.BYTE) == 0

# What mpi4py takes for a buffer: parts of arrays, bytes, a type, a count and a displacement; and nothing at all.
file.Set_view(0, MPI.INT)
file.Write_at_all(ten.size * rank, [ten, 4, 3, "i"])
file.Write_at_all(ten.size * rank, [ten, (5, 2), MPI.INT])
file.Write_at_all(ten.size * ranks, [ten[:0 if rank else 2], MPI.INT])
file.Sync()
world.Barrier()
got[:] = -1
file.Read_at_all(ten.size * rank, [got, 5, MPI.INT])
assert (got[:5] == ten[2:7]).all() and (got[5:] == -1).all(), got
try:
    file.Seek(-1)
    assert False
except MPI.Exception:
    assert file.Get_position() == 0
filetype.Free()
file.Close()
assert file == MPI.FILE_NULL and not file
try:
    MPI.File.Open(world, sys.argv[1] + "/nowhere/at/all", MPI.MODE_RDONLY)
    assert False
except MPI.Exception as error:
    assert error.Get_error_class() in (MPI.ERR_NO_SUCH_FILE, MPI.ERR_FILE), error.Get_error_class()
world.Barrier()
if rank == 0:
    MPI.File.Delete(path)
world.Barrier()


# --- every form of access with every type of element, on all ranks together and on each alone ---


def move(file, verb, form, place, data):
    """`form`: "at_all", "at_all_begin", "iat_all", ... without the verb."""
    later = form.startswith("i")
    words = form[1:] if later else form
    name = (f"I{verb.lower()}" if later else verb) + (f"_{words}" if words else "")
    arguments = [place] if words.startswith("at") else []
    if words in ("", "all", "all_begin"):
        file.Seek(place)
    elif words.startswith(("ordered", "shared")):
        file.Seek_shared(0)
    done = getattr(file, name)(*arguments, data)
    if later:
        done.Wait()
    if words.endswith("_begin"):
        getattr(file, name[:-len("begin")] + "end")(data)


FORMS = ("at", "at_all", "at_all_begin", "iat", "iat_all", "", "all", "all_begin", "i", "iall", "ordered", "ordered_begin",
         "shared", "ishared")
for comm in (MPI.COMM_SELF, world):
    path = f"{sys.argv[1]}/forms-{rank if comm == MPI.COMM_SELF else 'all'}"
    file = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
    for code in "bhilqfdgFDG":
        element = MPI._typedict[code]
        for form in FORMS:
            file.Set_size(0)
            file.Set_view(0, element)
            written = numpy.full(13, 7 if "shared" in form else comm.rank + 1, dtype=code)
            read = numpy.zeros(14, dtype=code)
            move(file, "Write", form, 13 * comm.rank, [written, 13, element])
            file.Sync()
            comm.Barrier()
            file.Sync()
            move(file, "Read", form, 13 * comm.rank, [read, 13, element])
            assert (read[:13] == written).all() and read[13] == 0, (code, form)
            comm.Barrier()
    file.Close()
