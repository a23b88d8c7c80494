// Windows in memory that all ranks of the node see.
#pragma once

#include "engine/window_space.hpp"

namespace muster {

class SharedSpace final : public WindowSpace {
public:
    // Collective. In a tier where one was asked for, else in shared memory; kept memory is used again. The session's ranks must
    // share a node.
    static Result<std::unique_ptr<WindowSpace>> make(Session& session, Layout layout);
    // The memory is kept for the next space of this node.
    void close() override;

    void put(int domain, std::span<Placed const> pieces) override;
    void get(int domain, std::span<Placed const> pieces) override;
    std::byte* reach(int domain) const override;

    bool adds_up() const override;
    std::vector<WindowShare> add_up(std::span<WindowShare const> mine) override;
    void forget_sums() override { sums_.clear(); }

    Size rounds(int domain) override;
    void add_rounds(Size amount) override;
    Size count(int domain, Size round) override;
    // Those who sleep wake up when the count is complete.
    void add_count(int domain, Size round, Size amount) override;
    std::uint32_t look(int domain) override;
    void doze(int domain, std::uint32_t seen) override;

    std::span<std::byte> window(Size round) override;
    bool autonomous() const override { return true; }
    char const* name() const override;

private:
    struct Control;
    struct Tally;
    SharedSpace(Session& session, Layout layout, NodeMemory memory);
    static Size control_size(Layout const& layout);
    static Size head_size(Layout const& layout);
    static Size size_for(Layout const& layout);
    Control& control(int domain) const;
    Tally* tallies() const;

    Session& session_;
    NodeMemory memory_;
    std::vector<WindowShare> sums_;
};

}  // namespace muster
