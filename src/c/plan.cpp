// Plans in C: one thin wrapper per function of muster::File::Plan.
#include <memory>

#include "c/handles.hpp"

using namespace muster;

namespace {

Status deliver(Result<File::Plan> result, muster_plan** plan) {
    if (!result) return result.status();
    if (plan == nullptr) return invalid_argument("there is no place for the plan");
    *plan = new muster_plan{std::move(*result)};
    return {};
}

// Collective. Without a place for the plan, this rank takes part with an access that is refused.
template <class Make>
muster_error make_plan(muster_file* file, muster_plan** plan, Make const& make) {
    if (plan != nullptr) *plan = nullptr;
    return guarded(file, [&](muster_file& own) { return deliver(make(*own.file), plan); });
}

}  // namespace

muster_error muster_plan_write_view(muster_file* file, int64_t offset, void const* buffer, int64_t count,
                                    MPI_Datatype type, muster_plan** plan) {
    auto const wanted = plan == nullptr ? -1 : count;
    return make_plan(file, plan, [&](File& own) { return own.plan_write(buffer, wanted, type, offset); });
}

muster_error muster_plan_read_view(muster_file* file, int64_t offset, void* buffer, int64_t count, MPI_Datatype type,
                                   muster_plan** plan) {
    auto const wanted = plan == nullptr ? -1 : count;
    return make_plan(file, plan, [&](File& own) { return own.plan_read(buffer, wanted, type, offset); });
}

muster_error muster_plan_write_extents(muster_file* file, muster_pieces const* pieces, muster_plan** plan) {
    auto const wanted = plan == nullptr ? nullptr : pieces;
    return make_plan(file, plan, [&](File& own) { return own.plan_write(pieces_of(wanted)); });
}

muster_error muster_plan_read_extents(muster_file* file, muster_pieces const* pieces, muster_plan** plan) {
    auto const wanted = plan == nullptr ? nullptr : pieces;
    return make_plan(file, plan, [&](File& own) { return own.plan_read(pieces_of(wanted)); });
}

muster_error muster_plan_write_subarray(muster_file* file, muster_subarray const* block, muster_plan** plan) {
    auto const wanted = plan == nullptr ? nullptr : block;
    return make_plan(file, plan, [&](File& own) { return own.plan_write(block_of(wanted)); });
}

muster_error muster_plan_read_subarray(muster_file* file, muster_subarray const* block, muster_plan** plan) {
    auto const wanted = plan == nullptr ? nullptr : block;
    return make_plan(file, plan, [&](File& own) { return own.plan_read(block_of(wanted)); });
}

muster_error muster_plan_run_write(muster_plan* plan, void const* buffer, int64_t shift, int64_t* bytes) {
    return guarded(plan, [&](muster_plan& own) { return deliver(own.plan.write(buffer, shift), bytes); });
}

muster_error muster_plan_run_read(muster_plan* plan, void* buffer, int64_t shift, int64_t* bytes) {
    return guarded(plan, [&](muster_plan& own) { return deliver(own.plan.read(buffer, shift), bytes); });
}

muster_error muster_plan_text(muster_plan const* plan, char** text) {
    return guarded(plan, [&](muster_plan const& own) { return deliver(own.plan.text(), text); });
}

muster_error muster_plan_free(muster_plan** plan) {
    return guarded(plan, [](muster_plan*& handle) {
        delete std::exchange(handle, nullptr);
        return Status{};
    });
}
