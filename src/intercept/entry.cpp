// What programs find instead of the MPI's own functions. This library must not need an MPI itself: it is preloaded into every
// process that a job starts, and only the program knows which MPI is the right one. It looks who is there, and brings in the
// library that does the work.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "intercept/calls.hpp"
#include "muster/export.h"

namespace muster {

namespace {

thread_local int depth = 0;

int* depth_of_thread() { return &depth; }

// While it lives, calls of this thread are passed on.
class Inside {
public:
    Inside() { ++depth; }
    ~Inside() { --depth; }
    Inside(Inside const&) = delete;
    Inside& operator=(Inside const&) = delete;
};

// --- who is there ---

int note_name(dl_phdr_info* object, std::size_t, void* names) {
    if (object->dlpi_name != nullptr) static_cast<std::vector<std::string>*>(names)->emplace_back(object->dlpi_name);
    return 0;
}

// An MPI that was loaded by an extension of an interpreter is seen by that extension only.
void* hidden_mpi() {
    std::vector<std::string> names;
    dl_iterate_phdr(note_name, &names);
    for (auto const& name : names) {
        if (name.find("libmp") == name.npos) continue;
        auto* const handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (handle != nullptr && dlsym(handle, "PMPI_Init") != nullptr) return handle;
    }
    return nullptr;
}

void* find(std::string const& name) {
    if (auto* const next = dlsym(RTLD_NEXT, name.c_str()); next != nullptr) return next;
    static void* const hidden = hidden_mpi();
    return hidden != nullptr ? dlsym(hidden, name.c_str()) : nullptr;
}

template <class Function>
void find_into(Function*& pointer, std::string const& name) {
    pointer = reinterpret_cast<Function*>(find(name));
}

Calls find_calls(std::string const& prefix) {
    Calls calls;
#define MUSTER_FIND(name, parameters, arguments) find_into(calls.name, prefix + "File_" #name);
    MUSTER_CALLS(MUSTER_FIND)
#undef MUSTER_FIND
    return calls;
}

// The MPI's own functions: those that a tool below us may have replaced, and those that nobody replaces.
Calls const& native_calls() {
    static Calls const calls = find_calls("MPI_");
    return calls;
}
Calls const& profiled_calls() {
    static Calls const calls = find_calls("PMPI_");
    return calls;
}

// --- whether to work at all ---

#ifdef OPEN_MPI
constexpr bool made_for_open_mpi = true;
#else
constexpr bool made_for_open_mpi = false;
#endif

std::string library_version() {
    int (*version)(char*, int*) = nullptr;
    find_into(version, "MPI_Get_library_version");
    if (version == nullptr) return {};
    std::string text(std::size_t{1} << 16, '\0');  // another MPI fills more than this one's header says
    int length = 0;
    version(text.data(), &length);
    return text.substr(0, static_cast<std::size_t>(length));
}

// Where the launcher says which rank this is, only the first one speaks.
bool speaks() {
    for (auto const* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        if (auto const rank = environment_variable(name); rank) return *rank == "0";
    }
    return true;
}

void complain(std::string const& what) {
    if (speaks()) std::fprintf(stderr, "muster: %s; switched off\n", what.c_str());
}

bool right_mpi() {
    auto const version = library_version();
    auto const is_open_mpi = version.find("Open MPI") != version.npos;
    if (is_open_mpi == made_for_open_mpi) return true;
    complain(std::string{"this library is made for "} + (made_for_open_mpi ? "Open MPI" : "MPICH") +
             ", but the program runs on " + version.substr(0, version.find_first_of(",\n")));
    return false;
}

bool switched_on() {
    auto const value = environment_variable("MUSTER_ENABLE");
    return !value || !is_off(*value);
}

// --- the library that does the work ---

std::string path_of_worker() {
    Dl_info self{};
    dladdr(reinterpret_cast<void*>(&depth_of_thread), &self);
    if (self.dli_fname == nullptr) return MUSTER_WORKER;
    std::error_code failure;
    auto const path = std::filesystem::canonical(self.dli_fname, failure);  // it may have been found by its other name
    return failure ? MUSTER_WORKER : path.parent_path() / MUSTER_WORKER;
}

Above const* meet_worker() {
    auto const path = path_of_worker();
    auto* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        complain(std::string{"cannot load the library behind it: "} + dlerror());
        return nullptr;
    }
    static Below const below{native_calls(), depth_of_thread};
    auto const meet = reinterpret_cast<Meet>(dlsym(library, meeting_name));
    return meet != nullptr ? meet(&below) : nullptr;
}

Above const* find_above() {
    Inside const inside;
    return switched_on() && right_mpi() ? meet_worker() : nullptr;
}

// Null: switched off.
Above const* above() {
    static Above const* const found = find_above();
    return found;
}

// For a call from outside ours; from inside, or switched off, those that lie below the entry point.
Calls const& calls(Calls const& (*below)()) {
    if (depth > 0) return profiled_calls();
    auto const* const ours = above();
    return ours != nullptr ? ours->calls : below();
}

// What any argument of these functions fits in: handles are numbers in one MPI and pointers in the other. Words go through
// unharmed, whichever MPI they were meant for; no function has more than six.
using Word = std::uintptr_t;
using AnyCall = int (*)(Word, Word, Word, Word, Word, Word);

template <class Function>
AnyCall any_call(Function* function) {
    return reinterpret_cast<AnyCall>(reinterpret_cast<void*>(function));
}

// --- starting MPI ---

// The level of threads that nonblocking collective access needs, where the user wants it.
int wanted_threads(int asked) {
    auto const wanted = environment_variable("MUSTER_THREADS");
    return wanted && *wanted == "1" && switched_on() ? MPI_THREAD_MULTIPLE : asked;
}

int start(int* count, char*** words, int asked, int* provided, std::string const& prefix) {
    int (*init)(int*, char***, int, int*) = nullptr;
    find_into(init, prefix + "Init_thread");
    auto const outermost = depth == 0;
    int error = MPI_SUCCESS;
    {
        Inside const inside;
        error = init(count, words, wanted_threads(asked), provided);
    }
    if (outermost && error == MPI_SUCCESS && above() != nullptr) above()->started();
    return error;
}

int start_single(int* count, char*** words, std::string const& prefix) {
    if (wanted_threads(MPI_THREAD_SINGLE) != MPI_THREAD_SINGLE) {
        int provided = MPI_THREAD_SINGLE;
        return start(count, words, MPI_THREAD_SINGLE, &provided, prefix);
    }
    int (*init)(int*, char***) = nullptr;
    find_into(init, prefix + "Init");
    auto const outermost = depth == 0;
    int error = MPI_SUCCESS;
    {
        Inside const inside;
        error = init(count, words);
    }
    if (outermost && error == MPI_SUCCESS && above() != nullptr) above()->started();
    return error;
}

}  // namespace

}  // namespace muster

