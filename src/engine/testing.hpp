// For tests of the engine: a file that all ranks see, bytes that tell who wrote them, and what must be in the file then.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpi/comm.hpp"
#include "muster/file.hpp"

namespace muster::test {

inline Comm world() { return Comm::of(MPI_COMM_WORLD); }
inline int rank() { return world().rank; }
inline int ranks() { return world().size; }

inline bool is_last() { return rank() == ranks() - 1; }

// All ranks, or of many some that matter: a fault on each in turn.
inline std::vector<int> chosen_ranks() {
    auto const count = ranks();
    if (count > 4) return {0, 1, count / 2, count - 1};
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(i);
    return all;
}

// --- who wrote what ---

inline constexpr char untouched = '.';  // no mark is this byte

// The byte that a rank writes at an offset. Neighbours of either differ.
inline char mark(int writer, Offset offset) { return static_cast<char>('A' + (writer * 31 + offset % 61 * 7) % 61); }

using Extents = std::vector<Extent>;

// What each rank accesses. Every rank knows all of it, and so what the file must hold.
using Deal = std::vector<Extents>;

inline Extents const& mine(Deal const& deal) { return deal[static_cast<std::size_t>(rank())]; }

inline Size size_of(Extents const& extents) {
    Size size = 0;
    for (auto const& extent : extents) size += extent.length;
    return size;
}

inline Offset end_of(Deal const& deal) {
    Offset end = 0;
    for (auto const& extents : deal) {
        for (auto const& extent : extents) end = std::max(end, extent.end());
    }
    return end;
}

// The marks of one writer along its extents: what it has in memory.
inline std::string marks(int writer, Extents const& extents) {
    std::string bytes;
    for (auto const& extent : extents) {
        for (Offset at = extent.offset; at < extent.end(); ++at) bytes += mark(writer, at);
    }
    return bytes;
}

// The file after everybody has written. Where writers overlap, the higher rank's.
inline std::string written(std::string file, Deal const& deal) {
    file.resize(std::max(file.size(), static_cast<std::size_t>(end_of(deal))));
    for (std::size_t writer = 0; writer < deal.size(); ++writer) {
        for (auto const& [offset, length] : deal[writer]) {
            for (auto at = offset; at < offset + length; ++at) {
                file[static_cast<std::size_t>(at)] = mark(static_cast<int>(writer), at);
            }
        }
    }
    return file;
}

// What a reader must get from a file.
inline std::string cut_out(std::string const& file, Extents const& extents) {
    std::string bytes;
    for (auto const& [offset, length] : extents) {
        bytes += file.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
    }
    return bytes;
}

// Blocks in turn, `count` for each rank, with a hole after each block.
struct Rotation {
    Size block{1};
    Size count{1};
    Size hole{0};
    Offset start{0};
};
inline Deal rotate(Rotation const& rotation) {
    Deal deal(static_cast<std::size_t>(ranks()));
    auto at = rotation.start;
    for (Size i = 0; i < rotation.count; ++i) {
        for (auto& extents : deal) {
            extents.push_back({at, rotation.block});
            at += rotation.block + rotation.hole;
        }
    }
    return deal;
}

// --- files ---

// Collective. A path that no file has yet; whatever is there at the end is removed.
class SharedPath {
public:
    SharedPath() {
        std::string own = "/tmp/muster_engine_test_XXXXXX";
        if (rank() == 0) {
            if (auto const descriptor = ::mkstemp(own.data()); descriptor >= 0) ::close(descriptor);
            ::unlink(own.c_str());
        }
        path_ = broadcast(world(), own, 0);
    }
    ~SharedPath() {
        barrier(world());
        if (rank() == 0) ::unlink(path_.c_str());
    }
    SharedPath(SharedPath const&) = delete;
    SharedPath& operator=(SharedPath const&) = delete;

    std::string const& get() const { return path_; }

    // Collective. Makes these bytes the whole file.
    void fill(std::string const& bytes) const {
        barrier(world());
        if (rank() == 0) {
            std::ofstream{path_, std::ios::binary | std::ios::trunc}.write(bytes.data(),
                                                                           static_cast<std::streamsize>(bytes.size()));
        }
        barrier(world());
    }

    // Collective. What the file holds now; empty on ranks other than 0.
    std::string contents() const {
        barrier(world());
        std::string text;
        if (rank() == 0) {
            std::ifstream file{path_, std::ios::binary};
            text.assign(std::istreambuf_iterator<char>{file}, {});
        }
        barrier(world());
        return text;
    }

