// Who has how many bytes in which file domain: the matrix C of topology-aware two-phase I/O.
#pragma once

#include <span>
#include <vector>

#include "core/shape.hpp"
#include "machine/machine.hpp"
#include "plan/domains.hpp"

namespace muster {

// Adds the bytes that a stream (ordered, inside the range) has in each domain.
void count_by_domain(Domains const& domains, Stream const& stream, std::span<Size> counts);

// One row for each rank, or one for each node where ranks are too many.
struct DomainBytes {
    enum class Rows { ranks, nodes };
    Rows rows{Rows::ranks};
    int row_count{0};
    int domains{0};
    std::vector<Size> bytes;  // row by row

    static DomainBytes of(Rows rows, int row_count, int domains);
    std::span<Size> row(int index) { return {bytes.data() + start(index), static_cast<std::size_t>(domains)}; }
    std::span<Size const> row(int index) const {
        return {bytes.data() + start(index), static_cast<std::size_t>(domains)};
    }
    Size at(int index, int domain) const { return bytes[start(index) + static_cast<std::size_t>(domain)]; }
    DomainBytes by_node(Machine const& machine) const;

private:
    std::size_t start(int index) const { return static_cast<std::size_t>(index) * static_cast<std::size_t>(domains); }
};

}  // namespace muster
