"""Collective access from Python: blocking, nonblocking, at offsets and at the file pointer."""
import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
path = sys.argv[1] + "/mpi4py"
mine = numpy.arange(120, dtype="i4") + rank * 1000
back = numpy.zeros_like(mine)

file = MPI.File.Open(world, path, MPI.MODE_CREATE | MPI.MODE_RDWR)
filetype = MPI.INT.Create_vector(60, 2, 2 * ranks).Create_resized(0, 480 * ranks).Commit()
file.Set_view(8 * rank, MPI.INT, filetype)
status = MPI.Status()
file.Write_all(mine, status)
assert status.Get_count(MPI.INT) == 120 and file.Get_position() == 120
file.Read_at_all(0, back)
assert (back == mine).all()
request = file.Iwrite_at_all(120, mine)
request.Wait(status)
assert status.Get_count(MPI.INT) == 120
back[:] = 0
file.Seek(120)
request = file.Iread_all(back)
while not request.Test(status):
    pass
assert (back == mine).all() and file.Get_position() == 240
assert file.info.Get("muster_window") is not None
filetype.Free()
file.Close()

whole = numpy.fromfile(path, dtype="i4")
expected = numpy.concatenate([numpy.stack([numpy.arange(120) + r * 1000 for r in range(ranks)]).reshape(ranks, 60, 2)
                              .transpose(1, 0, 2).ravel()] * 2)
assert (whole == expected).all()
try:
    MPI.File.Open(world, sys.argv[1] + "/missing", MPI.MODE_RDONLY)
    assert False
except MPI.Exception as error:
    assert error.Get_error_class() == MPI.ERR_NO_SUCH_FILE
