// Memory that the processes of a node share.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

// Made under a name nobody can guess, for this user only; the name is removed as soon as all have attached. All of it is
// backed when it is made, so that a full /dev/shm is an error then and never a signal later. Zero-filled.
class SharedMemory {
public:
    SharedMemory() = default;  // none
    static Result<SharedMemory> create(Size size);
    static Result<SharedMemory> attach(std::string const& name, Size size);
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    std::string const& name() const { return name_; }
    void remove_name();  // by its maker, once all have attached
    std::span<std::byte> bytes() const { return bytes_; }
    Size size() const { return static_cast<Size>(bytes_.size()); }
    // Makes a part of it known to this process at once. Else its first access to each page is a fault, which costs as much as
    // copying the page.
    static void settle(std::span<std::byte> part);

private:
    std::string name_;
    std::span<std::byte> bytes_;
    bool named_{false};
};

}  // namespace muster
