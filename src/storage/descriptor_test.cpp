#include "storage/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "storage/temporary_file.hpp"

namespace muster {

using test::TemporaryFile;

TEST(Descriptor, leads_to_a_file_that_has_lost_its_name) {
    TemporaryFile const file;
    auto const descriptor = ::open(file.path().c_str(), O_RDWR | O_CREAT, 0600);
    auto const inode = inode_of(file.path());
    ASSERT_NE(inode, 0);
    ::unlink(file.path().c_str());
    EXPECT_EQ(inode_of(file.path()), 0);
    auto const name = find_descriptor(file.path(), inode);
    EXPECT_EQ(inode_of(name), inode);
    ::close(descriptor);
    EXPECT_EQ(find_descriptor(file.path(), inode), "");
}

TEST(Descriptor, of_another_file_system_is_not_taken) {
    TemporaryFile const file;
    auto const descriptor = ::open(file.path().c_str(), O_RDWR | O_CREAT, 0600);
    EXPECT_EQ(find_descriptor("/proc/version", inode_of(file.path())), "");
    ::close(descriptor);
}

}  // namespace muster
