// Declared I/O in C: one thin wrapper per function of muster::Declared.
#include "muster/declared.hpp"

#include "c/handles.hpp"

using namespace muster;

struct muster_declared {
    Declared declared;
};

namespace {

// A rank with wrong arguments takes part with something that is refused, so that all ranks are told.
std::vector<Part> parts_of(muster_part const* parts, int64_t count) {
    if (count < 0 || (count > 0 && parts == nullptr)) return {{{{-1, 1}}}};
    std::vector<Part> made;
    for (auto const* part = parts; part != parts + count; ++part) {
        if (part->extent_count < 0 || (part->extent_count > 0 && part->extents == nullptr)) return {{{{-1, 1}}}};
        made.emplace_back();
        for (int64_t i = 0; i < part->extent_count; ++i) {
            made.back().extents.push_back({part->extents[i].offset, part->extents[i].length});
        }
    }
    return made;
}

template <class Declare>
muster_error declare(muster_file* file, muster_declared** declared, Declare const& make) {
    if (declared != nullptr) *declared = nullptr;
    return guarded(file, [&](muster_file& own) -> Status {
        auto made = make(*own.file);
        if (!made) return made.status();
        *declared = new muster_declared{std::move(*made)};
        return {};
    });
}

}  // namespace

muster_error muster_declare_write(muster_file* file, muster_part const* parts, int64_t count,
                                  muster_declared** declared) {
    auto const wanted = declared == nullptr ? -1 : count;
    return declare(file, declared, [&](File& own) { return Declared::write(own, parts_of(parts, wanted)); });
}

muster_error muster_declare_read(muster_file* file, muster_part const* parts, int64_t count,
                                 muster_declared** declared) {
    auto const wanted = declared == nullptr ? -1 : count;
    return declare(file, declared, [&](File& own) { return Declared::read(own, parts_of(parts, wanted)); });
}

muster_error muster_declared_put(muster_declared* declared, int64_t part, void const* data, int64_t from,
                                 int64_t length) {
    return guarded(declared, [&](muster_declared& own) {
        return part < 0 ? invalid_argument("parts are numbered from 0")
                        : own.declared.put(static_cast<std::size_t>(part), data, from, length);
    });
}

muster_error muster_declared_get(muster_declared* declared, int64_t part, void* data, int64_t from, int64_t length,
                                 int64_t* bytes) {
    return guarded(declared, [&](muster_declared& own) {
        if (part < 0) return invalid_argument("parts are numbered from 0");
        return deliver(own.declared.get(static_cast<std::size_t>(part), data, from, length), bytes);
    });
}

muster_error muster_declared_progress(muster_declared* declared) {
    return guarded(declared, [](muster_declared& own) {
        own.declared.progress();
        return Status{};
    });
}

muster_error muster_declared_finish(muster_declared** declared, int64_t* bytes) {
    return guarded(declared, [&](muster_declared*& handle) {
        if (handle == nullptr) return invalid_argument("the handle is NULL");
        auto const done = handle->declared.finish();
        delete std::exchange(handle, nullptr);
        return deliver(done, bytes);
    });
}
