#include <algorithm>

#include "steps.hpp"

namespace muster::differential {

namespace {

// A file that the drop-in library has, with the hints of the case.
class Plain {
public:
    Plain(Case const& c, std::string const& path) {
        auto info = info_of(c);
        MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, info, &file_);
        MPI_Info_free(&info);
    }
    ~Plain() { MPI_File_close(&file_); }
    Plain(Plain const&) = delete;
    Plain& operator=(Plain const&) = delete;
    MPI_File get() const { return file_; }

private:
    MPI_File file_{MPI_FILE_NULL};
};

Status outcome(int error, MPI_Status const& status, Size wanted) {
    MPI_Count got = -1;
    if (error != MPI_SUCCESS) return {Code::io, "MPI error " + std::to_string(error)};
    MPI_Get_elements_x(&status, MPI_BYTE, &got);
    if (got == wanted) return {};
    return {Code::internal, "moved " + std::to_string(got) + " bytes of " + std::to_string(wanted)};
}

// One access, in a form that the seed chooses: the same on all ranks.
struct Step {
    Case const& c;
    MPI_File file;
    Offset at;  // etypes
    std::byte* data;

    int count() const { return static_cast<int>(c.memory_count); }

    int write(Size form, MPI_Status* status) const {
        MPI_Request request = MPI_REQUEST_NULL;
        auto const type = c.memory_type.get();
        switch (form) {
            case 0: return MPI_File_write_at_all(file, at, data, count(), type, status);
            case 1: MPI_File_seek(file, at, MPI_SEEK_SET); return MPI_File_write_all(file, data, count(), type, status);
            case 2:
                MPI_File_write_at_all_begin(file, at, data, count(), type);
                return MPI_File_write_at_all_end(file, data, status);
            default: MPI_File_iwrite_at_all(file, at, data, count(), type, &request); return MPI_Wait(&request, status);
        }
    }

    int read(Size form, MPI_Status* status) const {
        MPI_Request request = MPI_REQUEST_NULL;
        auto const type = c.memory_type.get();
        switch (form) {
            case 0: return MPI_File_read_at_all(file, at, data, count(), type, status);
            case 1: MPI_File_seek(file, at, MPI_SEEK_SET); return MPI_File_read_all(file, data, count(), type, status);
            case 2:
                MPI_File_read_at_all_begin(file, at, data, count(), type);
                return MPI_File_read_at_all_end(file, data, status);
            default: MPI_File_iread_at_all(file, at, data, count(), type, &request); return MPI_Wait(&request, status);
        }
    }
};

void set_view(Case const& c, MPI_File file, Offset displacement) {
    MPI_File_set_view(file, displacement, c.etype.get(), c.filetype.get(), "native", MPI_INFO_NULL);
}

// Where a step begins, in etypes of a view that has been moved there if the case wants it.
Offset go_to(Case const& c, MPI_File file, Size step, Size span) {
    auto const shift = shifted(c) ? step * span : 0;
    if (step == 0 || shift > 0) set_view(c, file, c.displacement + shift);
    return shifted(c) ? 0 : step * c.elements;
}

}  // namespace

Status write_by_drop_in(Case const& c, std::string const& path, Size span) {
    Plain const plain{c, path};
    Dice dice{c.seed * 13};
    Status result;
    for (Size step = 0; step < c.steps; ++step) {
        auto data = data_for(c, step);
        MPI_Status status{};
        Step const now{c, plain.get(), go_to(c, plain.get(), step, span), data.data()};
        auto const error = now.write(dice.roll(0, 3), &status);
        result = first_failure(result, outcome(error, status, c.elements * c.element));
    }
    return result;
}

Status read_by_drop_in(Case const& c, std::string const& path, Size span) {
    Plain const plain{c, path};
    Dice dice{c.seed * 17};
    Status result;
    for (Size step = 0; step < c.steps; ++step) {
        auto const wanted = data_for(c, step);
        Bytes mine(wanted.size(), std::byte{0}), expected(wanted.size(), std::byte{0});
        MPI_Status status{};
        Step const now{c, plain.get(), go_to(c, plain.get(), step, span), mine.data()};
        auto const error = now.read(dice.roll(0, 3), &status);
        result = first_failure(result, outcome(error, status, c.elements * c.element));
        copy_typed(c, wanted, expected);
        if (mine != expected)
            result = first_failure(result, {Code::internal, "read back other bytes than were written"});
    }
    return result;
}

Status read_stretch_by_drop_in(Case const& c, std::string const& path) {
    auto const whole = load(path);
    auto const size = static_cast<Size>(whole.size());
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Dice own{c.seed * 77 + static_cast<std::uint64_t>(rank)};
    Extent const extent{own.roll(0, size), own.roll(0, 30000)};
    auto const expected = std::clamp<Size>(size - extent.offset, 0, extent.length);
    Bytes mine(static_cast<std::size_t>(extent.length), std::byte{0x55});
    Plain const plain{c, path};
    MPI_Status status{};
    auto const error = MPI_File_read_at_all(plain.get(), extent.offset, mine.data(), static_cast<int>(extent.length),
                                            MPI_BYTE, &status);
    auto const right = std::equal(mine.begin(), mine.begin() + expected, whole.begin() + extent.offset);
    auto const result = outcome(error, status, expected);
    return result.ok() && !right ? Status{Code::internal, "a stretch was read wrongly"} : result;
}

}  // namespace muster::differential
