#include "workloads/maps.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "workloads/registry.hpp"

namespace muster {
namespace {

// A file that is gone when the test is over.
class Scratch {
public:
    explicit Scratch(std::string const& contents) {
        static int count = 0;
        auto const name = "muster_map_" + std::to_string(getpid()) + "_" + std::to_string(++count);
        path_ = std::filesystem::temp_directory_path() / name;
        std::ofstream{path_, std::ios::binary} << contents;
    }
    ~Scratch() { std::filesystem::remove(path_); }
    Scratch(Scratch const&) = delete;
    Scratch& operator=(Scratch const&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

// Writes a classic netCDF file with one-dimensional integer variables and integer attributes.
class NetcdfWriter {
public:
    explicit NetcdfWriter(int version) : version_{version} {}

    void attribute(std::string name, std::vector<Size> values) {
        attributes_.push_back({std::move(name), std::move(values)});
    }
    void variable(std::string name, std::vector<Size> values) {
        variables_.push_back({std::move(name), std::move(values)});
    }

    std::string text() const {
        auto const header = header_text(0).size();
        auto text = header_text(static_cast<Size>(header));
        for (auto const& array : variables_) text += values_text(array.values);
        return text;
    }

private:
    struct Array {
        std::string name;
        std::vector<Size> values;
    };

    static std::string big_endian(Size value, int bytes) {
        std::string text;
        for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
        return text;
    }
    std::string number(Size value) const { return big_endian(value, version_ == 5 ? 8 : 4); }
    std::string name_text(std::string const& name) const {
        return number(static_cast<Size>(name.size())) + name + std::string((4 - name.size() % 4) % 4, '\0');
    }
    static std::string values_text(std::vector<Size> const& values) {
        std::string text;
        for (auto const value : values) text += big_endian(value, 4);
        return text;
    }
    static std::string tag(int value) { return big_endian(value, 4); }

    std::string header_text(Offset data) const {
        auto text = "CDF" + std::string(1, static_cast<char>(version_)) + number(0);
        text += tag(10) + number(static_cast<Size>(variables_.size()));
        for (auto const& array : variables_)
            text += name_text("n" + array.name) + number(static_cast<Size>(array.values.size()));
        text += tag(12) + number(static_cast<Size>(attributes_.size()));
        for (auto const& array : attributes_) text += attribute_text(array);
        text += tag(11) + number(static_cast<Size>(variables_.size()));
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            auto const bytes = static_cast<Size>(variables_[i].values.size()) * 4;
            text += name_text(variables_[i].name) + number(1) + number(static_cast<Size>(i)) + tag(12) + number(1);
            text += attribute_text({"unit", {1, 2, 3}});
            text += tag(4) + number(bytes) + big_endian(data, version_ == 1 ? 4 : 8);
            data += bytes;
        }
        return text;
    }
    std::string attribute_text(Array const& array) const {
        return name_text(array.name) + tag(4) + number(static_cast<Size>(array.values.size())) +
               values_text(array.values);
    }

    int version_;
    std::vector<Array> attributes_;
    std::vector<Array> variables_;
};

// Two maps of 10 elements on 2 ranks; the lists of the second do not ascend.
NetcdfWriter two_maps(int version) {
    NetcdfWriter writer{version};
    writer.attribute("D1.dims", {10});
    writer.attribute("D2.dims", {2, 5});
    writer.variable("D1.nreqs", {1, 1});
    writer.variable("D1.offsets", {0, 5});
    writer.variable("D1.lengths", {5, 5});
    writer.variable("D2.nreqs", {3, 2});
    writer.variable("D2.offsets", {4, 0, 2, 6, 1});
    writer.variable("D2.lengths", {2, 1, 2, 4, 1});
    return writer;
}

constexpr auto text_map =
    "version 2001 npes 2 ndims 2 \n5 2 \n0 6\n3 4 0 1 8 7 \n1 5\n2 5 6 9 10 \n\nObtained 10 stack frames.\n";

TEST(TextMap, is_sorted_and_joined) {
    Scratch const file{text_map};
    auto const map = read_text_map(file.path());
    ASSERT_TRUE(map.ok()) << map.status().text();
    EXPECT_EQ(map->elements, 10);
    EXPECT_EQ(map->listed_requests, 4 + 3);
    EXPECT_EQ(map->requests(), 3 + 3);
    EXPECT_EQ(map->ranks[0], (std::vector<Extent>{{0, 1}, {2, 2}, {6, 2}}));
    EXPECT_EQ(map->ranks[1], (std::vector<Extent>{{1, 1}, {4, 2}, {8, 2}}));
}

TEST(TextMap, is_refused_when_damaged) {
    for (auto const* text : {"", "version 2001 npes 0 ndims 1\n5\n", "version 2001 npes 1 ndims 1\n0\n0 1\n1\n",
                             "version 2001 npes 1 ndims 1\n5\n0 2\n1\n", "version 2001 npes 1 ndims 1\n5\n0 1\n6\n",
                             "version 2001 npes 2 ndims 1\n5\n0 1\n1\n", "version 2001 npes 1 ndims 1\n5\n0 1\n-3\n"}) {
        Scratch const file{text};
        EXPECT_EQ(read_text_map(file.path()).status().code(), Code::invalid_argument) << text;
    }
    EXPECT_EQ(read_text_map("/nowhere/map.dat").status().code(), Code::not_found);
}

TEST(NetcdfMaps, are_read_from_all_classic_formats) {
    for (int const version : {1, 2, 5}) {
        Scratch const file{two_maps(version).text()};
        auto const maps = read_maps(file.path());
        ASSERT_TRUE(maps.ok()) << maps.status().text();
        ASSERT_EQ(maps->size(), 2u);
        EXPECT_EQ((*maps)[0].requests(), 2);
        EXPECT_EQ((*maps)[1].elements, 10);
        EXPECT_EQ((*maps)[1].listed_requests, 5);
        EXPECT_EQ((*maps)[1].ranks[0], (std::vector<Extent>{{0, 1}, {2, 4}}));
        EXPECT_EQ((*maps)[1].ranks[1], (std::vector<Extent>{{1, 1}, {6, 4}}));
    }
}

TEST(NetcdfMaps, are_refused_wherever_the_file_ends_too_early) {
    auto const text = two_maps(5).text();
    for (std::size_t length = 3; length < text.size(); ++length) {
        Scratch const file{text.substr(0, length)};
        EXPECT_FALSE(read_netcdf_maps(file.path()).ok()) << length;
    }
}

TEST(NetcdfMaps, are_refused_when_a_request_lies_outside) {
    auto writer = two_maps(2);
    writer.attribute("D3.dims", {10});
    writer.variable("D3.nreqs", {1});
    writer.variable("D3.offsets", {8});
    writer.variable("D3.lengths", {3});
    Scratch const file{writer.text()};
    EXPECT_EQ(read_netcdf_maps(file.path()).status().code(), Code::invalid_argument);
}

TEST(MapWorkload, has_each_map_for_several_variables) {
    Scratch const file{two_maps(5).text()};
    std::vector<OptionPair> const options{{"files", file.path()}, {"variables", "1,2"}, {"element", "8"}};
    auto const workload = make_workload("map", 2, options);
    ASSERT_TRUE(workload.ok()) << workload.status().text();
    EXPECT_EQ(workload->variables.size(), 3u);
    EXPECT_EQ(workload->bytes(), 240);
    EXPECT_EQ(workload->listed_requests, 2 + 2 * 5);
    EXPECT_EQ(workload->file_of(0, 1).shape.text(), "pieces 8@80 32@96");
}

TEST(MapWorkload, shares_recorded_ranks_among_fewer_and_leaves_more_ranks_empty) {
    Scratch const file{two_maps(5).text()};
    std::vector<OptionPair> const options{{"files", file.path()}};
    auto const one = make_workload("map", 1, options);
    auto const three = make_workload("map", 3, options);
    ASSERT_TRUE(one.ok() && three.ok());
    EXPECT_EQ(one->file_of(0).size(), 80);
    EXPECT_EQ(three->file_of(2).size(), 0);
    EXPECT_EQ(three->file_of(0).size() + three->file_of(1).size(), 80);
}

}  // namespace
}  // namespace muster
