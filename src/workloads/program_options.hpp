// The words behind a bench program: --name value, with a default for each name that there is.
#pragma once

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster::bench {

struct Options {
    std::map<std::string, std::string> given;  // as they stand before parsing: the defaults

    Status parse(int count, char** words) {
        for (int i = 1; i < count; i += 2) {
            std::string const name{words[i]};
            auto const known = name.size() > 2 && given.contains(name.substr(2));
            if (!known || i + 1 >= count) return {Code::invalid_argument, "what is " + name + "?"};
            given[name.substr(2)] = words[i + 1];
        }
        return {};
    }
    Size number(char const* name) const { return std::atoll(given.at(name).c_str()); }
    std::vector<std::string> list(char const* name) const {
        std::vector<std::string> items;
        std::istringstream text{given.at(name)};
        for (std::string item; std::getline(text, item, ',');) items.push_back(item);
        return items;
    }
};

}  // namespace muster::bench
