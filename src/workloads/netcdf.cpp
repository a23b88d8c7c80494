#include "workloads/netcdf.hpp"

#include <array>
#include <optional>
#include <span>

namespace muster {

namespace {

constexpr std::uint64_t dimension_tag = 10;
constexpr std::uint64_t variable_tag = 11;
constexpr std::uint64_t attribute_tag = 12;

// Bytes of a value, by type: byte, char, short, int, float, double, then unsigned and 64-bit ones of CDF-5.
Size value_size(int type) {
    constexpr std::array<Size, 12> sizes{0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type >= 1 && type <= 11 ? sizes[static_cast<std::size_t>(type)] : 0;
}

bool is_integer(int type) { return type != 2 && type != 5 && type != 6; }
bool is_signed(int type) { return type == 1 || type == 3 || type == 4 || type == 10; }

Size decode(std::span<char const> bytes, int type) {
    std::uint64_t value = is_signed(type) && static_cast<signed char>(bytes[0]) < 0 ? ~std::uint64_t{0} : 0;
    for (auto const byte : bytes) value = (value << 8) | static_cast<unsigned char>(byte);
    return static_cast<Size>(value);
}

}  // namespace

// Reads the header from the file's beginning. Whatever is wrong with it makes `broken_` true and reads on with zeros.
class NetcdfHeader {
public:
    explicit NetcdfHeader(NetcdfFile& file) : file_{file} {}

    Status read() {
        std::array<char, 4> magic{};
        file_.stream_.read(magic.data(), 4);
        version_ = static_cast<unsigned char>(magic[3]);
        if (!file_.stream_ || std::string_view{magic.data(), 3} != "CDF" ||
            (version_ != 1 && version_ != 2 && version_ != 5)) {
            return {Code::invalid_argument,
                    file_.path_ + " is not a netCDF file of the classic formats (CDF-1, -2, -5)"};
        }
        number();  // of records: maps have none
        read_dimensions();
        read_attributes(&file_.attributes_);
        read_variables();
        if (broken_) return {Code::invalid_argument, file_.path_ + " has a damaged netCDF header"};
        return {};
    }

private:
    std::uint64_t integer(int bytes) {
        std::array<char, 8> buffer{};
        if (!file_.stream_.read(buffer.data(), bytes)) {
            broken_ = true;
            return 0;
        }
        return static_cast<std::uint64_t>(decode({buffer.data(), static_cast<std::size_t>(bytes)}, 11));
    }
    // A count or length; nothing in a file can be longer than the file, but dimensions may.
    Size number() { return static_cast<Size>(integer(version_ == 5 ? 8 : 4)); }
    Size bounded() {
        auto const value = number();
        if (value >= 0 && value <= file_.size_) return value;
        broken_ = true;
        return 0;
    }

    std::string name() {
        auto const length = bounded();
        std::string text(static_cast<std::size_t>(length), ' ');
        if (!file_.stream_.read(text.data(), length)) broken_ = true;
        skip((4 - length % 4) % 4);
        return text;
    }

    void skip(Size bytes) { file_.stream_.seekg(bytes, std::ios::cur); }

    // The number of items of a list; an absent list is two zeros.
    Size list(std::uint64_t tag) {
        auto const found = integer(4);
        auto const count = bounded();
        if (found != tag && (found != 0 || count != 0)) broken_ = true;
        return broken_ ? 0 : count;
    }

    void read_dimensions() {
        for (auto left = list(dimension_tag); left > 0 && !broken_; --left) {
            name();
            dimensions_.push_back(number());
        }
    }

    void read_attributes(std::map<std::string, NetcdfValues>* into) {
        for (auto left = list(attribute_tag); left > 0 && !broken_; --left) {
            auto const key = name();
            NetcdfValues values{static_cast<int>(integer(4)), bounded(), file_.stream_.tellg()};
            auto const bytes = values.count * value_size(values.type);
            skip((bytes + 3) / 4 * 4);
            if (into != nullptr) (*into)[key] = values;
        }
    }

    void read_variables() {
        for (auto left = list(variable_tag); left > 0 && !broken_; --left) {
            auto const key = name();
            NetcdfValues values;
            values.count = element_count();
            read_attributes(nullptr);
            values.type = static_cast<int>(integer(4));
            number();  // padded size, which follows from the dimensions
            values.offset = static_cast<Offset>(integer(version_ == 1 ? 4 : 8));
            file_.variables_[key] = values;
        }
    }

    Size element_count() {
        Size count = 1;
        for (auto left = bounded(); left > 0 && !broken_; --left) {
            auto const index = static_cast<std::uint64_t>(number());
            if (index >= dimensions_.size() || __builtin_mul_overflow(count, dimensions_[index], &count))
                broken_ = true;
        }
        return count;
    }

    NetcdfFile& file_;
    int version_{0};
    bool broken_{false};
    std::vector<Size> dimensions_;
};

Result<NetcdfFile> NetcdfFile::open(std::string const& path) {
    NetcdfFile file;
    file.path_ = path;
    file.stream_.open(path, std::ios::binary | std::ios::ate);
    if (!file.stream_) return Status{Code::not_found, "cannot open " + path};
    file.size_ = file.stream_.tellg();
    file.stream_.seekg(0);
    if (auto const status = NetcdfHeader{file}.read(); !status.ok()) return status;
    return file;
}

Result<std::vector<Size>> NetcdfFile::variable(std::string const& name) {
    auto const found = variables_.find(name);
    if (found == variables_.end()) return Status{Code::not_found, path_ + " has no variable " + name};
    return read(found->second, name);
}

Result<std::vector<Size>> NetcdfFile::attribute(std::string const& name) {
    auto const found = attributes_.find(name);
    if (found == attributes_.end()) return Status{Code::not_found, path_ + " has no attribute " + name};
    return read(found->second, name);
}

Result<std::vector<Size>> NetcdfFile::read(NetcdfValues const& values, std::string const& name) {
    auto const size = value_size(values.type);
    if (size == 0 || !is_integer(values.type))
        return Status{Code::invalid_argument, path_ + ": " + name + " is no integer"};
    if (values.offset < 0 || values.offset > size_ || values.count < 0 ||
        values.count > (size_ - values.offset) / size) {
        return Status{Code::invalid_argument, path_ + " ends before the end of " + name};
    }
    std::vector<char> bytes(static_cast<std::size_t>(values.count * size));
    stream_.clear();
    stream_.seekg(values.offset);
    if (!stream_.read(bytes.data(), static_cast<Size>(bytes.size()))) return Status{Code::io, "cannot read " + path_};
    std::vector<Size> numbers;
    numbers.reserve(static_cast<std::size_t>(values.count));
    for (std::size_t i = 0; i < bytes.size(); i += static_cast<std::size_t>(size)) {
        numbers.push_back(decode({bytes.data() + i, static_cast<std::size_t>(size)}, values.type));
    }
    return numbers;
}

}  // namespace muster
