#include "hdf5/attached.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "engine/context.hpp"
#include "hdf5/handle.hpp"
#include "hdf5/same_file.hpp"
#include "mpi/info.hpp"

namespace muster::hdf5 {

namespace {

using Files = std::vector<std::unique_ptr<Attached>>;

// Never destroyed: at the end of the program MPI is gone.
Files& files() {
    static auto* const all = new Files;
    return *all;
}

// Communicators are kept for good, one for each group of ranks that ever opened a file, because nobody tells when HDF5
// closes one. Programs write thousands of files, but by few groups.
std::vector<MPI_Comm>& communicators() {
    static auto* const all = new std::vector<MPI_Comm>;
    return *all;
}

bool same_ranks(MPI_Comm left, MPI_Comm right) {
    int outcome = MPI_UNEQUAL;
    MPI_Comm_compare(left, right, &outcome);
    return outcome == MPI_IDENT || outcome == MPI_CONGRUENT;
}

// Collective. Takes over a duplicate; a communicator of the same ranks that is there already serves as well.
MPI_Comm keep(MPI_Comm duplicate) {
    auto& known = communicators();
    auto const found =
        std::find_if(known.begin(), known.end(), [&](MPI_Comm comm) { return same_ranks(comm, duplicate); });
    if (found == known.end()) return known.emplace_back(duplicate);
    MPI_Comm_free(&duplicate);
    return *found;
}

std::string name_of_file(hid_t object) {
    auto const length = H5Fget_name(object, nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length), '\0');
    H5Fget_name(object, name.data(), name.size() + 1);
    return name;
}

std::set<unsigned long> open_files() {
    constexpr unsigned kinds = H5F_OBJ_FILE | H5F_OBJ_DATASET | H5F_OBJ_GROUP;
    auto const count = H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), kinds);
    std::vector<hid_t> objects(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    H5Fget_obj_ids(static_cast<hid_t>(H5F_OBJ_ALL), kinds, objects.size(), objects.data());
    std::set<unsigned long> numbers;
    for (auto const object : objects) {
        if (auto const number = file_number(object); number) numbers.insert(*number);
    }
    return numbers;
}

constexpr std::size_t most_closed = 32;  // that nobody has looked for; they hold no more than a name

// What belongs to files that HDF5 has closed is of no use any more. Local: their descriptors are closed.
void forget_closed() {
    auto const open = open_files();
    std::erase_if(files(), [&](auto const& file) { return !open.contains(file->number); });
}

// Local. The MPI's own handle; nothing where the file is not open in parallel, or by a driver that this cannot tell.
std::optional<MPI_File> mpi_file(hid_t file) {
#if H5_VERSION_GE(1, 13, 0)  // has drivers that use MPI and are not the MPI-IO driver
    (void)file;
    return std::nullopt;
#else
    Quiet const quiet;
    hbool_t atomic = 0;
    void* handle = nullptr;
    if (H5Fget_mpi_atomicity(file, &atomic) < 0) return std::nullopt;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return std::nullopt;
    return *static_cast<MPI_File*>(handle);
#endif
}

bool consists_of(MPI_Comm comm, MPI_Group ranks) {
    MPI_Group group = MPI_GROUP_NULL;
    int outcome = MPI_UNEQUAL;
    MPI_Comm_group(comm, &group);
    MPI_Group_compare(group, ranks, &outcome);
    MPI_Group_free(&group);
    return outcome == MPI_IDENT;
}

// Collective. Some rank has open what the file's name leads to: not all of them need to, for MPI.
bool is_where_it_was(Attached const& file) {
    std::array<Size, Quorum::votes> votes{has_open(file.path) ? 1 : 0};
    quorum_of(file.comm).vote(votes, Quorum::votes);
    return votes[0] != 0;
}

// Collective where the file is open in parallel: HDF5 hands out duplicates.
void look_at_driver(Attached& attached, hid_t file) {
    Handle const plist{H5Fget_access_plist(file), H5Pclose};
    if (H5Pget_driver(plist) != H5FD_MPIO) return;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    if (H5Pget_fapl_mpio(plist, &comm, &info) < 0) return;
    attached.hints = pairs_of(info);
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    attached.comm = keep(comm);
}

}  // namespace

Result<unsigned long> file_number(hid_t object) {
    Quiet const quiet;
    ObjectInfo info{};
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) >= 0) return info.fileno;
    return Status{Code::invalid_argument, "an identifier that belongs to no file"};
}

Attached* find_attached(unsigned long number) {
    auto const found =
        std::find_if(files().begin(), files().end(), [&](auto const& file) { return file->number == number; });
    return found == files().end() ? nullptr : found->get();
}

bool has_user_block(Attached& file, hid_t object) {
    if (!file.user_block) {
        Handle const own{H5Iget_file_id(object), H5Fclose};
        Handle const plist{H5Fget_create_plist(own), H5Pclose};
        hsize_t bytes = 0;
        H5Pget_userblock(plist, &bytes);
        file.user_block = bytes > 0;
    }
    return *file.user_block;
}

Attached* only_attached() {
    forget_closed();
    Attached* only = nullptr;
    for (auto const& file : files()) {
        if (file->comm == MPI_COMM_NULL) continue;
        if (only != nullptr) return nullptr;
        only = file.get();
    }
    return only;
}

Result<Attached*> attach(hid_t object) {
    auto const number = file_number(object);
    if (!number) return number.status();
    if (auto* const known = find_attached(*number); known != nullptr) return known;
    if (files().size() > most_closed) forget_closed();
    auto attached = std::make_unique<Attached>();
    attached->number = *number;
    attached->path = attached->report.file = name_of_file(object);
    Handle const file{H5Iget_file_id(object), H5Fclose};
    unsigned intent = H5F_ACC_RDONLY;
    H5Fget_intent(file, &intent);
    attached->writable = (intent & H5F_ACC_RDWR) != 0;
    return files().emplace_back(std::move(attached)).get();
}

void recognise_ranks(Attached& file, hid_t object) {
    if (file.asked || file.comm != MPI_COMM_NULL) return;
    file.handle = mpi_file(Handle{H5Iget_file_id(object), H5Fclose});
    if (!file.handle) return;
    MPI_Group ranks = MPI_GROUP_NULL;
    MPI_File_get_group(*file.handle, &ranks);
    for (auto const comm : communicators()) {
        if (file.comm == MPI_COMM_NULL && consists_of(comm, ranks)) file.comm = comm;
    }
    MPI_Group_free(&ranks);
}

void ask_for_ranks(Attached& file, hid_t object) {
    if (file.asked) return;
    file.asked = true;
    forget_closed();
    Handle const own{H5Iget_file_id(object), H5Fclose};
    look_at_driver(file, own);
    file.handle = mpi_file(own);
}

void reach(Attached& file, hid_t object) {
    if (file.tried) return;
    file.tried = true;
    ask_for_ranks(file, object);
    if (file.comm == MPI_COMM_NULL) return;
    if (!is_where_it_was(file)) {
        file.unreachable = {Code::not_found, "its name leads elsewhere by now"};
        return;
    }
    auto const mode = file.writable ? AccessMode::read_write : AccessMode::read;
    auto session = Session::open(file.comm, {file.path, {mode}, {}, file.hints, false});
    file.unreachable = session.status();
    if (session) file.session = std::move(*session);
}

Status release(Attached& file) {
    auto status = file.session ? file.session->close() : Status{};
    std::erase_if(files(), [&](auto const& known) { return known.get() == &file; });
    return status;
}

}  // namespace muster::hdf5
