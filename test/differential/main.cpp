// The differential test: random collective accesses by Muster and by the MPI's own I/O must give the same files and the
// same memory.   mpirun -n 4 differential --cases 500 --seed 1 --directory /tmp
// With --exchange no case goes through shared memory, and kernels and layouts take turns.
// With --least-window B no window is smaller than B bytes: rounds between nodes take long.
// A mismatch prints its seed; `--seed S --cases 1` replays it, with the other options as they were.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "steps.hpp"

namespace muster::differential {
namespace {

struct Options {
    std::uint64_t seed{1};
    long cases{100};
    std::string directory{"/tmp"};
    std::string run;  // makes file names unique
    Size least_window{0};
    bool exchange{false};  // messages always, all kernels in turns
    bool verbose{false};
    bool drop_in{false};  // preloaded: all MPI_File_* calls are ours, but for files that a hint leaves to the MPI
};

struct Files {
    std::string native;
    std::string ours;
    std::string mask;  // see same_where_written
};

Files files_of(Options const& options) {
    auto const stem = options.directory + "/muster-" + options.run;
    return {stem + ".native", stem + ".ours", stem + ".mask"};
}

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

}  // namespace

Bytes data_for(Case const& c, Size step) {
    Bytes bytes(static_cast<std::size_t>(c.memory_bytes));
    Dice dice{c.seed * 31 + static_cast<std::uint64_t>(step) * 7 +
              static_cast<std::uint64_t>(rank_of(MPI_COMM_WORLD)) * 1009};
    for (auto& byte : bytes) byte = static_cast<std::byte>(dice.roll(1, 255));
    return bytes;
}

Bytes load(std::string const& path) {
    Bytes bytes;
    int const file = ::open(path.c_str(), O_RDONLY);
    if (file < 0) return bytes;
    struct stat facts {};
    fstat(file, &facts);
    bytes.resize(static_cast<std::size_t>(facts.st_size));
    if (!bytes.empty() && pread(file, bytes.data(), bytes.size(), 0) != facts.st_size) bytes.clear();
    ::close(file);
    return bytes;
}

namespace {

void prepare(Case const& c, std::string const& path) {
    int const file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    Bytes old(static_cast<std::size_t>(c.existing), std::byte{0xEE});
    if (!old.empty() && pwrite(file, old.data(), old.size(), 0) != c.existing) std::abort();
    ::close(file);
}

// Bytes from one step to the next where file offsets are shifted: no two steps meet.
Size step_span(Case const& c) {
    if (c.by_extents() || c.way == Way::subarray) return Size{1} << 20;
    MPI_Aint low = 0, extent = 0;
    MPI_Type_get_extent(c.filetype.get(), &low, &extent);
    auto const tile = c.filetype.size();
    Size span = extent * ((c.elements * c.element + tile - 1) / std::max<Size>(tile, 1) + 1);
    MPI_Allreduce(MPI_IN_PLACE, &span, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return span;
}

struct Native {
    MPI_File file{MPI_FILE_NULL};

    explicit Native(std::string const& path) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        MPI_Info_set(info, "muster_enable", "off");  // also where the drop-in library is there
        MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, info, &file);
        MPI_Info_free(&info);
    }
    ~Native() { MPI_File_close(&file); }
    Native(Native const&) = delete;
    Native& operator=(Native const&) = delete;

    void view(Case const& c, Offset displacement) const {
        char native[] = "native";
        MPI_File_set_view(file, displacement, c.etype.get(), c.filetype.get(), native, MPI_INFO_NULL);
    }
};

}  // namespace

bool shifted(Case const& c) { return c.way == Way::kept || c.way == Way::subarray || c.by_extents(); }

namespace {

void write_natively(Case const& c, std::string const& path, Size span) {
    Native native{path};
    for (Size step = 0; step < c.steps; ++step) {
        auto const data = data_for(c, step);
        auto const shift = shifted(c) ? step * span : 0;
        if (c.by_extents()) {
            auto const* from = data.data();
            for (auto const& extent : c.extents) {
                MPI_File_write_at(native.file, extent.offset + shift, from, static_cast<int>(extent.length), MPI_BYTE,
                                  MPI_STATUS_IGNORE);
                from += extent.length;
            }
            continue;
        }
        if (step == 0 || shift > 0) native.view(c, c.displacement + shift);
        MPI_File_write_at_all(native.file, shifted(c) ? 0 : step * c.elements, data.data(),
                              static_cast<int>(c.memory_count), c.memory_type.get(), MPI_STATUS_IGNORE);
    }
}

}  // namespace

MPI_Info info_of(Case const& c) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    for (auto const& [name, value] : c.hints) MPI_Info_set(info, name.c_str(), value.c_str());
    return info;
}

