#include "discovery/file_layout.hpp"

#include <gtest/gtest.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "storage/temporary_file.hpp"

namespace muster {
namespace {

using test::Bytes;

// --- attributes made up field by field ---

template <class Number>
void append(Bytes& bytes, Number number) {
    auto const* const begin = reinterpret_cast<std::byte const*>(&number);
    bytes.insert(bytes.end(), begin, begin + sizeof number);
}

struct Stripes {
    std::uint32_t size;
    std::uint16_t count;
    std::uint32_t pattern{1};
    std::uint32_t magic{0x0BD10BD0};
};

Bytes plain(Stripes const& stripes) {
    Bytes bytes;
    append(bytes, stripes.magic);
    append(bytes, stripes.pattern);
    append(bytes, std::uint64_t{4711});  // object id
    append(bytes, std::uint64_t{42});
    append(bytes, stripes.size);
    append(bytes, stripes.count);
    append(bytes, std::uint16_t{1});  // generation
    if (stripes.magic == 0x0BD30BD0) bytes.resize(bytes.size() + 16, std::byte{'p'});
    bytes.resize(bytes.size() + std::size_t{24} * std::min<std::size_t>(stripes.count, 4), std::byte{9});
    return bytes;
}

void append_entry(Bytes& bytes, std::uint32_t number, std::uint32_t offset, std::uint32_t size) {
    append(bytes, number);
    append(bytes, std::uint32_t{0x10});
    append(bytes, std::uint64_t{number} << 20);
    append(bytes, (std::uint64_t{number} + 1) << 20);
    append(bytes, offset);
    append(bytes, size);
    append(bytes, std::uint32_t{0});
    append(bytes, std::uint64_t{0});
    append(bytes, std::uint32_t{0});
}

Bytes composite(std::vector<Stripes> const& components) {
    Bytes bytes;
    append(bytes, std::uint32_t{0x0BD60BD0});
    append(bytes, std::uint32_t{0});
    append(bytes, std::uint32_t{1});
    append(bytes, std::uint16_t{0});
    append(bytes, static_cast<std::uint16_t>(components.size()));
    bytes.resize(32);
    auto offset = 32 + 48 * components.size();
    for (std::uint32_t i = 0; i < components.size(); ++i) {
        auto const size = plain(components[i]).size();
        append_entry(bytes, i, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size));
        offset += size;
    }
    for (auto const& component : components) {
        auto const content = plain(component);
        bytes.insert(bytes.end(), content.begin(), content.end());
    }
    return bytes;
}

std::string parsed(Bytes const& attribute) {
    auto const layout = parse_lustre_layout(attribute);
    if (!layout) return "nothing";
    return std::to_string(layout->stripe_count) + " x " + std::to_string(layout->stripe_size) + " by " + layout->origin;
}

TEST(LustreLayout, is_read_from_plain_attributes_of_both_versions) {
    EXPECT_EQ(parsed(plain({1 << 20, 8})), "8 x 1048576 by lustre");
    EXPECT_EQ(parsed(plain({4 << 20, 160, 1, 0x0BD30BD0})), "160 x 4194304 by lustre");
}

TEST(LustreLayout, is_that_of_the_widest_component) {
    EXPECT_EQ(parsed(composite({{1 << 20, 1}, {4 << 20, 8}, {2 << 20, 4}})), "8 x 4194304 by lustre");
    EXPECT_EQ(parsed(composite({{1 << 20, 2}, {4 << 20, 2}})), "2 x 1048576 by lustre");
    EXPECT_EQ(parsed(composite({{1 << 16, 3, 1, 0x0BD30BD0}})), "3 x 65536 by lustre");
}

TEST(LustreLayout, ignores_what_lies_on_the_metadata_server_or_is_not_decided) {
    EXPECT_EQ(parsed(composite({{1 << 20, 9, 0x100}, {4 << 20, 2}, {4 << 20, 0xFFFF}})), "2 x 4194304 by lustre");
    EXPECT_EQ(parsed(plain({1 << 20, 0})), "nothing");
    EXPECT_EQ(parsed(plain({0, 4})), "nothing");
    EXPECT_EQ(parsed(plain({1 << 20, 0xFFFF})), "nothing");
    EXPECT_EQ(parsed(composite({})), "nothing");
}

TEST(LustreLayout, is_nothing_when_it_is_something_else) {
    EXPECT_EQ(parsed({}), "nothing");
    EXPECT_EQ(parsed(plain({1 << 20, 8, 1, 0xD00BD10B})), "nothing");
    EXPECT_EQ(parsed(composite({{1 << 20, 8, 1, 0x0BD60BD0}})), "nothing") << "composites are not nested";
}

TEST(LustreLayout, that_is_cut_off_anywhere_is_read_safely) {
    auto const whole = composite({{1 << 20, 2}, {4 << 20, 8}});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        Bytes const cut{whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)};
        auto const first_ends = 32 + 2 * 48 + plain({1 << 20, 2}).size();
        EXPECT_EQ(parsed(cut), length < first_ends ? "nothing" : "2 x 1048576 by lustre") << length;
    }
    auto const simple = plain({1 << 20, 8});
    for (std::size_t length = 0; length < 30; ++length)
        EXPECT_EQ(parsed({simple.begin(), simple.begin() + static_cast<std::ptrdiff_t>(length)}), "nothing");
}

