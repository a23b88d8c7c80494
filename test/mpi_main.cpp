// The main program of the MPI tests: every rank runs every test, rank 0 tells the story, the others only what failed.
// A test fails when it fails on any rank, and then the program fails on all of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

// The ranks running the tests, on a communicator of their own so that no test's message can meet ours.
class Ranks {
public:
    Ranks() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_rank(comm_, &mine_);
        MPI_Comm_size(comm_, &count_);
    }
    void close() { MPI_Comm_free(&comm_); }

    int mine() const { return mine_; }

    // Collective. The lowest rank on which `failed` holds, or -1.
    int lowest_failing(bool failed) const {
        int const candidate = failed ? mine_ : count_;
        int lowest = count_;
        MPI_Allreduce(&candidate, &lowest, 1, MPI_INT, MPI_MIN, comm_);
        return lowest == count_ ? -1 : lowest;
    }

    // Collective. What rank 0 has.
    int from_first(int value) const {
        MPI_Bcast(&value, 1, MPI_INT, 0, comm_);
        return value;
    }

private:
    MPI_Comm comm_{MPI_COMM_NULL};
    int mine_{0};
    int count_{1};
};

// Ends every test with a word between the ranks. Must hear of the end of a test before the printer does.
class Agreement : public testing::EmptyTestEventListener {
public:
    explicit Agreement(Ranks const& ranks) : ranks_{ranks} {}

private:
    void OnTestEnd(testing::TestInfo const& test) override {
        bool const failed_here = test.result()->Failed();
        int const rank = ranks_.lowest_failing(failed_here);
        if (rank > 0 && ranks_.mine() == 0 && !failed_here) ADD_FAILURE() << "failed on rank " << rank;
    }

    Ranks const& ranks_;
};

class FailurePrinter : public testing::EmptyTestEventListener {
public:
    explicit FailurePrinter(int rank) : prefix_{"[rank " + std::to_string(rank) + "] "} {}

private:
    void OnTestStart(testing::TestInfo const& test) override {
        name_ = std::string{test.test_suite_name()} + "." + test.name();
    }

    void OnTestPartResult(testing::TestPartResult const& part) override {
        if (!part.failed()) return;
        auto const file = part.file_name() == nullptr ? "unknown file" : part.file_name();
        std::fprintf(stderr, "%s%s failed at %s:%d: %s\n", prefix_.c_str(), name_.c_str(), file, part.line_number(),
                     part.message());
    }

    std::string prefix_;
    std::string name_{"set-up"};
};

// gtest takes ownership of listeners. Those added last hear first that a test has ended.
void listen(Ranks const& ranks) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    if (ranks.mine() != 0) {
        delete listeners.Release(listeners.default_result_printer());
        delete listeners.Release(listeners.default_xml_generator());
        listeners.Append(new FailurePrinter{ranks.mine()});
    }
    listeners.Append(new Agreement{ranks});
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    MPI_Init(&argc, &argv);
    Ranks ranks;
    GTEST_FLAG_SET(random_seed, ranks.from_first(GTEST_FLAG_GET(random_seed)));
    listen(ranks);
    bool const failed = RUN_ALL_TESTS() != 0;
    bool const failed_anywhere = ranks.lowest_failing(failed) >= 0;
    ranks.close();
    MPI_Finalize();
    return failed_anywhere ? EXIT_FAILURE : EXIT_SUCCESS;
}
