#include "lines.hpp"

#include "core/json.hpp"

namespace muster::bench {

namespace {

JsonWriter begin_line(char const* type) {
    JsonWriter json;
    json.begin_object().member("type", type);
    return json;
}

// What the MPI calls itself: "Open MPI v4.1.4", "MPICH 4.0.2".
std::string mpi_name() {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    text.resize(static_cast<std::size_t>(length));
    text = text.substr(0, text.find_first_of("\n,"));
    std::string const label = " Version:\t";
    if (auto const at = text.find(label); at != std::string::npos) text.replace(at, label.size(), " ");
    return text;
}

void add_list(JsonWriter& json, char const* name, std::vector<double> const& list) {
    json.key(name).begin_array();
    for (auto const each : list) json.value(each);
    json.end_array();
}

}  // namespace

std::string sample_line(Sample const& sample) {
    auto json = begin_line("sample");
    json.member("operation", name_of(sample.operation)).member("back_end", sample.back_end).member("run", sample.run);
    json.member("open_s", sample.open_seconds).member("close_s", sample.close_seconds);
    add_list(json, "steps_s", sample.step_seconds);
    add_list(json, "steps_cpu_s", sample.step_cpu_seconds);
    json.member("verified", sample.status.ok()).member("error", sample.status.ok() ? "" : sample.status.text());
    return json.end_object().text();
}

std::string progress_line(int done, int of, std::string const& doing) {
    return begin_line("progress").member("done", done).member("of", of).member("doing", doing).end_object().text();
}

std::string report_line(Sample const& sample, std::string const& report) {
    return "{\"type\":\"report\",\"operation\":\"" + std::string{name_of(sample.operation)} +
           "\",\"back_end\":" + json_string(sample.back_end) + ",\"report\":" + report + "}";
}

std::string job_line(Comm const& comm, Access const& access, bool in_memory) {
    auto json = begin_line("job");
    json.member("mpi", mpi_name()).member("ranks", comm.size).member("bytes", access.all_bytes);
    json.member("pieces", access.all_pieces).member("step_bytes", access.step_bytes);
    return json.member("in_memory", in_memory).end_object().text();
}

std::string end_line(bool verified, int skipped) {
    return begin_line("end").member("verified", verified).member("skipped", skipped).end_object().text();
}

std::string error_line(Status const& status) {
    return begin_line("error").member("error", status.text()).end_object().text();
}

}  // namespace muster::bench
