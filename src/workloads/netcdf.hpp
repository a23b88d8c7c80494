// Reads integers from classic netCDF files (CDF-1, CDF-2 and CDF-5): as much of the format as decomposition maps need.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// Numbers of one type in the file, big-endian.
struct NetcdfValues {
    int type{0};
    Size count{0};
    Offset offset{0};
};

class NetcdfFile {
public:
    static Result<NetcdfFile> open(std::string const& path);

    bool has_variable(std::string const& name) const { return variables_.contains(name); }
    Result<std::vector<Size>> variable(std::string const& name);
    Result<std::vector<Size>> attribute(std::string const& name);  // of the whole file

private:
    friend class NetcdfHeader;
    Result<std::vector<Size>> read(NetcdfValues const& values, std::string const& name);

    std::string path_;
    std::ifstream stream_;
    Size size_{0};
    std::map<std::string, NetcdfValues> variables_;
    std::map<std::string, NetcdfValues> attributes_;
};

}  // namespace muster
