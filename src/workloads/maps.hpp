// Recorded decompositions: which elements of an array each rank has. PIO and SCORPIO write them as text, one map per
// file; E3SM-IO's benchmark collects several in a netCDF file.
#pragma once

#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

struct Map {
    Size elements{0};                        // of the whole array
    std::vector<std::vector<Extent>> ranks;  // runs of elements of each rank, ascending and joined
    Size listed_requests{0};                 // runs as the file lists them: not always ascending

    Size requests() const;  // runs, ascending and joined
};

// Text: "version 2001 npes 16 ndims 2", the dimensions, then for each rank its number, its count, and so many
// element numbers from 1 on, where 0 is none. What follows the last rank is not looked at.
Result<Map> read_text_map(std::string const& path);
// NetCDF: for each map Dn the variables Dn.nreqs, Dn.offsets and Dn.lengths and the attribute Dn.dims.
Result<std::vector<Map>> read_netcdf_maps(std::string const& path);
// Whichever it is.
Result<std::vector<Map>> read_maps(std::string const& path);

}  // namespace muster
