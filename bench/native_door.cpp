// The MPI's own I/O.
#include "doors.hpp"

namespace muster::bench {

namespace {

Status mpi_status(int error, char const* what) {
    if (error == MPI_SUCCESS) return {};
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(error, text, &length);
    return {Code::io, std::string{what} + ": " + text};
}

MPI_Info info_of(std::vector<HintPair> const& hints) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    for (auto const& [name, value] : hints) MPI_Info_set(info, name.c_str(), value.c_str());
    return info;
}

class NativeDoor : public Door {
public:
    NativeDoor(std::vector<HintPair> hints, Errand errand) : hints_{std::move(hints)}, errand_{std::move(errand)} {}

    Status open() override {
        auto info = info_of(hints_);
        auto const mode = errand_.operation == Operation::write ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
        auto const error = MPI_File_open(errand_.comm, errand_.path.c_str(), mode, info, &file_);
        MPI_Info_free(&info);
        return mpi_status(error, "MPI_File_open");
    }

    Status transfer(Access& access, Size step) override {
        for (auto const& part : access.parts) {
            auto status = access.sets_view(step) ? set_view(part, step * access.step_bytes) : Status{};
            if (status.ok()) status = move(access.at(part), part.bytes());
            if (!status.ok()) return status;
        }
        return errand_.sync ? mpi_status(MPI_File_sync(file_), "MPI_File_sync") : Status{};
    }

    Status close() override { return mpi_status(MPI_File_close(&file_), "MPI_File_close"); }

private:
    Status set_view(Part const& part, Offset displacement) {
        char native[] = "native";
        auto const type = part.filetype.get();
        return mpi_status(MPI_File_set_view(file_, displacement, MPI_BYTE, type, native, MPI_INFO_NULL),
                          "MPI_File_set_view");
    }

    Status move(std::byte* data, Size bytes) {
        auto const count = static_cast<int>(bytes);
        auto const error = errand_.operation == Operation::write
                               ? MPI_File_write_all(file_, data, count, MPI_BYTE, MPI_STATUS_IGNORE)
                               : MPI_File_read_all(file_, data, count, MPI_BYTE, MPI_STATUS_IGNORE);
        return mpi_status(error, errand_.operation == Operation::write ? "MPI_File_write_all" : "MPI_File_read_all");
    }

    std::vector<HintPair> hints_;
    Errand errand_;
    MPI_File file_{MPI_FILE_NULL};
};

}  // namespace

std::unique_ptr<Door> native_door(BackEnd const& back_end, Errand errand) {
    return std::make_unique<NativeDoor>(back_end.hints, std::move(errand));
}

}  // namespace muster::bench