extern "C" {

// Under other names in here, because the MPI's header declares them with the types of its own MPI.
#define MUSTER_ENTRY_NAMED(symbol, name, below)                                                          \
    MUSTER_API int muster_##symbol(muster::Word, muster::Word, muster::Word, muster::Word, muster::Word, \
                                   muster::Word) __asm__(#symbol);                                       \
    int muster_##symbol(muster::Word a, muster::Word b, muster::Word c, muster::Word d, muster::Word e,  \
                        muster::Word f) {                                                                \
        return muster::any_call(muster::calls(below).name)(a, b, c, d, e, f);                            \
    }
#define MUSTER_ENTRY(name, parameters, arguments)                   \
    MUSTER_ENTRY_NAMED(MPI_File_##name, name, muster::native_calls) \
    MUSTER_ENTRY_NAMED(PMPI_File_##name, name, muster::profiled_calls)
MUSTER_CALLS(MUSTER_ENTRY)
#undef MUSTER_ENTRY
#undef MUSTER_ENTRY_NAMED

MUSTER_API int MPI_Init(int* count, char*** words) { return muster::start_single(count, words, "MPI_"); }
MUSTER_API int PMPI_Init(int* count, char*** words) { return muster::start_single(count, words, "PMPI_"); }
MUSTER_API int MPI_Init_thread(int* count, char*** words, int asked, int* provided) {
    return muster::start(count, words, asked, provided, "MPI_");
}
MUSTER_API int PMPI_Init_thread(int* count, char*** words, int asked, int* provided) {
    return muster::start(count, words, asked, provided, "PMPI_");
}
}
