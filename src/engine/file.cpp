#include "core/hints.hpp"
#include "engine/file_state.hpp"
#include "engine/gather_report.hpp"
#include "engine/perform.hpp"
#include "mpi/agree.hpp"
#include "mpi/info.hpp"

namespace muster {

namespace {

OpenOptions options_of(Mode mode) {
    switch (mode) {
        case Mode::read: return {AccessMode::read};
        case Mode::update: return {AccessMode::read_write, true};
        case Mode::create: return {AccessMode::read_write, true, false, true};
        case Mode::exclusive: return {AccessMode::read_write, true, true};
    }
    return {};
}

}  // namespace

File::File(std::unique_ptr<State> state) : state_{std::move(state)} {}
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

Result<File> File::open(MPI_Comm comm, std::string const& path, Mode mode, Hints const& hints, MPI_Info info) {
    auto session = Session::open(comm, {path, options_of(mode), hints, pairs_of(info), false});
    if (!session) return session.status();
    auto state = std::make_unique<State>();
    state->session = std::move(*session);
    return File{std::move(state)};
}

Status File::close() {
    auto status = state_->session->close();
    state_->open = Session::is_busy(status);
    return status;
}
bool File::is_open() const { return state_->open; }

Status File::set_view(Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
    auto view = make_view(displacement, etype, filetype);
    auto const status = state_->session->quorum().agree(view.status());
    if (!status.ok()) return status;
    state_->view = std::move(*view);
    state_->position = 0;
    return {};
}

Result<Size> File::write_at_all(Offset offset, void const* buffer, Size count, MPI_Datatype type) {
    return perform(*state_->session, Direction::write,
                   viewed(state_->view, offset, memory_stream(buffer, count, type)));
}

Result<Size> File::read_at_all(Offset offset, void* buffer, Size count, MPI_Datatype type) {
    return perform(*state_->session, Direction::read, viewed(state_->view, offset, memory_stream(buffer, count, type)));
}

Result<Size> File::State::transfer(Direction direction, Result<Memory> memory) {
    auto const asked = memory ? memory->stream.size() : 0;
    if (asked % view.etype_size != 0) memory = Status{Code::invalid_argument, "the file pointer counts whole etypes"};
    auto done = perform(*session, direction, viewed(view, position, std::move(memory)));
    if (done) position += asked / view.etype_size;
    return done;
}

Result<Size> File::write_all(void const* buffer, Size count, MPI_Datatype type) {
    return state_->transfer(Direction::write, memory_stream(buffer, count, type));
}

Result<Size> File::read_all(void* buffer, Size count, MPI_Datatype type) {
    return state_->transfer(Direction::read, memory_stream(buffer, count, type));
}

Result<Size> File::write_all(Pieces const& pieces) {
    return perform(*state_->session, Direction::write, listed(pieces));
}
Result<Size> File::read_all(Pieces const& pieces) { return perform(*state_->session, Direction::read, listed(pieces)); }
Result<Size> File::write_all(Subarray const& block, void const* buffer) {
    return perform(*state_->session, Direction::write, with_buffer(boxed(block, buffer), buffer));
}
Result<Size> File::read_all(Subarray const& block, void* buffer) {
    return perform(*state_->session, Direction::read, with_buffer(boxed(block, buffer), buffer));
}

Offset File::position() const { return state_->position; }
void File::seek(Offset position) { state_->position = position; }
Result<Size> File::size() { return state_->session->size(); }
Status File::resize(Size size) { return state_->session->resize(size); }
Status File::reserve(Size size) { return state_->session->reserve(size); }
Status File::sync() { return state_->session->sync(); }
Report const& File::report() const { return state_->session->report; }
Report File::gather_report() { return muster::gather_report(state_->session->comm(), state_->session->report); }
Hints const& File::hints() const { return state_->session->hints(); }
std::vector<HintPair> File::effective_hints() const { return list_hints(state_->session->hints()); }

}  // namespace muster
