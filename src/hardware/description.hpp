// What is told about the machine: in our own words, or in a file of SLURM's or ibnetdiscover's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/infiniband.hpp"

namespace muster {

// "network tree 20 x 4; at ..." as it is, or "@file" with such text, SLURM's topology.conf, or what ibnetdiscover printed;
// behind the file's name and a semicolon may come more of our words.
struct Description {
    enum class Kind { words, slurm, infiniband };
    Kind kind{Kind::words};
    std::string text;
    std::string more;

    bool needs_hosts() const { return kind != Kind::words; }
};

// Local.
Result<Description> read_description(std::string const& given);
// All hosts that the file knows; none where it is in our words.
std::vector<FabricHost> hosts_in(Description const& description);
// As text of a machine whose nodes are these hosts.
Result<std::string> words_for(Description const& description, std::vector<FabricHost> const& hosts);

// As text without nodes: all hosts are places, in the order of hosts_in.
Result<std::string> words_for_all(Description const& description);

// "network ...; at 3,17,40"
std::string network_words(FoundNetwork const& found);

}  // namespace muster
