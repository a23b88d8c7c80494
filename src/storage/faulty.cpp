#include "storage/faulty.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <optional>
#include <thread>

namespace muster {

namespace {

constexpr std::array<char const*, operation_count> operation_names{"open", "read",   "write",   "lock", "unlock",
                                                                   "size", "resize", "reserve", "sync", "close"};

struct ErrorName {
    std::string_view name;
    int error;
};
constexpr ErrorName error_names[] = {
    {"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"EBADF", EBADF},           {"EDEADLK", EDEADLK}, {"EDQUOT", EDQUOT},
    {"EEXIST", EEXIST}, {"EFBIG", EFBIG},   {"EINVAL", EINVAL},         {"EIO", EIO},         {"EISDIR", EISDIR},
    {"ENOENT", ENOENT}, {"ENOLCK", ENOLCK}, {"ENOMEM", ENOMEM},         {"ENOSPC", ENOSPC},   {"ENOSYS", ENOSYS},
    {"EPERM", EPERM},   {"EROFS", EROFS},   {"EOPNOTSUPP", EOPNOTSUPP}, {"ESTALE", ESTALE},   {"ETIMEDOUT", ETIMEDOUT},
};

// --- reading the plan ---

// Cuts the text at the first `mark`: what is before it is returned, what is behind it is left. Nothing without a mark.
std::optional<std::string_view> cut_before(std::string_view& text, char mark) {
    auto const at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    auto const before = text.substr(0, at);
    text.remove_prefix(at + 1);
    return before;
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
    auto const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end && number >= 0;
}

bool parse_operation(std::string_view text, Operation& operation) {
    auto const found = std::ranges::find(operation_names, text);
    operation = static_cast<Operation>(found - operation_names.begin());
    return found != operation_names.end();
}

bool parse_call(std::string_view text, Size& call) {
    call = Fault::every_call;
    return text == "*" || (parse_number(text, call) && call > 0);
}

bool parse_rank(std::string_view text, Rank& rank) {
    rank = Fault::every_rank;
    return text == "*" || parse_number(text, rank);
}

bool parse_delay(std::string_view text, Fault& fault) {
    Size milliseconds = 0;
    fault.kind = Fault::Kind::delay;
    if (!parse_number(text, milliseconds)) return false;
    fault.delay = std::chrono::milliseconds{milliseconds};
    return true;
}

bool parse_error_name(std::string_view text, Fault& fault) {
    auto const found = std::ranges::find(error_names, text, &ErrorName::name);
    if (found == std::end(error_names)) return false;
    fault.error = found->error;
    return true;
}

bool parse_effect(std::string_view text, Fault& fault) {
    constexpr std::string_view delay = "delay=";
    if (text.starts_with(delay)) return parse_delay(text.substr(delay.size()), fault);
    if (text != "short") return parse_error_name(text, fault);
    fault.kind = Fault::Kind::short_transfer;
    return fault.operation == Operation::read || fault.operation == Operation::write;
}

std::optional<Fault> parse_fault(std::string_view text) {
    Fault fault;
    auto const operation = cut_before(text, ':');
    auto const call = cut_before(text, ':');
    auto const effect = cut_before(text, '@');
    if (!operation || !call || !effect) return std::nullopt;
    bool const good = parse_operation(*operation, fault.operation) && parse_call(*call, fault.call) &&
                      parse_effect(*effect, fault) && parse_rank(text, fault.rank);
    return good ? std::optional{fault} : std::nullopt;
}

// --- making it happen ---

bool concerns(Fault const& fault, Rank rank) { return fault.rank == Fault::every_rank || fault.rank == rank; }

struct Effect {
    Status status;
    bool short_transfer{false};
};

// Delays happen here.
Effect effect_of(std::vector<Fault> const& faults, Operation operation, Size call) {
    Effect effect;
    for (auto const& fault : faults) {
        if (fault.operation != operation || (fault.call != Fault::every_call && fault.call != call)) continue;
        std::this_thread::sleep_for(fault.delay);
        effect.short_transfer |= fault.kind == Fault::Kind::short_transfer;
        if (fault.kind != Fault::Kind::error || !effect.status.ok()) continue;
        effect.status = system_status(
            fault.error, std::string{"injected fault in "} + name_of(operation) + " call " + std::to_string(call));
    }
    return effect;
}

template <class Bytes>
Bytes half_of(Bytes bytes) {
    return bytes.first(bytes.size() - bytes.size() / 2);
}

class FaultyStorage final : public Storage {
public:
    FaultyStorage(std::unique_ptr<Storage> inner, std::vector<Fault> faults)
        : inner_{std::move(inner)}, faults_{std::move(faults)} {}

    Result<Size> read_at(Offset offset, std::span<std::byte> into) override {
        auto const effect = next(Operation::read);
        if (!effect.status.ok()) return effect.status;
        return inner_->read_at(offset, effect.short_transfer ? half_of(into) : into);
    }
    Result<Size> write_at(Offset offset, std::span<std::byte const> from) override {
        auto const effect = next(Operation::write);
        if (!effect.status.ok()) return effect.status;
        return inner_->write_at(offset, effect.short_transfer ? half_of(from) : from);
    }
    Status lock(Extent extent) override {
        return unless_failing(Operation::lock, [&] { return inner_->lock(extent); });
    }
    Status unlock(Extent extent) override {
        return unless_failing(Operation::unlock, [&] { return inner_->unlock(extent); });
    }
    void share(Extent extent) override { inner_->share(extent); }
    void end_sharing(Extent extent) override { inner_->end_sharing(extent); }
    Result<Size> size() override {
        auto const effect = next(Operation::size);
        return effect.status.ok() ? inner_->size() : effect.status;
    }
    Status resize(Size size) override {
        return unless_failing(Operation::resize, [&] { return inner_->resize(size); });
    }
    Status reserve(Size size) override {
        return unless_failing(Operation::reserve, [&] { return inner_->reserve(size); });
    }
    Status sync() override {
        return unless_failing(Operation::sync, [&] { return inner_->sync(); });
    }
    Status close() override {
        return unless_failing(Operation::close, [&] { return inner_->close(); });
    }
    bool readable() const override { return inner_->readable(); }
    bool one_writer() override { return inner_->one_writer(); }
    Result<FileState> state() override { return inner_->state(); }
    Status mark_moved(bool moved) override { return inner_->mark_moved(moved); }
    std::vector<std::string> notes() const override { return inner_->notes(); }

private:
    Effect next(Operation operation) {
        auto const call = ++calls_[static_cast<std::size_t>(operation)];
        return effect_of(faults_, operation, call);
    }

    template <class Call>
    Status unless_failing(Operation operation, Call call) {
        auto const effect = next(operation);
        return effect.status.ok() ? call() : effect.status;
    }

    std::unique_ptr<Storage> inner_;
    std::vector<Fault> faults_;
    std::array<std::atomic<Size>, operation_count> calls_{};
};

}  // namespace

char const* name_of(Operation operation) { return operation_names[static_cast<std::size_t>(operation)]; }

Result<std::vector<Fault>> parse_faults(std::string_view text) {
    std::vector<Fault> faults;
    while (!text.empty()) {
        auto const one = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        auto const fault = parse_fault(one);
        if (!fault)
            return Status{Code::invalid_hint, "not a fault: \"" + std::string{one} +
                                                  "\"; write operation:call:what@rank, for example write:3:ENOSPC@2"};
        faults.push_back(*fault);
    }
    return faults;
}

std::unique_ptr<Storage> inject_faults(std::unique_ptr<Storage> inner, std::vector<Fault> faults, Rank rank) {
    std::erase_if(faults, [&](Fault const& fault) { return !concerns(fault, rank); });
    if (faults.empty()) return inner;
    return std::make_unique<FaultyStorage>(std::move(inner), std::move(faults));
}

Status open_fault(std::vector<Fault> const& faults, Rank rank, Size call) {
    std::vector<Fault> mine;
    std::ranges::copy_if(faults, std::back_inserter(mine), [&](Fault const& fault) { return concerns(fault, rank); });
    return effect_of(mine, Operation::open, call).status;
}

}  // namespace muster
