// For tests of the C API: a file that all ranks see, open as long as the test needs it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "muster/muster.h"

namespace muster::test {

inline int rank() {
    int mine = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    return mine;
}

inline int ranks() {
    int count = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

// Collective. A path that no file has yet; whatever is there at the end is removed.
class SharedPath {
public:
    SharedPath() {
        std::string own = "/tmp/muster_c_test_XXXXXX";
        if (rank() == 0) {
            if (auto const descriptor = ::mkstemp(own.data()); descriptor >= 0) ::close(descriptor);
            ::unlink(own.c_str());
        }
        MPI_Bcast(own.data(), static_cast<int>(own.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
        path_ = own;
    }
    ~SharedPath() {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank() == 0) ::unlink(path_.c_str());
    }
    SharedPath(SharedPath const&) = delete;
    SharedPath& operator=(SharedPath const&) = delete;

    char const* get() const { return path_.c_str(); }
    // Collective. What is in the file now.
    std::string contents() const {
        MPI_Barrier(MPI_COMM_WORLD);
        std::ifstream file{path_, std::ios::binary};
        std::string text{std::istreambuf_iterator<char>{file}, {}};
        MPI_Barrier(MPI_COMM_WORLD);
        return text;
    }

private:
    std::string path_;
};

// Collective. A new file, closed at the end.
class OpenFile {
public:
    explicit OpenFile(char const* path, muster_mode mode = MUSTER_CREATE, MPI_Info info = MPI_INFO_NULL) {
        EXPECT_EQ(muster_open(MPI_COMM_WORLD, path, mode, info, &file_), MUSTER_OK) << muster_last_message();
    }
    ~OpenFile() { EXPECT_EQ(muster_close(&file_), MUSTER_OK) << muster_last_message(); }
    OpenFile(OpenFile const&) = delete;
    OpenFile& operator=(OpenFile const&) = delete;

    operator muster_file*() const { return file_; }

private:
    muster_file* file_{nullptr};
};

class Info {
public:
    Info(char const* key, char const* value) {
        MPI_Info_create(&handle_);
        MPI_Info_set(handle_, key, value);
    }
    ~Info() { MPI_Info_free(&handle_); }
    Info(Info const&) = delete;
    Info& operator=(Info const&) = delete;

    operator MPI_Info() const { return handle_; }

private:
    MPI_Info handle_{MPI_INFO_NULL};
};

// A text that was handed out.
class Text {
public:
    Text() = default;
    ~Text() { muster_free(text_); }
    Text(Text const&) = delete;
    Text& operator=(Text const&) = delete;

    char** receive() { return &text_; }
    std::string str() const { return text_ == nullptr ? "" : text_; }

private:
    char* text_{nullptr};
};

// "aaaa" for rank 0, "bbbb" for rank 1, ...
inline std::string letters(int of, std::size_t count = 4) { return std::string(count, static_cast<char>('a' + of)); }

// The last rank is the one that does something wrong; with one rank alone it is that one.
inline bool is_last() { return rank() == ranks() - 1; }

inline bool message_names_last_rank() {
    return std::string{muster_last_message()}.find("rank " + std::to_string(ranks() - 1)) != std::string::npos;
}

}  // namespace muster::test
