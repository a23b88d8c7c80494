#include "core/coding.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "core/patterns_testing.hpp"

namespace muster {
namespace {

using namespace testing;
using Code = std::vector<std::byte>;

Code encode_whole(Shape const& shape) { return encode(Stream::whole(shape)); }

Shape decoded(Code const& code) {
    auto const stream = decode(code);
    EXPECT_TRUE(stream.ok()) << stream.status().text();
    return stream.ok() ? stream->alone() : Shape{};
}

// Codes, decodes, compares; returns the code's size.
std::size_t checked_bytes(Shape const& shape) {
    auto const code = encode_whole(shape);
    auto const back = decoded(code);
    EXPECT_EQ(joined_pieces_of(back), joined_pieces_of(shape));
    EXPECT_TRUE(back.ordered());
    return code.size();
}

double bytes_per_request(char const* pattern, Shape const& shape) {
    auto const bytes = checked_bytes(shape);
    auto const each = static_cast<double>(bytes) / static_cast<double>(shape.piece_count());
    std::printf("%-32s %9lld requests %9zu bytes %8.4f bytes per request\n", pattern,
                static_cast<long long>(shape.piece_count()), bytes, each);
    return each;
}

TEST(Coding, keeps_regular_shapes_as_they_are) {
    auto const strip = Shape::strip({64, 8}, 1'000'000'000, 32);
    auto const pieces = Shape::pieces({{3, 4}, {10, 2}, {30, 4}});
    for (auto const& shape : {Shape{}, Shape::block(7, 5), strip, Shape::repeat(pieces, 1000, 100),
                              Shape::repeat(Shape::repeat(Shape::strip({5, 8}, 10, 16), 10, 1000), 5, 12'000),
                              Shape::chain({pieces, Shape::strip({50, 1}, 10, 2), Shape::block(100, 1)}), bt_shape({}),
                              s3d_shape(800, 50), Shape::block(-100, 7)}) {
        auto const back = decoded(encode_whole(shape));
        EXPECT_EQ(back.size(), shape.size());
        EXPECT_EQ(back.piece_count(), shape.piece_count());
        EXPECT_LE(back.text().size(), shape.text().size() + 40) << back.text();
    }
    EXPECT_EQ(decoded(encode_whole(strip)), strip);
    EXPECT_LE(encode_whole(strip).size(), 12U);
}

TEST(Coding, gives_back_the_pieces_of_random_shapes) {
    Random random{1};
    for (int i = 0; i < 4000; ++i) {
        auto const shape = random_sample(random, {true, 3}).shape;
        ASSERT_EQ(joined_pieces_of(decoded(encode_whole(shape))), joined_pieces_of(shape)) << shape.text();
    }
}

TEST(Coding, gives_back_a_part_of_a_stream) {
    Random random{2};
    for (int i = 0; i < 4000; ++i) {
        auto const shape = random_sample(random, {true, 3}).shape;
        auto const begin = between(random, 0, shape.size());
        Stream const part{shape, begin, between(random, begin, shape.size())};
        ASSERT_EQ(joined_pieces_of(decoded(encode(part))), joined_pieces_of(part.alone())) << shape.text();
    }
}

TEST(Coding, gives_back_what_lies_within_ranges_of_the_file) {
    Random random{3};
    for (int i = 0; i < 4000; ++i) {
        auto const shape = random_sample(random, {true, 3}).shape;
        std::vector<Extent> ranges;
        for (auto at = shape.low() - 5; at < shape.high(); at = ranges.back().end() + between(random, 0, 40)) {
            ranges.push_back({at, between(random, 0, 40)});
        }
        auto expected = bytes_of(shape, 0, shape.size());
        std::erase_if(expected, [&](Offset at) {
            return std::none_of(ranges.begin(), ranges.end(),
                                [&](Extent const& range) { return at >= range.offset && at < range.end(); });
        });
        auto const back = decoded(encode_within(Stream::whole(shape), ranges));
        ASSERT_EQ(bytes_of(back, 0, back.size()), expected) << shape.text();
    }
}

TEST(Coding, cuts_a_strip_of_a_billion_pieces_without_writing_it_out) {
    auto const strip = Shape::strip({0, 8}, 1'000'000'000, 32);
    std::vector<Extent> stripes;
    for (Size i = 0; i < 1000; ++i) stripes.push_back({i * 16 << 20, 1 << 20});
    auto const code = encode_within(Stream::whole(strip), stripes);
    EXPECT_LE(code.size(), 40U);
    EXPECT_EQ(decoded(code).size(), 1000 * (1 << 18));
}

TEST(Coding, takes_few_bytes_for_the_patterns_of_real_programs) {
    Random random{4};
    EXPECT_LE(bytes_per_request("climate, levels x variables", Shape::pieces(climate_list(random, {}))), 0.02);
    Climate padded;
    padded.padding = 1000;
    auto const pieces = Shape::pieces(climate_list(random, padded));
    EXPECT_LE(bytes_per_request("climate, padded variables", pieces), 0.05);
    EXPECT_LE(bytes_per_request("BTIO, as views", bt_shape({})), 0.01);
    EXPECT_LE(bytes_per_request("BTIO, as a list", Shape::pieces(pieces_of(bt_shape({})))), 0.03);
    EXPECT_LE(bytes_per_request("BTIO, 16384 ranks, list", Shape::pieces(pieces_of(bt_shape({512, 128, 77, 1})))), 1.0);
    EXPECT_LE(bytes_per_request("S3D, as views", s3d_shape(800, 50)), 0.002);
    EXPECT_LE(bytes_per_request("S3D, as a list", Shape::pieces(pieces_of(s3d_shape(800, 50)))), 0.005);
    EXPECT_LE(bytes_per_request("random", Shape::pieces(testing::random_list(random, 100'000))), 4.0);
}

TEST(Coding, pays_a_few_bytes_for_each_return_of_an_irregular_list) {
    Random random{5};
    auto const columns = scattered_columns(random, 2000, 4);
    List list;
    Offset base = 0;
    for (int level = 0; level < 100; ++level, base += columns.back().end() + 4 * between(random, 1, 5000)) {
        append_at(list, columns, base);
    }
    auto const once = encode_whole(Shape::pieces(columns)).size();
    EXPECT_LE(checked_bytes(Shape::pieces(list)), once + 100 * 6);
}

TEST(Coding, of_repeated_lists_is_decoded_as_repeats) {
    Random random{6};
    auto const back = decoded(encode_whole(Shape::pieces(climate_list(random, {}))));
    EXPECT_LT(back.text().size(), 500U) << back.text();
}

TEST(Coding, of_deep_nests_still_decodes) {
    auto shape = Shape::pieces({{0, 1}, {3, 1}, {8, 2}});
    for (int i = 0; i < 100; ++i) shape = Shape::chain({Shape::strip({-10 * (i + 1), 2}, 2, 3), shape});
    auto const deep = shape.shifted(2000);
    auto const back = decoded(encode_whole(deep));
    EXPECT_EQ(pieces_of(back), pieces_of(deep));
    EXPECT_LE(back.depth(), DecodeLimits{}.depth);
}

TEST(Coding, reaches_to_the_end_of_the_numbers) {
    auto const top = std::numeric_limits<Offset>::max();
    for (auto const& shape : {Shape::block(top - 10, 10), Shape::block(0, top),
                              Shape::pieces({{0, 1}, {5, 7}, {top - 3, 3}}), Shape::strip({top - 100, 4}, 10, 10)}) {
        EXPECT_EQ(decoded(encode_whole(shape)), shape);
    }
}

// --- what arrives is input ---

Code code_of(std::initializer_list<unsigned> bytes) {
    Code code;
    for (auto const byte : bytes) code.push_back(static_cast<std::byte>(byte));
    return code;
}

void expect_refused(Code const& code) {
    auto const stream = decode(code, {.pieces = 1 << 16, .depth = 64});
    EXPECT_FALSE(stream.ok()) << stream->shape.text();
    EXPECT_EQ(stream.status().code(), muster::Code::invalid_argument);
}

TEST(Decode, refuses_what_is_no_code) {
    expect_refused({});
    expect_refused(code_of({0}));                    // no node
    expect_refused(code_of({0, 9}));                 // no such kind
    expect_refused(code_of({0, 1, 0}));              // a block without bytes
    expect_refused(code_of({0, 1, 5, 0}));           // more bytes than code
    expect_refused(code_of({0, 2, 5, 0, 1}));        // a strip of no pieces
    expect_refused(code_of({0, 6, 0}));              // again, but there was nothing
    expect_refused(code_of({0, 5, 2, 1, 5}));        // a chain that ends early
    expect_refused(code_of({0, 4, 3, 1, 0}));        // a repeat of nothing
    expect_refused(code_of({0, 5, 2, 1, 5, 0, 0}));  // a chain with nothing in it
}

TEST(Decode, refuses_numbers_that_overflow) {
    Code top;  // 2^63 - 1 as a varint
    for (int i = 0; i < 8; ++i) top.push_back(std::byte{0xFF});
    top.push_back(std::byte{0x7F});
    auto const with = [&](std::initializer_list<unsigned> before, std::initializer_list<unsigned> after) {
        auto code = code_of(before);
        code.insert(code.end(), top.begin(), top.end());
        auto const tail = code_of(after);
        code.insert(code.end(), tail.begin(), tail.end());
        return code;
    };
    EXPECT_TRUE(decode(with({0, 1}, {})).ok());
    expect_refused(with({2, 1}, {}));               // begins at 1
    expect_refused(with({0, 2}, {2, 0}));           // twice the longest
    expect_refused(with({0, 2, 5}, {1}));           // the longest number of pieces
    expect_refused(with({0, 2, 5, 2}, {}));         // the longest gap
    expect_refused(with({0, 5, 2, 1, 5}, {1, 5}));  // the longest gap in a chain
    expect_refused(with({0, 3}, {0, 1, 0, 0, 1}));  // the longest list
    expect_refused(code_of({0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}));
    expect_refused(code_of({0, 3, 1, 62, 1, 0, 0, 2}));  // a unit too large for its length
}

TEST(Decode, refuses_lists_beyond_the_limit) {
    // One literal, then a match of 2^20 - 1 pieces.
    auto const code = code_of({0, 3, 0x80, 0x80, 0x40, 0, 2, 0, 0, 1, 1, 1, 0xFE, 0xFF, 0x3F, 1});
    EXPECT_TRUE(decode(code, {.pieces = 1 << 20, .depth = 64}).ok());
    EXPECT_FALSE(decode(code, {.pieces = (1 << 20) - 1, .depth = 64}).ok());
}

// Each link is a chain of the link before and one byte.
Code nest_by_references(unsigned links) {
    auto code = code_of({0, 5, links + 1, 3, 2, 0, 2, 0, 0, 1, 1, 2});
    for (unsigned i = 0; i < links; ++i) {
        auto const link = code_of({1, 5, 2, 6, i, 1, 1, 1});
        code.insert(code.end(), link.begin(), link.end());
    }
    return code;
}

TEST(Decode, refuses_references_that_nest_too_deep) {
    EXPECT_TRUE(decode(nest_by_references(63)).ok());
    expect_refused(nest_by_references(64));
}

// Whatever is decoded must be usable: ordered, and its walk agrees with its size.
void expect_sane(Stream const& stream) {
    ASSERT_TRUE(stream.shape.ordered());
    ASSERT_GE(stream.size(), 0);
    auto const end = std::min<Size>(stream.size(), 1000);
    Size seen = 0;
    Offset last = stream.shape.low();
    stream.shape.for_each(0, end, [&](Offset offset, Size length) {
        ASSERT_GE(offset, last);
        ASSERT_GT(length, 0);
        last = offset + length;
        seen += length;
    });
    ASSERT_EQ(seen, end);
    ASSERT_EQ(stream.shape.position_of(stream.shape.high()), stream.size());
    if (stream.size() > 0) {
        ASSERT_EQ(stream.bounds().end(), stream.shape.high());
    }
}

Code mutated(Random& random, Code code) {
    for (auto left = between(random, 1, 4); left > 0 && !code.empty(); --left) {
        auto const at = static_cast<std::size_t>(between(random, 0, static_cast<Size>(code.size()) - 1));
        auto const value = static_cast<std::byte>(between(random, 0, 255));
        auto const place = code.begin() + static_cast<std::ptrdiff_t>(at);
        switch (between(random, 0, 4)) {
            case 0: code[at] = value; break;
            case 1: code[at] ^= std::byte{1} << static_cast<int>(between(random, 0, 7)); break;
            case 2: code.resize(at); break;
            case 3: code.insert(place, value); break;
            default: code.erase(place); break;
        }
    }
    return code;
}

TEST(Decode, survives_damaged_codes) {
    Random random{7};
    std::vector<Code> codes{encode_whole(bt_shape({64, 8, 3, 2})), encode_whole(s3d_shape(100, 10)),
                            encode_whole(Shape::pieces(testing::random_list(random, 50)))};
    Climate climate{.columns_of_rank = 10, .columns = 1000, .levels = 5, .flat_variables = 3, .deep_variables = 3};
    for (auto const padding : {0, 100}) {
        climate.padding = padding;
        codes.push_back(encode_whole(Shape::pieces(climate_list(random, climate))));
    }
    for (int i = 0; i < 45; ++i) codes.push_back(encode_whole(random_sample(random, {true, 4}).shape));
    int accepted = 0;
    for (int i = 0; i < 200'000; ++i) {
        auto const& code = codes[static_cast<std::size_t>(i) % codes.size()];
        auto const stream = decode(mutated(random, code), {.pieces = 1 << 12, .depth = 64});
        if (!stream.ok()) continue;
        ++accepted;
        expect_sane(*stream);
    }
    EXPECT_GT(accepted, 1000);
}

TEST(Decode, survives_random_bytes) {
    Random random{8};
    for (int i = 0; i < 100'000; ++i) {
        Code code(static_cast<std::size_t>(between(random, 0, 60)));
        auto const small = between(random, 0, 1) == 0;
        for (auto& byte : code) byte = static_cast<std::byte>(between(random, 0, small ? 8 : 255));
        auto const stream = decode(code, {.pieces = 1 << 12, .depth = 64});
        if (stream.ok()) expect_sane(*stream);
    }
}

}  // namespace
}  // namespace muster
