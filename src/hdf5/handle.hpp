// Identifiers of HDF5 that close themselves, and silence while HDF5 is only asked something.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace muster::hdf5 {

class Handle {
public:
    using Close = herr_t (*)(hid_t);

    Handle(hid_t id, Close close) : id_{id}, close_{close} {}
    Handle(Handle&& other) noexcept : id_{std::exchange(other.id_, H5I_INVALID_HID)}, close_{other.close_} {}
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
        if (ok()) close_(id_);
    }

    bool ok() const { return id_ >= 0; }
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    Close close_;
};

// What HDF5 tells of an object, in the form that has its address; its name has changed with version 1.12.
#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

// While it lives HDF5 prints no errors: a question that it answers with an error is an answer all the same.
class Quiet {
public:
    Quiet() {
        H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
    Quiet(Quiet const&) = delete;
    Quiet& operator=(Quiet const&) = delete;

private:
    H5E_auto2_t print_{nullptr};
    void* data_{nullptr};
};

}  // namespace muster::hdf5
