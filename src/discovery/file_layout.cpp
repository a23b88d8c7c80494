#include "discovery/file_layout.hpp"

#include <sys/vfs.h>
#include <sys/xattr.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <vector>

namespace muster {

namespace {

constexpr long lustre_type = 0x0BD00BD0;
constexpr long gpfs_type = 0x47504653;
constexpr Size smallest_block = 4096;
constexpr Size largest_block = Size{16} << 20;

// --- Lustre's layout attribute: fields at fixed places, in the machine's byte order ---

namespace lustre {

constexpr std::uint32_t plain_magic = 0x0BD10BD0;
constexpr std::uint32_t pooled_magic = 0x0BD30BD0;
constexpr std::uint32_t composite_magic = 0x0BD60BD0;

constexpr std::uint32_t on_metadata_server = 0x100;  // a pattern without stripes
constexpr int all_targets = 0xFFFF;                  // a stripe count that is decided with the first write

constexpr std::size_t pattern_at = 4;
constexpr std::size_t stripe_size_at = 24;
constexpr std::size_t stripe_count_at = 28;

constexpr std::size_t entry_count_at = 14;
constexpr std::size_t entries_at = 32;
constexpr std::size_t entry_size = 48;
constexpr std::size_t component_offset_at = 24;
constexpr std::size_t component_size_at = 28;

}  // namespace lustre

using Attribute = std::span<std::byte const>;

template <class Number>
std::optional<Number> number_at(Attribute bytes, std::size_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof(Number));
    return number;
}

std::optional<FileLayout> parse_plain(Attribute bytes) {
    auto const pattern = number_at<std::uint32_t>(bytes, lustre::pattern_at);
    auto const size = number_at<std::uint32_t>(bytes, lustre::stripe_size_at);
    auto const count = number_at<std::uint16_t>(bytes, lustre::stripe_count_at);
    if (!pattern || !size || !count || (*pattern & lustre::on_metadata_server) != 0) return std::nullopt;
    if (*size == 0 || *count == 0 || *count == lustre::all_targets) return std::nullopt;
    FileLayout layout;
    layout.stripe_size = *size;
    layout.stripe_count = *count;
    layout.block_size = std::clamp(layout.stripe_size, smallest_block, largest_block);
    layout.origin = "lustre";
    return layout;
}

std::optional<FileLayout> parse_component(Attribute bytes, std::size_t entry) {
    auto const offset = number_at<std::uint32_t>(bytes, entry + lustre::component_offset_at);
    auto const size = number_at<std::uint32_t>(bytes, entry + lustre::component_size_at);
    if (!offset || !size || *offset > bytes.size() || *size > bytes.size() - *offset) return std::nullopt;
    auto const component = bytes.subspan(*offset, *size);
    auto const magic = number_at<std::uint32_t>(component, 0);
    bool const plain = magic == lustre::plain_magic || magic == lustre::pooled_magic;
    return plain ? parse_plain(component) : std::nullopt;
}

std::optional<FileLayout> parse_composite(Attribute bytes) {
    std::optional<FileLayout> widest;
    auto const count = number_at<std::uint16_t>(bytes, lustre::entry_count_at).value_or(0);
    for (std::size_t i = 0; i < count; ++i) {
        auto component = parse_component(bytes, lustre::entries_at + i * lustre::entry_size);
        if (component && (!widest || component->stripe_count > widest->stripe_count)) widest = std::move(component);
    }
    return widest;
}

std::optional<FileLayout> ask_lustre(std::string const& path) {
    std::vector<std::byte> attribute(65536);  // no attribute is larger
    for (auto const* name : {"lustre.lov", "trusted.lov"}) {
        auto const length = ::getxattr(path.c_str(), name, attribute.data(), attribute.size());
        if (length <= 0) continue;
        auto layout = parse_lustre_layout(Attribute{attribute}.first(static_cast<std::size_t>(length)));
        if (layout) return layout;
    }
    return std::nullopt;
}

std::string directory_of(std::string const& path) {
    auto const directory = std::filesystem::path{path}.parent_path().string();
    return directory.empty() ? "." : directory;
}

}  // namespace

FileLayout discover_layout(std::string const& path) {
    struct statfs facts {};
    auto place = path;
    if (::statfs(place.c_str(), &facts) != 0) place = directory_of(path);
    if (::statfs(place.c_str(), &facts) != 0) return {};
    auto const type = static_cast<long>(facts.f_type);
    auto const striped = type == lustre_type ? ask_lustre(place) : std::nullopt;
    return striped ? *striped : layout_of_blocks(type, static_cast<Size>(facts.f_bsize));
}

FileLayout apply_layout_hints(FileLayout layout, Hints const& hints) {
    if (hints.stripe_size > 0) layout.stripe_size = hints.stripe_size;
    if (hints.stripe_count > 0) layout.stripe_count = hints.stripe_count;
    if (hints.stripe_size > 0 || hints.stripe_count > 0) layout.origin = "hint";
    return layout;
}

std::optional<FileLayout> parse_lustre_layout(std::span<std::byte const> attribute) {
    switch (number_at<std::uint32_t>(attribute, 0).value_or(0)) {
        case lustre::plain_magic:
        case lustre::pooled_magic: return parse_plain(attribute);
        case lustre::composite_magic: return parse_composite(attribute);
        default: return std::nullopt;
    }
}

FileLayout layout_of_blocks(long file_system_type, Size block_size) {
    FileLayout layout;
    layout.block_size = std::clamp(block_size, smallest_block, largest_block);
    layout.origin = file_system_type == gpfs_type ? "gpfs" : "statfs";
    return layout;
}

}  // namespace muster
