// Muster, by plain calls or by plans that are kept.
#include <optional>

#include "core/hints.hpp"
#include "doors.hpp"
#include "engine/gather_report.hpp"

namespace muster::bench {

namespace {

class MusterDoor : public Door {
public:
    MusterDoor(std::vector<HintPair> hints, Errand errand) : hints_{std::move(hints)}, errand_{std::move(errand)} {}

    Status open() override {
        Hints hints;
        if (auto const status = set_hints(hints, hints_); !status.ok()) return status;
        auto const mode = errand_.operation == Operation::write ? Mode::update : Mode::read;
        auto file = File::open(errand_.comm, errand_.path, mode, hints);
        if (file.ok()) file_.emplace(std::move(*file));
        return file.status();
    }

    Status transfer(Access& access, Size step) override {
        calls_ = {};
        for (std::size_t i = 0; i < access.parts.size(); ++i) {
            auto const moved = transfer_part(access, i, step);
            if (!moved.ok()) return moved.status();
            if (*moved != access.parts[i].bytes())
                return {Code::io, "Muster moved " + std::to_string(*moved) + " bytes"};
            if (errand_.report) note_call();
        }
        return errand_.sync ? file_->sync() : Status{};
    }

    std::string report() override { return gather_report(Comm::of(errand_.comm), calls_).json(); }
    Status close() override { return file_ ? file_->close() : Status{}; }

protected:
    virtual Result<Size> transfer_part(Access& access, std::size_t index, Size step) {
        auto& part = access.parts[index];
        if (access.sets_view(step)) {
            auto const status = file_->set_view(step * access.step_bytes, MPI_BYTE, part.filetype.get());
            if (!status.ok()) return status;
        }
        auto* const data = access.at(part);
        return writing() ? file_->write_all(data, part.bytes(), MPI_BYTE)
                         : file_->read_all(data, part.bytes(), MPI_BYTE);
    }

    bool writing() const { return errand_.operation == Operation::write; }
    File& file() { return *file_; }

private:
    void note_call() {
        if (calls_.operation.empty()) {
            calls_ = file_->report();
        } else {
            calls_ += file_->report();
        }
    }

    std::vector<HintPair> hints_;
    Errand errand_;
    std::optional<File> file_;
    Report calls_;  // of the last step
};

// Plans each part in the first step, and only runs the plans in the others.
class PlanDoor : public MusterDoor {
public:
    using MusterDoor::MusterDoor;

    Status close() override {
        plans_.clear();
        return MusterDoor::close();
    }

protected:
    Result<Size> transfer_part(Access& access, std::size_t index, Size step) override {
        auto& part = access.parts[index];
        if (step == 0) {
            auto plan = make_plan(part, access.at(part));
            if (!plan.ok()) return plan.status();
            plans_.push_back(std::move(*plan));
        }
        auto& plan = plans_[index];
        auto const shift = step * access.step_bytes;
        return writing() ? plan.write(access.at(part), shift) : plan.read(access.at(part), shift);
    }

private:
    Result<File::Plan> make_plan(Part const& part, std::byte* data) {
        auto const status = file().set_view(0, MPI_BYTE, part.filetype.get());
        if (!status.ok()) return status;
        return writing() ? file().plan_write(data, part.bytes(), MPI_BYTE)
                         : file().plan_read(data, part.bytes(), MPI_BYTE);
    }

    std::vector<File::Plan> plans_;
};

}  // namespace

std::unique_ptr<Door> muster_door(BackEnd const& back_end, Errand errand) {
    if (back_end.kind == Kind::kept) return std::make_unique<PlanDoor>(back_end.hints, std::move(errand));
    return std::make_unique<MusterDoor>(back_end.hints, std::move(errand));
}

std::unique_ptr<Door> make_door(BackEnd const& back_end, Errand errand) {
    return back_end.kind == Kind::native ? native_door(back_end, std::move(errand))
                                         : muster_door(back_end, std::move(errand));
}

}  // namespace muster::bench