namespace {

Result<File> open_ours(Case const& c, std::string const& path) {
    auto info = info_of(c);
    auto file = File::open(MPI_COMM_WORLD, path, Mode::update, {}, info);
    MPI_Info_free(&info);
    return file;
}

// What our file holds, also where it is kept in pieces.
Bytes load_ours(Case const& c, std::string const& path) {
    if (!c.in_pieces()) return load(path);
    auto file = File::open(MPI_COMM_SELF, path, Mode::read);
    if (!file) return {};
    auto const size = file->size();
    Bytes bytes(static_cast<std::size_t>(size ? *size : 0));
    Extent const all{0, static_cast<Size>(bytes.size())};
    Segment const segment{bytes.data(), all.length};
    auto const got = file->read_all(Pieces{{&all, 1}, {&segment, 1}});
    if (!got || !file->close().ok()) bytes.clear();
    return bytes;
}

// Our file before the case: as the native one, or no file at all where a set of pieces is to be made. Old pieces go.
void prepare_ours(Case const& c, std::string const& path) {
    if (auto old = File::open(MPI_COMM_SELF, path, Mode::create); old && !old->close().ok()) std::abort();
    if (c.in_pieces()) {
        unlink(path.c_str());
    } else {
        prepare(c, path);
    }
}

// Collective. The bytes that a set of pieces has before.
Status fill_pieces(Case const& c, File& file) {
    auto const mine = rank_of(MPI_COMM_WORLD) == 0 ? c.existing : 0;
    Bytes old(static_cast<std::size_t>(mine), std::byte{0xEE});
    Extent const extent{0, mine};
    Segment const segment{old.data(), mine};
    return file.write_all(Pieces{{&extent, 1}, {&segment, 1}}).status();
}

// One of our ways to write or read, step by step. `move` is called with everything a step needs.
std::vector<Extent> moved(std::vector<Extent> extents, Offset by) {
    for (auto& extent : extents) extent.offset += by;
    return extents;
}

Subarray moved(Subarray block, Offset by) {
    block.offset += by;
    return block;
}

Status check(Result<Size> const& done, Case const& c) {
    if (!done) return done.status();
    if (*done == c.elements * c.element) return {};
    return {Code::internal, "moved " + std::to_string(*done) + " bytes of " + std::to_string(c.elements * c.element)};
}

// One step of a case by our library, forth or back. `Direction` picks the calls.
struct Ours {
    Case const& c;
    File& file;
    Size span;
    bool write;
    std::optional<File::Plan> plan;

    Status step(Size step, std::byte* data) {
        auto const shift = step * span;
        Segment const segment{data, c.memory_bytes};
        switch (c.way) {
            case Way::pieces: {
                auto const extents = moved(c.extents, shift);
                Pieces const pieces{extents, {&segment, 1}};
                return check(write ? file.write_all(pieces) : file.read_all(pieces), c);
            }
            case Way::subarray: {
                auto const block = moved(c.block, shift);
                return check(write ? file.write_all(block, data) : file.read_all(block, data), c);
            }
            case Way::kept: return kept(data, shift);
            case Way::declared: return declared(data, shift);
            case Way::pointer: {
                auto const& type = c.memory_type;
                if (step == 0) file.seek(0);
                return check(write ? file.write_all(data, c.memory_count, type.get())
                                   : file.read_all(data, c.memory_count, type.get()),
                             c);
            }
            case Way::view: break;
        }
        auto const at = step * c.elements;
        return check(write ? file.write_at_all(at, data, c.memory_count, c.memory_type.get())
                           : file.read_at_all(at, data, c.memory_count, c.memory_type.get()),
                     c);
    }

    // The extents in up to three parts, put or taken piece by piece in any order.
    Status declared(std::byte* data, Offset shift) {
        auto const extents = moved(c.extents, shift);
        std::vector<Part> parts(static_cast<std::size_t>(c.seed % 3 + 1));
        std::vector<Bytes> memory(parts.size());
        for (std::size_t i = 0; i < extents.size(); ++i) {
            auto const part = i % parts.size();
            parts[part].extents.push_back(extents[i]);
            memory[part].insert(memory[part].end(), data, data + extents[i].length);
            data += extents[i].length;
        }
        auto coming = write ? Declared::write(file, parts) : Declared::read(file, parts);
        if (!coming) return coming.status();
        auto status = move_chunks(*coming, memory);
        auto const done = coming->finish();
        status = first_failure(status, check(done, c));
        if (!write) give_back(data, extents, memory);
        return status;
    }

