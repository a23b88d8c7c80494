"""Collective access by h5py: rows in turn."""
import importlib
import sys

import numpy
from mpi4py import MPI

h5py = importlib.import_module("h5py._debian_h5py_mpi")

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
mine = numpy.arange(24 * 30, dtype="i4").reshape(24, 30) + rank * 10000
with h5py.File(sys.argv[1] + "/h5py.h5", "w", driver="mpio", comm=world) as file:
    data = file.create_dataset("rows", (24 * ranks, 30), dtype="i4")
    for step in range(3):
        with data.collective:
            data[rank::ranks, :] = mine
    back = numpy.zeros_like(mine)
    with data.collective:
        data.read_direct(back, numpy.s_[rank::ranks, :])
    assert (back == mine).all()
