// Muster: fast collective file I/O for MPI programs. Everything a C++ program needs.
#pragma once

#include "muster/declared.hpp"
#include "muster/extent.hpp"
#include "muster/file.hpp"
#include "muster/hints.hpp"
#include "muster/report.hpp"
#include "muster/status.hpp"