    // Collective.
    void expect(std::string const& bytes) const {
        auto const found = contents();
        if (rank() != 0) return;
        EXPECT_EQ(found, bytes);
    }

private:
    std::string path_;
};

// Collective. An open file, closed at the end.
class OpenFile {
public:
    OpenFile(std::string const& path, Mode mode, Hints const& hints = {}, MPI_Comm comm = MPI_COMM_WORLD)
        : file_{take(File::open(comm, path, mode, hints))} {}
    ~OpenFile() {
        auto const closed = file_.close();
        EXPECT_TRUE(closed.ok()) << closed.text();
    }
    OpenFile(OpenFile const&) = delete;
    OpenFile& operator=(OpenFile const&) = delete;

    File* operator->() { return &file_; }
    File& operator*() { return file_; }

private:
    static File take(Result<File> opened) {
        if (!opened) throw std::runtime_error{opened.status().text()};  // on all ranks alike
        return std::move(*opened);
    }

    File file_;
};

inline Result<Size> write_pieces(File& file, Extents const& extents, std::string const& bytes) {
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    return file.write_all(Pieces{extents, {&segment, 1}});
}

inline Result<Size> read_pieces(File& file, Extents const& extents, std::string& bytes) {
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    return file.read_all(Pieces{extents, {&segment, 1}});
}

// Collective. Every rank writes its marks.
inline Result<Size> write_marks(File& file, Deal const& deal) {
    return write_pieces(file, mine(deal), marks(rank(), mine(deal)));
}

#define EXPECT_OK(result)                                     \
    do {                                                      \
        auto const& checked = (result);                       \
        EXPECT_TRUE(checked.ok()) << status_text_of(checked); \
    } while (false)

inline Decision const* find_decision(Report const& report, std::string const& subject) {
    for (auto const& decision : report.decisions) {
        if (decision.subject == subject) return &decision;
    }
    return nullptr;
}

inline std::string status_text_of(Status const& status) { return status.text(); }
template <class T>
std::string status_text_of(Result<T> const& result) {
    return result.status().text();
}

// --- settings ---

struct Setting {
    std::string name;
    Hints hints;
};

// Small windows and stripes, so that few bytes take many rounds, in every way that data can go.
inline std::vector<Setting> settings() {
    Hints small;
    small.window = 64;
    small.direct_write = small.direct_read = 0;
    auto messages = small;
    messages.ranks_per_node = 1;
    messages.shared_memory = Toggle::off;  // also where one rank is all there is
    auto striped = small;
    striped.ranks_per_node = 2;
    striped.layout = Layout::striped;
    striped.stripe_size = 32;
    striped.stripe_count = 3;
    auto last = messages;
    last.aggregator_list = {ranks() - 1};
    last.window = 48;
    last.windows = 1;
    last.throttle = 1;
    auto gathered = small;
    gathered.ranks_per_node = 3;
    gathered.local_aggregators = 1;
    gathered.aggregators = 2;
    auto waves = striped;
    waves.ranks_per_node = 4;
    waves.local_aggregators = 2;
    waves.aggregators = 3;
    waves.node_memory = 64;
    waves.metadata_memory = 200;
    auto direct = small;
    direct.collective_write = direct.collective_read = Toggle::off;
    return {{"nodes as they are", small},
            {"messages", messages},
            {"striped", striped},
            {"only the last rank aggregates, one window, one message at a time", last},
            {"gathered inside nodes", gathered},
            {"gathered inside nodes, striped, in waves and chapters", waves},
            {"direct", direct}};
}

// Every rank aggregates, and all goes by messages.
inline Hints all_aggregate() {
    Hints hints;
    hints.window = 64;
    hints.direct_write = hints.direct_read = 0;
    hints.ranks_per_node = 1;
    hints.shared_memory = Toggle::off;
    hints.aggregators = ranks();
    return hints;
}

// --- the same everywhere ---

// Collective. Rank 0's text, for everyone.
inline std::string of_first_rank(std::string const& text) { return broadcast(world(), text, 0); }

// Collective. A failure that all ranks have in common, word by word.
inline void expect_failure(Status const& status, Code code) {
    EXPECT_STREQ(name_of(status.code()), name_of(code)) << status.text();
    EXPECT_FALSE(status.message().empty());
    EXPECT_EQ(status.text(), of_first_rank(status.text()));
}

// Collective. The same, and the message names its origin, once.
inline void expect_failure_of(int origin, Status const& status, Code code) {
    expect_failure(status, code);
    auto const prefix = "rank " + std::to_string(origin) + ": ";
    EXPECT_EQ(status.message().substr(0, prefix.size()), prefix);
    EXPECT_EQ(status.message().find("rank ", prefix.size()), std::string::npos) << status.text();
}

}  // namespace muster::test
