// What 'muster advise' and 'muster report' read: any report, or a capture, which is planned first.
#pragma once

#include "findings.hpp"

namespace muster::tool {

struct Input {
    std::string name;  // of the file, and of a part of it where it has several
    Source source{Source::report};
    Json data;
};
Result<std::vector<Input>> read_inputs(std::string const& name);

}  // namespace muster::tool
