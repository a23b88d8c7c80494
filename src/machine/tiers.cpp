#include "machine/tiers.hpp"

#include "core/hints.hpp"
#include "machine/network.hpp"

namespace muster {

namespace {

std::string exact_size(Size bytes) {
    constexpr std::string_view letters = "KMGT";
    std::size_t unit = 0;
    for (; unit < letters.size() && bytes > 0 && bytes % 1024 == 0; ++unit) bytes /= 1024;
    auto const number = std::to_string(bytes);
    return unit == 0 ? number + "B" : number + letters[unit - 1] + "iB";
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        auto const begin = text.find_first_not_of(" \t\r\n", at);
        if (begin == text.npos) break;
        at = std::min(text.find_first_of(" \t\r\n", begin), text.size());
        words.emplace_back(text.substr(begin, at - begin));
    }
    return words;
}

// One word of a tier's description.
Status set_fact(TierFacts& tier, std::string const& word) {
    if (word == "persistent") {
        tier.persistent = true;
    } else if (auto const bandwidth = parse_bandwidth(word); bandwidth && *bandwidth > 0) {
        tier.bandwidth = *bandwidth;
    } else if (auto const latency = parse_seconds(word); latency) {
        tier.latency = *latency;
    } else if (auto const capacity = parse_size(word); capacity) {
        tier.capacity = *capacity;
    } else {
        return {Code::invalid_argument, "'" + word + "' is no bandwidth, latency, capacity or 'persistent' of tier " +
                                            tier.name + " (as in HBM 180GB/s 10ms 16GiB)"};
    }
    return {};
}

Result<TierFacts> parse_tier(std::string_view text) {
    auto const words = words_of(text);
    if (words.empty()) return Status{Code::invalid_argument, "a tier needs a name"};
    TierFacts tier;
    tier.name = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) {
        auto const place = words[i] == "at" && i + 1 < words.size();
        if (place) tier.directory = words[++i];
        auto const status = place ? Status{} : set_fact(tier, words[i]);
        if (!status.ok()) return status;
    }
    return tier;
}

}  // namespace

std::string tiers_text(std::vector<TierFacts> const& tiers) {
    std::string text;
    for (auto const& tier : tiers) {
        text += (text.empty() ? "" : ", ") + tier.name + " " + bandwidth_text(tier.bandwidth) + " " +
                seconds_text(tier.latency);
        if (tier.capacity > 0) text += " " + exact_size(tier.capacity);
        if (tier.persistent) text += " persistent";
        if (!tier.directory.empty()) text += " at " + tier.directory;
    }
    return text;
}

Result<std::vector<TierFacts>> parse_tiers(std::string_view text) {
    std::vector<TierFacts> tiers;
    for (std::size_t at = 0; at <= text.size();) {
        auto const end = std::min(text.find(',', at), text.size());
        auto tier = parse_tier(text.substr(at, end - at));
        if (!tier) return tier.status();
        tiers.push_back(std::move(*tier));
        at = end + 1;
    }
    return tiers;
}

}  // namespace muster
