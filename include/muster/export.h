// Marks what the shared library shows to programs, and to the libraries beside it; everything else stays inside.
#pragma once

#define MUSTER_API __attribute__((visibility("default")))
