#include "plan/domains.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

namespace muster {
namespace {

constexpr Size KiB = 1024;
constexpr Size MiB = 1024 * KiB;

Domains striped(Extent range, int count, Size unit, Size window) {
    return {Layout::striped, range, count, unit, window};
}

Domains contiguous(Extent range, int count, Size unit, Size window) {
    return {Layout::contiguous, range, count, unit, window};
}

// Every part that is not empty, one round a line: "0: [0,4) [4,8) | [8,12)" has two domains, the first with two parts.
std::string layout_text(Domains const& domains) {
    std::ostringstream text;
    for (Size round = 0; round < domains.rounds(); ++round) {
        text << round << ":";
        for (int domain = 0; domain < domains.count; ++domain) {
            if (domain > 0) text << " |";
            for (int p = 0; p < domains.parts(); ++p) {
                auto const part = domains.part(domain, round, p);
                if (part.length > 0) text << " [" << part.offset << "," << part.end() << ")";
            }
        }
        text << "\n";
    }
    return text.str();
}

TEST(Domains, stripes_go_round_the_aggregators) {
    EXPECT_EQ(layout_text(striped({0, 50}, 2, 10, 10)),
              "0: [0,10) | [10,20)\n"
              "1: [20,30) | [30,40)\n"
              "2: [40,50) |\n");
}

TEST(Domains, rounds_count_from_the_first_accessed_stripe_but_owners_from_the_first_of_the_file) {
    EXPECT_EQ(layout_text(striped({14, 31}, 2, 10, 10)),
              "0: [20,30) | [14,20)\n"
              "1: [40,45) | [30,40)\n");
}

TEST(Domains, a_larger_window_serves_several_stripes_in_a_round) {
    EXPECT_EQ(layout_text(striped({5, 70}, 2, 10, 29)),
              "0: [5,10) [20,30) | [10,20) [30,40)\n"
              "1: [40,50) [60,70) | [50,60) [70,75)\n");
    EXPECT_EQ(striped({5, 70}, 2, 10, 29).part_size(), 10);
}

TEST(Domains, a_smaller_window_takes_several_rounds_for_a_stripe) {
    EXPECT_EQ(layout_text(striped({0, 25}, 2, 10, 4)),
              "0: [0,4) | [10,14)\n"
              "1: [4,8) | [14,18)\n"
              "2: [8,10) | [18,20)\n"
              "3: [20,24) |\n"
              "4: [24,25) |\n");
}

TEST(Domains, no_empty_rounds_come_first) {
    EXPECT_EQ(layout_text(striped({97, 2}, 1, 100, 10)), "0: [97,99)\n");
    EXPECT_EQ(layout_text(striped({85, 10}, 2, 100, 10)), "0: [85,90) |\n1: [90,95) |\n");
    EXPECT_EQ(layout_text(striped({97, 7}, 1, 100, 10)), "0: [97,100)\n1: [100,104)\n");
}

TEST(Domains, the_range_is_split_evenly_on_block_edges) {
    EXPECT_EQ(layout_text(contiguous({0, 100}, 3, 10, 20)),
              "0: [0,20) | [30,50) | [70,90)\n"
              "1: [20,30) | [50,70) | [90,100)\n");
    EXPECT_EQ(layout_text(contiguous({7, 100}, 3, 1, 64)), "0: [7,40) | [40,73) | [73,107)\n");
}

TEST(Domains, a_small_range_leaves_domains_empty) {
    EXPECT_EQ(layout_text(contiguous({4, 10}, 4, 8, 100)), "0: [4,8) | | | [8,14)\n");
    EXPECT_EQ(layout_text(contiguous({9, 2}, 3, 4096, 4096)), "0: | | [9,11)\n");
}

TEST(Domains, nothing_accessed_takes_no_rounds) {
    EXPECT_EQ(striped({77, 0}, 4, 10, 10).rounds(), 0);
    EXPECT_EQ(contiguous({77, 0}, 4, 10, 10).rounds(), 0);
    EXPECT_EQ(striped({77, 0}, 4, 10, 10).part(2, 0, 0).length, 0);
    EXPECT_EQ(contiguous({77, 0}, 4, 10, 10).part(2, 0, 0).length, 0);
}

TEST(Domains, rounds_beyond_a_domain_are_empty) {
    auto const domains = contiguous({0, 100}, 2, 10, 20);
    EXPECT_EQ(domains.part(0, 2, 0), (Extent{40, 10}));
    EXPECT_EQ(domains.part(0, 3, 0), (Extent{50, 0}));
    EXPECT_EQ(domains.part(0, Size{1} << 60, 0), (Extent{50, 0}));
}

TEST(Domains, text_tells_all_there_is) {
    EXPECT_EQ(striped({4, 100}, 64, MiB, 4 * MiB).text(), "striped 64 by 1 MiB, window 4 MiB, range [4, 104)");
    EXPECT_EQ(contiguous({4, 100}, 2, 4096, 64).text(), "contiguous 2 by 4 KiB, window 64 B, range [4, 104)");
}

// The published numbers.

TEST(Domains, rounds_of_the_climate_case) {
    auto const bytes = static_cast<Size>(14.07 * 1024 * static_cast<double>(MiB));
    EXPECT_EQ(striped({0, bytes}, 64, MiB, MiB).rounds(), 226);
    EXPECT_EQ(contiguous({0, bytes}, 512, 16 * MiB, 16 * MiB).rounds(), 2);
}

constexpr Size dataset = 105125000;

std::string rounds_text(Domains domains) {
    Size one_by_one = 0;
    for (int i = 0; i < 400; ++i) {
        domains.range = {i * dataset, dataset};
        one_by_one += domains.rounds();
    }
    domains.range = {0, 400 * dataset};
    return std::to_string(one_by_one) + " " + std::to_string(domains.rounds());
}

TEST(Domains, rounds_of_many_datasets_one_by_one_and_at_once) {
    EXPECT_EQ(rounds_text(striped({}, 64, MiB, MiB)), "800 627");
    EXPECT_EQ(rounds_text(striped({}, 128, MiB, MiB)), "400 314");
    EXPECT_EQ(rounds_text(striped({}, 64, 16 * MiB, 16 * MiB)), "400 40");
    EXPECT_EQ(rounds_text(striped({}, 128, 16 * MiB, 16 * MiB)), "400 20");
    EXPECT_EQ(rounds_text(contiguous({}, 98, MiB, 16 * MiB)), "400 26");
    EXPECT_EQ(rounds_text(contiguous({}, 98, MiB, 256 * MiB)), "400 2");
    EXPECT_EQ(rounds_text(contiguous({}, 391, MiB, 16 * MiB)), "400 7");
    EXPECT_EQ(rounds_text(contiguous({}, 391, MiB, 256 * MiB)), "400 1");
}

// Properties, against a naive model that visits all bytes.

struct Place {
    int domain{-1};
    Size round{-1};
};

// Who serves each byte, by walking all parts; fails where parts overlap, leave the range, are too long or out of order.
std::vector<Place> places_by_parts(Domains const& domains) {
    std::vector<Place> places(static_cast<std::size_t>(domains.range.length));
    for (int domain = 0; domain < domains.count; ++domain) {
        Offset behind = domains.range.offset;
        for (Size round = 0; round < domains.rounds(); ++round) {
            for (int p = 0; p < domains.parts(); ++p) {
                auto const part = domains.part(domain, round, p);
                EXPECT_LE(part.length, domains.part_size());
                EXPECT_LE(part.end(), domains.range.end());
                EXPECT_GE(part.offset, domains.range.offset);
                if (part.length == 0) continue;
                EXPECT_GE(part.offset, behind) << "in file order";
                behind = part.end();
                for (auto at = part.offset; at < part.end(); ++at) {
                    auto& place = places[static_cast<std::size_t>(at - domains.range.offset)];
                    EXPECT_EQ(place.domain, -1) << "served twice";
                    place = {domain, round};
                }
            }
        }
    }
    return places;
}

// The owner of each byte and the number of its round among those of its owner, from the words of the definition alone.
std::vector<Place> places_by_definition(Domains const& domains) {
    std::vector<Place> places;
    std::map<int, Size> served;  // contiguous: bytes of a domain so far
    auto const first = domains.range.offset / domains.unit;
    auto const per_round = std::max<Size>(domains.window / domains.unit, 1);
    auto const slices = (domains.unit + domains.window - 1) / domains.window;
    int owner = 0;
    for (auto at = domains.range.offset; at < domains.range.end(); ++at) {
        auto const stripe = at / domains.unit;
        auto const group = (stripe - first) / (domains.count * per_round);
        if (domains.layout == Layout::striped) {
            places.push_back({static_cast<int>(stripe % domains.count),
                              group * slices + at % domains.unit / domains.window * (slices > 1 ? 1 : 0)});
            continue;
        }
        while (domains.domain(owner).end() <= at) ++owner;
        places.push_back({owner, served[owner]++ / domains.window});
    }
    auto const earliest = std::min_element(places.begin(), places.end(), [](auto const& a, auto const& b) {
                              return a.round < b.round;
                          })->round;
    for (auto& place : places) place.round -= earliest;
    return places;
}

void check_all_bytes(Domains const& domains) {
    SCOPED_TRACE(domains.text());
    auto const places = places_by_parts(domains);
    auto const expected = places_by_definition(domains);
    Size last = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto const at = domains.range.offset + static_cast<Offset>(i);
        ASSERT_EQ(places[i].domain, expected[i].domain) << at;
        ASSERT_EQ(places[i].round, expected[i].round) << at;
        ASSERT_EQ(domains.owner_of(at), expected[i].domain) << at;
        ASSERT_EQ(domains.round_of(at), expected[i].round) << at;
        last = std::max(last, expected[i].round);
    }
    EXPECT_EQ(domains.rounds(), last + 1);
}

class Dice {
public:
    explicit Dice(unsigned seed) : engine_{seed} {}
    Size between(Size low, Size high) { return std::uniform_int_distribution<Size>{low, high}(engine_); }

private:
    std::mt19937_64 engine_;
};

Domains random_domains(Dice& dice, Layout layout, Offset base) {
    Domains domains{layout, {base + dice.between(0, 300), dice.between(1, 400)}, 1, 1, 1};
    domains.count = static_cast<int>(dice.between(1, 9));
    domains.unit = dice.between(1, 5) == 1 ? 1 : dice.between(1, 64);
    domains.window = dice.between(1, 3) == 1 ? domains.unit * dice.between(1, 4) : dice.between(1, 150);
    return domains;
}

TEST(Domains, every_byte_is_served_once_where_owner_and_round_say) {
    Dice dice{11};
    for (int trial = 0; trial < 2000 && !testing::Test::HasFailure(); ++trial) {
        check_all_bytes(random_domains(dice, Layout::striped, 0));
        check_all_bytes(random_domains(dice, Layout::contiguous, 0));
    }
}

TEST(Domains, every_byte_is_served_once_at_huge_offsets) {
    Dice dice{12};
    for (int trial = 0; trial < 500 && !testing::Test::HasFailure(); ++trial) {
        auto const base = dice.between(Size{1} << 50, Size{1} << 62);
        check_all_bytes(random_domains(dice, Layout::striped, base));
        check_all_bytes(random_domains(dice, Layout::contiguous, base));
    }
}

// The same for ranges too large to visit: bytes at random, and those beside edges.
TEST(Domains, huge_ranges_are_served_where_owner_and_round_say) {
    Dice dice{13};
    for (int trial = 0; trial < 3000 && !testing::Test::HasFailure(); ++trial) {
        Domains domains{trial % 2 == 0 ? Layout::striped : Layout::contiguous,
                        {dice.between(0, Size{1} << 55), dice.between(1, Size{1} << 60)},
                        1,
                        1,
                        1};
        domains.count = static_cast<int>(dice.between(1, 1 << 20));
        domains.unit = dice.between(1, Size{1} << dice.between(0, 36));
        domains.window = dice.between(std::max<Size>(domains.unit >> 8, 1), Size{1} << 36);
        domains.window = std::min(domains.window, domains.unit * 100);
        SCOPED_TRACE(domains.text());
        for (int probe = 0; probe < 20; ++probe) {
            auto at = dice.between(domains.range.offset, domains.range.end() - 1);
            if (probe % 2 == 0) at = std::max(at - at % domains.unit - probe % 4 / 2, domains.range.offset);
            auto const round = domains.round_of(at);
            int found = 0;
            for (int p = 0; p < domains.parts(); ++p) {
                auto const part = domains.part(domains.owner_of(at), round, p);
                ASSERT_LE(part.length, domains.part_size());
                if (part.offset <= at && at < part.end()) ++found;
            }
            ASSERT_EQ(found, 1) << at;
            ASSERT_LT(round, domains.layout == Layout::striped ? domains.rounds() : round + 1);
        }
    }
}

TEST(Domains, contiguous_domains_meet_at_multiples_of_the_unit_near_the_even_split) {
    Dice dice{14};
    for (int trial = 0; trial < 500; ++trial) {
        auto const domains = random_domains(dice, Layout::contiguous, dice.between(0, 1000));
        SCOPED_TRACE(domains.text());
        EXPECT_EQ(domains.domain(0).offset, domains.range.offset);
        EXPECT_EQ(domains.domain(domains.count - 1).end(), domains.range.end());
        for (int i = 1; i < domains.count; ++i) {
            auto const edge = domains.domain(i).offset;
            auto const even = domains.range.offset + domains.range.length * i / domains.count;
            EXPECT_EQ(domains.domain(i - 1).end(), edge);
            EXPECT_TRUE(edge % domains.unit == 0 || edge == domains.range.offset || edge == domains.range.end());
            EXPECT_LE(std::abs(edge - even) * 2, domains.unit);
        }
    }
}

}  // namespace
}  // namespace muster