    Status move_chunks(Declared& coming, std::vector<Bytes>& memory) const {
        struct Chunk {
            std::size_t part;
            Size from;
            Size length;
        };
        std::vector<Chunk> chunks;
        Dice own{c.seed * 13 + static_cast<std::uint64_t>(rank_of(MPI_COMM_WORLD))};
        for (std::size_t part = 0; part < memory.size(); ++part) {
            auto const size = static_cast<Size>(memory[part].size());
            for (Size from = 0; from < size;) {
                auto const length = std::min(size - from, own.roll(1, 400));
                chunks.push_back({part, from, length});
                from += length;
            }
        }
        if (own.chance(70)) {
            for (std::size_t i = chunks.size(); i > 1; --i) {
                std::swap(chunks[i - 1], chunks[static_cast<std::size_t>(own.roll(0, static_cast<Size>(i) - 1))]);
            }
        }
        Status status;
        for (auto const& [part, from, length] : chunks) {
            auto* const at = memory[part].data() + from;
            auto const moved_chunk =
                write ? coming.put(part, at, from, length) : coming.get(part, at, from, length).status();
            status = first_failure(status, moved_chunk);
        }
        return status;
    }

    // From the parts back to the order of the extents; `end` is behind the last of them.
    static void give_back(std::byte* end, std::vector<Extent> const& extents, std::vector<Bytes> const& memory) {
        std::vector<std::size_t> at(memory.size(), 0);
        auto* out = end;
        for (auto const& extent : extents) out -= extent.length;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            auto const part = i % memory.size();
            auto const from = memory[part].begin() + static_cast<std::ptrdiff_t>(at[part]);
            out = std::copy_n(from, extents[i].length, out);
            at[part] += static_cast<std::size_t>(extents[i].length);
        }
    }

    Status kept(std::byte* data, Offset shift) {
        if (!plan) {
            auto made = write ? file.plan_write(data, c.memory_count, c.memory_type.get())
                              : file.plan_read(data, c.memory_count, c.memory_type.get());
            if (!made) return made.status();
            plan = std::move(*made);
        }
        return check(write ? plan->write(data, shift) : plan->read(data, shift), c);
    }
};

Status set_view(Case const& c, File& file) {
    if (c.by_extents() || c.way == Way::subarray) return {};
    return file.set_view(c.displacement, c.etype.get(), c.filetype.get());
}

Status write_by_us(Case const& c, std::string const& path, Size span) {
    auto file = open_ours(c, path);
    if (!file) return file.status();
    auto status = c.in_pieces() ? fill_pieces(c, *file) : Status{};
    status = first_failure(status, set_view(c, *file));
    Ours ours{c, *file, span, true, {}};
    for (Size step = 0; step < c.steps && status.ok(); ++step) {
        auto data = data_for(c, step);
        status = ours.step(step, data.data());
    }
    ours.plan.reset();
    return first_failure(status, file->close());
}

}  // namespace

// What the memory type covers, and nothing in its gaps.
void copy_typed(Case const& c, Bytes const& from, Bytes& to) {
    Bytes packed(static_cast<std::size_t>(c.elements * c.element));
    if (packed.empty()) return;
    auto const count = static_cast<int>(c.memory_count);
    auto const size = static_cast<int>(packed.size());
    int position = 0;
    MPI_Pack(from.data(), count, c.memory_type.get(), packed.data(), size, &position, MPI_COMM_SELF);
    position = 0;
    MPI_Unpack(packed.data(), size, &position, to.data(), count, c.memory_type.get(), MPI_COMM_SELF);
}

