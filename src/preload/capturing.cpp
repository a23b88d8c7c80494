#include "preload/capturing.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>

#include "capture/capture.hpp"
#include "core/environment.hpp"
#include "core/hints.hpp"
#include "mpi/message.hpp"

namespace muster::preload {

namespace {

std::string name_of_capture() {
    auto name = environment_variable("MUSTER_CAPTURE").value_or("");
    if (name == "0") return {};
    if (auto const at = name.find("%p"); at != name.npos) name.replace(at, 2, std::to_string(getpid()));
    return name;
}

bool& wanted() {
    static bool wants = !name_of_capture().empty();
    return wants;
}

Recorder& recorder() {
    static auto* const kept = new Recorder;  // files may be closed while the process ends
    return *kept;
}

// What Muster had in effect beyond its defaults, and what the program told the MPI.
std::vector<HintPair> hints_of(OpenFile const& file) {
    auto hints = file.session ? changed_hints(list_hints(file.session->hints())) : std::vector<HintPair>{};
    for (auto const& pair : file.hints) {
        if (!pair.first.starts_with("muster_")) hints.push_back(pair);
    }
    return hints;
}

std::string node_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

constexpr int tag = 1;

// Collective. On the first rank: what it and then the others have, one after the other.
template <class Take>
void collect(Comm const& comm, std::vector<std::byte> mine, Take&& take) {
    auto const sizes = gather_all(comm, static_cast<Size>(mine.size()));
    if (comm.rank != 0) {
        auto request = start_send(comm, mine, 0, tag, Send::plain);
        wait(request);
        return;
    }
    take(mine);
    for (Rank rank = 1; rank < comm.size; ++rank) {
        mine.resize(static_cast<std::size_t>(sizes[static_cast<std::size_t>(rank)]));
        auto request = start_receive(comm, mine, rank, tag);
        wait(request);
        take(mine);
    }
}

void write_bytes(std::ofstream& out, std::vector<std::byte> const& bytes) {
    out.write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

bool wants_capture() { return wanted(); }
void want_capture(bool wants) { wanted() = wants; }

void begin_capture(OpenFile& file) {
    static std::atomic<Size> openings{0};
    auto const& comm = file.comm.comm;
    std::array<Size, 2> name{};
    if (comm.rank == 0) name = {Comm::of(MPI_COMM_WORLD).rank, openings++};
    broadcast(comm, std::as_writable_bytes(std::span{name}), 0);
    file.captured = recorder().open(
        {{static_cast<Rank>(name[0]), name[1]}, comm.rank, comm.size, comm.rank == 0 ? file.path : std::string{}});
}

void capture_access(OpenFile const& file, bool write, Stream const& stream) {
    recorder().add(file.captured, write, stream);
}

void capture_count(OpenFile const& file, bool write, Size bytes) { recorder().count(file.captured, write, bytes); }

void end_capture(OpenFile const& file) {
    if (file.captured >= 0 && file.comm.comm.rank == 0) recorder().set_hints(file.captured, hints_of(file));
}

void write_capture() {
    if (!wanted()) return;
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);  // so that no message of the program is taken for one of these
    auto const world = Comm::of(own);
    auto const name = name_of_capture();
    std::ofstream out;
    if (world.rank == 0) {
        out.open(name, std::ios::binary);
        write_bytes(out, capture_head(world.size));
    }
    collect(world, recorder().section(node_name()),
            [&](std::vector<std::byte> const& bytes) { write_bytes(out, bytes); });
    MPI_Comm_free(&own);
    if (world.rank == 0 && !out.flush()) std::fprintf(stderr, "muster: cannot write the capture %s\n", name.c_str());
}

}  // namespace muster::preload
