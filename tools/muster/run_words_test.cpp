#include "run_words.hpp"

#include <gmock/gmock.h>

namespace muster::tool {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(RunWords, launchers_are_known_by_what_they_say) {
    EXPECT_EQ(recognise_launcher("mpirun", "mpirun (Open MPI) 4.1.4"), Launcher::open_mpi);
    EXPECT_EQ(recognise_launcher("mpirun.openmpi", "mpirun.openmpi (OpenRTE) 4.1.4"), Launcher::open_mpi);
    EXPECT_EQ(recognise_launcher("mpiexec", "HYDRA build details:"), Launcher::hydra);
    EXPECT_EQ(recognise_launcher("/usr/bin/srun", "slurm-wlm 22.05"), Launcher::slurm);
    EXPECT_EQ(recognise_launcher("./job.sh", ""), Launcher::unknown);
}

TEST(RunWords, open_mpi_gives_the_variables_to_the_ranks) {
    auto const command = with_variables(Launcher::open_mpi, {"mpirun", "-n", "2", "./a"}, {{"LD_PRELOAD", "m.so"}});
    EXPECT_THAT(command.words, ElementsAre("mpirun", "-x", "LD_PRELOAD=m.so", "-n", "2", "./a"));
    EXPECT_THAT(command.environment, IsEmpty());
}

TEST(RunWords, hydra_gives_the_variables_to_the_ranks) {
    auto const command = with_variables(Launcher::hydra, {"mpirun", "./a"}, {{"LD_PRELOAD", "m.so"}, {"B", "1"}});
    EXPECT_THAT(command.words, ElementsAre("mpirun", "-genv", "LD_PRELOAD", "m.so", "-genv", "B", "1", "./a"));
}

TEST(RunWords, slurm_exports_the_variables_with_all_others) {
    auto const command = with_variables(Launcher::slurm, {"srun", "./a"}, {{"LD_PRELOAD", "m.so"}, {"B", "1"}});
    EXPECT_THAT(command.words, ElementsAre("srun", "--export=ALL,LD_PRELOAD=m.so,B=1", "./a"));
}

TEST(RunWords, what_the_command_preloads_stays_behind_ours) {
    auto const open_mpi =
        with_variables(Launcher::open_mpi, {"mpirun", "-x", "LD_PRELOAD=tool.so", "./a"}, {{"LD_PRELOAD", "m.so"}});
    EXPECT_THAT(open_mpi.words, ElementsAre("mpirun", "-x", "LD_PRELOAD=m.so:tool.so", "./a"));
    auto const hydra =
        with_variables(Launcher::hydra, {"mpirun", "-genv", "LD_PRELOAD", "tool.so", "./a"}, {{"LD_PRELOAD", "m.so"}});
    EXPECT_THAT(hydra.words, ElementsAre("mpirun", "-genv", "LD_PRELOAD", "m.so:tool.so", "./a"));
}

TEST(RunWords, an_unknown_launcher_gets_the_variables_itself) {
    auto const command = with_variables(Launcher::unknown, {"./job.sh"}, {{"LD_PRELOAD", "m.so"}});
    EXPECT_THAT(command.words, ElementsAre("./job.sh"));
    EXPECT_THAT(command.environment, ElementsAre(Pair("LD_PRELOAD", "m.so")));
}

}  // namespace
}  // namespace muster::tool