TEST(LustreLayout, with_offsets_out_of_bounds_is_nothing) {
    for (std::uint32_t const offset : {0xFFFFFFFFU, 0xFFFFFFF0U, 200U, 0U}) {
        auto attribute = composite({{1 << 20, 2}});
        std::memcpy(attribute.data() + 32 + 24, &offset, sizeof offset);
        EXPECT_EQ(parsed(attribute), "nothing") << offset;
    }
    auto attribute = composite({{1 << 20, 2}});
    std::uint32_t const size = 0xFFFFFFFF;
    std::memcpy(attribute.data() + 32 + 28, &size, sizeof size);
    EXPECT_EQ(parsed(attribute), "nothing");
    std::uint16_t const count = 0xFFFF;
    std::memcpy(attribute.data() + 14, &count, sizeof count);
    EXPECT_EQ(parsed(attribute), "nothing");
}

TEST(FileLayout, has_blocks_of_a_sensible_size) {
    EXPECT_EQ(layout_of_blocks(0xEF53, 512).block_size, 4096);
    EXPECT_EQ(layout_of_blocks(0xEF53, 65536).block_size, 65536);
    EXPECT_EQ(layout_of_blocks(0xEF53, Size{1} << 30).block_size, 16 << 20);
    EXPECT_EQ(layout_of_blocks(0xEF53, 65536).origin, "statfs");
    EXPECT_EQ(layout_of_blocks(0x47504653, 8 << 20).block_size, 8 << 20);
    EXPECT_EQ(layout_of_blocks(0x47504653, 8 << 20).origin, "gpfs");
    EXPECT_EQ(layout_of_blocks(0x47504653, 8 << 20).stripe_size, 0);
}

TEST(FileLayout, is_found_for_files_that_exist_and_for_those_that_do_not_yet) {
    for (auto const* directory : {"/tmp", "/dev/shm"}) {
        test::TemporaryFile const file{directory};
        struct statfs facts {};
        ASSERT_EQ(::statfs(directory, &facts), 0);
        auto const expected = std::clamp(static_cast<Size>(facts.f_bsize), Size{4096}, Size{16} << 20);
        EXPECT_EQ(discover_layout(file.path()).block_size, expected);
        auto const fresh = discover_layout(file.path() + ".fresh");
        EXPECT_EQ(fresh.block_size, expected);
        EXPECT_NE(fresh.origin, "default");
    }
    EXPECT_NE(discover_layout("a file without a directory").origin, "default");
}

TEST(FileLayout, is_the_default_where_nothing_can_be_found_out) {
    auto const layout = discover_layout("/nonexistent/directory/x.nc");
    EXPECT_EQ(layout.origin, "default");
    EXPECT_EQ(layout.block_size, 4096);
    EXPECT_EQ(layout.stripe_size, 0);
}

TEST(FileLayout, follows_hints) {
    FileLayout found;
    found.stripe_size = 1 << 20;
    found.stripe_count = 4;
    found.origin = "lustre";
    Hints hints;
    EXPECT_EQ(apply_layout_hints(found, hints).origin, "lustre");
    EXPECT_EQ(apply_layout_hints(found, hints).stripe_count, 4);
    hints.stripe_count = 16;
    EXPECT_EQ(apply_layout_hints(found, hints).stripe_count, 16);
    EXPECT_EQ(apply_layout_hints(found, hints).stripe_size, 1 << 20);
    EXPECT_EQ(apply_layout_hints(found, hints).origin, "hint");
    hints.stripe_size = 1 << 22;
    EXPECT_EQ(apply_layout_hints(found, hints).stripe_size, 1 << 22);
}

}  // namespace
}  // namespace muster
