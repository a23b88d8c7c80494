// Declared I/O by the dice: any parts in any order, by any pieces, some of them never; uneven ranks, and some with nothing.
#include <filesystem>
#include <numeric>
#include <random>

#include "engine/subfiling.hpp"
#include "engine/testing.hpp"
#include "muster/declared.hpp"

namespace muster {
namespace {

using namespace test;

struct Chunk {
    std::size_t part{0};
    Size from{0};
    Size length{0};
    bool skipped{false};
};

// What a rank declares, and in which pieces it hands that over.
struct Script {
    std::vector<Part> parts;
    std::vector<Chunk> chunks;
};

class Dice {
public:
    explicit Dice(unsigned seed) : random_{seed} {}
    Size roll(Size most) { return static_cast<Size>(random_() % static_cast<unsigned>(most + 1)); }
    bool chance(int percent) { return roll(99) < percent; }
    template <class Items>
    void shuffle(Items& items) {
        std::shuffle(items.begin(), items.end(), random_);
    }

private:
    std::mt19937 random_;
};

constexpr Size file_size = 3000;

Size total(Part const& part) { return size_of(part.extents); }

// Each part by pieces of any length, all of them in any order.
void cut(Script& script, Dice& dice, int skipped_percent) {
    for (std::size_t part = 0; part < script.parts.size(); ++part) {
        auto const size = total(script.parts[part]);
        for (Size from = 0; from < size;) {
            auto const length = std::min(size - from, 1 + dice.roll(dice.chance(30) ? 400 : 20));
            script.chunks.push_back({part, from, length, dice.chance(skipped_percent)});
            from += length;
        }
    }
    if (dice.chance(80)) dice.shuffle(script.chunks);
}

// Blocks of the file are dealt to ranks by their weights, some to nobody. The same on all ranks.
std::vector<Script> deal(unsigned seed) {
    Dice dice{seed};
    std::vector<Script> scripts(static_cast<std::size_t>(ranks()));
    std::vector<std::size_t> hat;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        hat.insert(hat.end(), static_cast<std::size_t>(dice.roll(i % 3 == 1 ? 0 : 6)), i);
        scripts[i].parts.resize(static_cast<std::size_t>(dice.roll(4)));
    }
    auto const holes = dice.chance(50) ? 0 : 20;
    for (Offset at = 0; at < file_size;) {
        auto const length = std::min(file_size - at, dice.roll(dice.chance(20) ? 300 : 40));
        auto* const script =
            hat.empty() ? nullptr
                        : &scripts[hat[static_cast<std::size_t>(dice.roll(static_cast<Size>(hat.size()) - 1))]];
        if (script != nullptr && !script->parts.empty() && !dice.chance(holes)) {
            auto& part =
                script->parts[static_cast<std::size_t>(dice.roll(static_cast<Size>(script->parts.size()) - 1))];
            part.extents.push_back({at, length});
        }
        at += length;
    }
    auto const skipped = dice.chance(50) ? 0 : 15;
    for (auto& script : scripts) {
        for (auto& part : script.parts) {
            if (dice.chance(50)) dice.shuffle(part.extents);
        }
        cut(script, dice, skipped);
    }
    return scripts;
}

// The file after what was put, on top of what was there.
std::string after(std::string file, std::vector<Script> const& scripts) {
    for (std::size_t writer = 0; writer < scripts.size(); ++writer) {
        for (auto const& chunk : scripts[writer].chunks) {
            Size position = 0;
            for (auto const& extent : scripts[writer].parts[chunk.part].extents) {
                for (auto at = extent.offset; at < extent.end(); ++at, ++position) {
                    auto const inside = position >= chunk.from && position < chunk.from + chunk.length;
                    if (inside && !chunk.skipped)
                        file[static_cast<std::size_t>(at)] = mark(static_cast<int>(writer), at);
                }
            }
        }
    }
    return file;
}

void write_by(Script const& script, File& file, Dice& dice) {
    auto declared = Declared::write(file, script.parts);
    ASSERT_TRUE(declared.ok()) << declared.status().text();
    Size put = 0;
    for (auto const& [part, from, length, skipped] : script.chunks) {
        if (skipped) continue;
        auto const bytes = marks(rank(), script.parts[part].extents)
                               .substr(static_cast<std::size_t>(from), static_cast<std::size_t>(length));
        EXPECT_OK(declared->put(part, bytes.data(), from, length));
        put += length;
        if (dice.chance(10)) declared->progress();
        if (dice.chance(5)) {
            EXPECT_FALSE(declared->put(part, bytes.data(), from, length).ok()) << "twice";
        }
    }
    auto const finished = declared->finish();
    EXPECT_OK(finished);
    EXPECT_EQ(*finished, put);
}

// What a rank reads may be anybody's, and lie behind the end of the file.
Script reading(unsigned seed) {
    Dice dice{seed};
    Script script;
    script.parts.resize(static_cast<std::size_t>(dice.roll(3)));
    // The same byte twice may not be declared by one rank: each part has a range of its own.
    Offset at = dice.roll(200);
    for (auto& part : script.parts) {
        auto const end = &part == &script.parts.back() ? file_size + 300 : at + file_size / 3;
        for (; at < end; at = part.extents.back().end() + dice.roll(200)) part.extents.push_back({at, dice.roll(150)});
        if (dice.chance(50)) dice.shuffle(part.extents);
        if (dice.chance(30)) part.extents.resize(part.extents.size() / 2);
    }
    cut(script, dice, dice.chance(50) ? 0 : 20);
    return script;
}

std::string expected_of(Part const& part, std::string const& file) {
    std::string bytes;
    for (auto const& extent : part.extents) {
        for (auto at = extent.offset; at < extent.end(); ++at)
            bytes += at < static_cast<Offset>(file.size()) ? file[static_cast<std::size_t>(at)] : '?';
    }
    return bytes;
}

void read_by(Script const& script, File& file, std::string const& contents, Dice& dice) {
    auto declared = Declared::read(file, script.parts);
    ASSERT_TRUE(declared.ok()) << declared.status().text();
    for (auto const& [part, from, length, skipped] : script.chunks) {
        if (skipped) continue;
        auto const expected = expected_of(script.parts[part], contents)
                                  .substr(static_cast<std::size_t>(from), static_cast<std::size_t>(length));
        for (int times = dice.chance(10) ? 2 : 1; times > 0; --times) {
            std::string bytes(static_cast<std::size_t>(length), '?');
            auto const got = declared->get(part, bytes.data(), from, length);
            EXPECT_OK(got);
            EXPECT_EQ(bytes, expected) << from << " + " << length;
        }
    }
    EXPECT_OK(declared->finish());
}

// With windows in a tier, or the file in pieces, by turns.
Hints varied(Hints hints, unsigned seed) {
    hints.faults = seed % 3 == 0 ? "write:2:short@*;read:2:short@*" : "";
    if (seed % 4 == 1) {
        hints.machine = "tiers SSD 1GB/s 10us 1MiB persistent at /tmp, DRAM 10GB/s 100ns";
        hints.tier = "SSD";
    }
    if (seed % 4 == 2) {
        hints.subfiles = "3";
        hints.subfile_unit = 100;
    }
    return hints;
}

TEST(DeclaredAtRandom, what_was_put_is_in_the_file_and_read_back) {
    auto const turns = ranks() > 4 ? 1U : (ranks() > 2 ? 3U : 6U);
    unsigned seed = static_cast<unsigned>(ranks()) * 1000;
    for (auto const& setting : settings()) {
        for (unsigned turn = 0; turn < turns; ++turn, ++seed) {
            SCOPED_TRACE(setting.name + std::string{", seed "} + std::to_string(seed));
            SharedPath const path;
            auto const hints = varied(setting.hints, seed);
            auto const scripts = deal(seed);
            auto contents = std::string(static_cast<std::size_t>(file_size), untouched);
            Dice dice{seed + static_cast<unsigned>(rank())};
            {
                OpenFile file{path.get(), Mode::create, hints};
                auto const all = Extents{{0, rank() == 0 ? file_size : 0}};
                EXPECT_OK(write_pieces(*file, all, contents.substr(0, static_cast<std::size_t>(all[0].length))));
                write_by(scripts[static_cast<std::size_t>(rank())], *file, dice);
                contents = after(contents, scripts);
                read_by(reading(seed + 50 + static_cast<unsigned>(rank())), *file, contents, dice);
            }
            OpenFile file{path.get(), Mode::read, setting.hints};
            read_by(reading(seed + 90 + static_cast<unsigned>(rank())), *file, contents, dice);
            barrier(world());
            if (rank() != 0) continue;
            if (auto set = read_subfile_index(path.get()); set && *set) remove_pieces(path.get(), **set);
        }
    }
}

}  // namespace
}  // namespace muster