namespace {

// Reads back by us what was written, into memory that has other bytes in its gaps.
Status read_by_us(Case const& c, std::string const& path, Size span) {
    auto file = open_ours(c, path);
    if (!file) return file.status();
    auto status = set_view(c, *file);
    Ours ours{c, *file, span, false, {}};
    for (Size step = 0; step < c.steps && status.ok(); ++step) {
        auto const wanted = data_for(c, step);
        Bytes mine(wanted.size(), std::byte{0});
        status = ours.step(step, mine.data());
        Bytes expected(wanted.size(), std::byte{0});
        copy_typed(c, wanted, expected);
        int wrong = status.ok() && mine != expected ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (wrong != 0 && status.ok()) status = {Code::internal, "read back other bytes than were written"};
    }
    ours.plan.reset();
    return first_failure(status, file->close());
}

// Every rank reads a stretch of its own choice, overlapping with others and beyond the end.
Status read_stretch(Case const& c, std::string const& path) {
    auto const whole = load(path);
    auto const size = static_cast<Size>(whole.size());
    Dice own{c.seed * 77 + static_cast<std::uint64_t>(rank_of(MPI_COMM_WORLD))};
    Extent const extent{own.roll(0, size), own.roll(0, 30000)};
    auto const expected = std::clamp<Size>(size - extent.offset, 0, extent.length);
    Bytes mine(static_cast<std::size_t>(extent.length), std::byte{0x55});
    Segment const segment{mine.data(), extent.length};
    auto file = open_ours(c, path);
    if (!file) return file.status();
    auto const got = file->read_all(Pieces{{&extent, 1}, {&segment, 1}});
    auto right = got && *got == expected;
    for (Size i = 0; i < extent.length && right; ++i) {
        auto const wanted = i < expected ? whole[static_cast<std::size_t>(extent.offset + i)] : std::byte{0x55};
        right = mine[static_cast<std::size_t>(i)] == wanted;
    }
    auto status = got.status();
    if (status.ok() && !right) status = {Code::internal, "a stretch was read wrongly"};
    return first_failure(status, file->close());
}

bool same_everywhere(bool right) {
    int verdict = right ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &verdict, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return verdict == 1;
}

// Collective. MPI leaves open what stands in holes behind the old end of the file, and ROMIO and OMPIO leave there whatever
// was in their buffers. Written once more over zeros, the MPI's own I/O shows which bytes were written at all: those must be the
// same, and ours must have left the others alone.
bool same_where_written(Case const& c, Files const& files, Size span) {
    auto const first = rank_of(MPI_COMM_WORLD) == 0;
    auto const native = load(files.native);
    if (first) {
        prepare(c, files.mask);
        if (truncate(files.mask.c_str(), static_cast<off_t>(native.size())) != 0) std::abort();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    write_natively(c, files.mask, span);
    MPI_Barrier(MPI_COMM_WORLD);
    return !first || load(files.mask) == load_ours(c, files.ours);
}

// Collective.
bool same_files(Case const& c, Files const& files, Size span) {
    auto const first = rank_of(MPI_COMM_WORLD) == 0;
    return same_everywhere(!first || load(files.native) == load_ours(c, files.ours)) ||
           same_where_written(c, files, span);
}

bool run_case(Options const& options, std::uint64_t seed) {
    auto c = make_case(seed, MPI_COMM_WORLD);
    if (options.exchange) c.force_exchange(seed);
    c.widen_windows(options.least_window);
    auto const first = rank_of(MPI_COMM_WORLD) == 0;
    auto const files = files_of(options);
    auto const& [native, ours, mask] = files;
    if (first) {
        prepare(c, native);
        prepare_ours(c, ours);
        if (options.verbose) std::printf("%s\n", c.text().c_str());
        std::fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    auto const span = step_span(c);
    write_natively(c, native, span);
    auto const drop_in = options.drop_in && !c.by_extents() && !c.in_pieces();  // which no view can say
    auto status = drop_in ? write_by_drop_in(c, ours, span) : write_by_us(c, ours, span);
    MPI_Barrier(MPI_COMM_WORLD);
    auto same = same_everywhere(status.ok()) && same_files(c, files, span);
    if (status.ok() && !same) status = {Code::internal, "the files differ"};
    if (same_everywhere(same)) {
        status = drop_in ? read_by_drop_in(c, native, span) : read_by_us(c, c.in_pieces() ? ours : native, span);
        if (same_everywhere(status.ok()))
            status = drop_in ? read_stretch_by_drop_in(c, native) : read_stretch(c, native);
        same = status.ok();
    }
    auto const all = same_everywhere(same);
    if (!same)
        std::printf("MISMATCH on rank %d: %s\n  %s\n", rank_of(MPI_COMM_WORLD), status.text().c_str(),
                    c.text().c_str());
    std::fflush(stdout);
    return all;
}

Options parse(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        std::string const word = words[i];
        if (word == "--verbose") options.verbose = true;
        if (word == "--drop-in") options.drop_in = true;
        if (word == "--exchange") options.exchange = true;
        if (i + 1 == count) break;
        if (word == "--seed")
            options.seed = std::strtoull(words[++i], nullptr, 10);
        else if (word == "--cases")
            options.cases = std::strtol(words[++i], nullptr, 10);
        else if (word == "--least-window")
            options.least_window = std::strtoll(words[++i], nullptr, 10);
        else if (word == "--directory")
            options.directory = words[++i];
    }
    long unique = static_cast<long>(getpid());
    MPI_Bcast(&unique, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    options.run = std::to_string(unique);
    return options;
}

int run(Options const& options) {
    long failed = 0;
    long done = 0;
    for (; done < options.cases && failed < 3; ++done) {
        if (!run_case(options, options.seed + static_cast<std::uint64_t>(done))) ++failed;
    }
    if (rank_of(MPI_COMM_WORLD) == 0) {
        auto const [native, ours, mask] = files_of(options);
        prepare_ours({}, ours);
        for (auto const& path : {native, ours, mask}) unlink(path.c_str());
        int size = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        std::printf("differential: %ld cases on %d ranks from seed %llu, %ld mismatches\n", done, size,
                    static_cast<unsigned long long>(options.seed), failed);
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace muster::differential

// A test program: an exception may end it.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int count, char** words) {
    int provided = 0;
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);  // for nonblocking calls by the drop-in
    auto const result = muster::differential::run(muster::differential::parse(count, words));
    MPI_Finalize();
    return result;
}
