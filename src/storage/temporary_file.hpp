// For tests: a file that exists as long as the object does.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace muster::test {

using Bytes = std::vector<std::byte>;

class TemporaryFile {
public:
    explicit TemporaryFile(std::string const& directory = "/tmp") : path_{directory + "/muster_test_XXXXXX"} {
        if (auto const descriptor = ::mkstemp(path_.data()); descriptor >= 0) ::close(descriptor);
    }
    ~TemporaryFile() { ::unlink(path_.c_str()); }
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;

    std::string const& path() const { return path_; }
    void write(Bytes const& bytes) const {
        std::ofstream{path_, std::ios::binary | std::ios::trunc}.write(reinterpret_cast<char const*>(bytes.data()),
                                                                       static_cast<std::streamsize>(bytes.size()));
    }
    Bytes read() const {
        std::ifstream file{path_, std::ios::binary};
        std::string const text{std::istreambuf_iterator<char>{file}, {}};
        auto const* const begin = reinterpret_cast<std::byte const*>(text.data());
        return {begin, begin + text.size()};
    }

private:
    std::string path_;
};

inline Bytes bytes_of(std::string const& text) {
    auto const* const begin = reinterpret_cast<std::byte const*>(text.data());
    return {begin, begin + text.size()};
}

inline std::string text_of(Bytes const& bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }

}  // namespace muster::test
