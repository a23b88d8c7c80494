#include "engine/quorum.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

#include "mpi/agree.hpp"

namespace muster {

namespace {

// The ballots travel with the number of maxima in front, because an MPI operation sees nothing else.
constexpr std::size_t message_size = 1 + Quorum::votes;

void combine_into(Size* into, Size const* from, std::size_t maxima) {
    for (std::size_t i = 0; i < maxima; ++i) into[i] = std::max(into[i], from[i]);
    for (std::size_t i = maxima; i < Quorum::votes; ++i) into[i] += from[i];
}

void combine(void* in, void* inout, int* count, MPI_Datatype*) {
    auto const* from = static_cast<Size const*>(in);
    auto* into = static_cast<Size*>(inout);
    for (int element = 0; element < *count; ++element, from += message_size, into += message_size) {
        combine_into(into + 1, from + 1, static_cast<std::size_t>(*from));
    }
}

// The type and operation of a vote. MPI counts what is not freed, so they go when MPI does: with the attributes of self.
struct Tools {
    MPI_Datatype type{MPI_DATATYPE_NULL};
    MPI_Op operation{MPI_OP_NULL};
};

int free_tools(MPI_Comm, int, void* value, void*) {
    auto* tools = static_cast<Tools*>(value);
    MPI_Type_free(&tools->type);
    MPI_Op_free(&tools->operation);
    return MPI_SUCCESS;
}

void make_tools(Tools& tools) {
    MPI_Type_contiguous(message_size, MPI_INT64_T, &tools.type);
    MPI_Type_commit(&tools.type);
    MPI_Op_create(combine, 1, &tools.operation);
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_tools, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &tools);
    MPI_Comm_free_keyval(&key);  // stays in force until the attribute is gone
}

Tools const& voting_tools() {
    static Tools tools;
    static std::once_flag made;  // threads may come at the same time
    std::call_once(made, make_tools, std::ref(tools));
    return tools;
}

void vote_by_mpi(Comm const& comm, std::span<Size, Quorum::votes> ballots, std::size_t maxima) {
    std::array<Size, message_size> message{};
    message[0] = static_cast<Size>(maxima);
    std::copy(ballots.begin(), ballots.end(), message.begin() + 1);
    auto const& tools = voting_tools();
    reduce_all(comm, message.data(), tools.type, tools.operation);
    std::copy(message.begin() + 1, message.end(), ballots.begin());
}

void vote_on_boards(Board& board, Comm const& leaders, std::span<Size, Quorum::votes> ballots, std::size_t maxima) {
    auto const into = [=](std::span<Size> outcome, std::span<Size const> theirs) {
        combine_into(outcome.data(), theirs.data(), maxima);
    };
    if (leaders.size == 1) return board.combine(ballots, into);
    board.combine_and(ballots, into,
                      [&](std::span<Size> outcome) { vote_by_mpi(leaders, outcome.first<Quorum::votes>(), maxima); });
}

}  // namespace

void Quorum::vote(std::span<Size, votes> ballots, std::size_t maxima) const {
    if (comm_.size == 1) return;
    if (board_ != nullptr) return vote_on_boards(*board_, leaders_, ballots, maxima);
    vote_by_mpi(comm_, ballots, maxima);
}

Status Quorum::agree(Status const& mine) const {
    if (board_ == nullptr) return muster::agree(comm_, mine);
    std::array<Size, votes> ballots{};
    ballots[0] = mine.ok() ? 0 : comm_.size - comm_.rank;
    vote(ballots, 1);
    if (ballots[0] == 0) return {};
    return share_failure(comm_, mine, comm_.size - static_cast<Rank>(ballots[0]));
}

void Quorum::meet() const {
    if (board_ == nullptr) return barrier(comm_);
    if (leaders_.size == 1) return board_->meet();
    std::array<Size, votes> nothing{};
    vote(nothing, 0);
}

}  // namespace muster
