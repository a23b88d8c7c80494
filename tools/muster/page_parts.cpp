#include "page_parts.hpp"

// MUSTER_PAGE is the directory; the build compiles this again when a file in it changes.
#define MUSTER_PAGE_PART(name, file)                                                                               \
    __asm__(".pushsection .rodata\n.global muster_page_" #name "\nmuster_page_" #name ":\n.incbin \"" MUSTER_PAGE  \
            "/" file "\"\n.global muster_page_" #name "_end\nmuster_page_" #name "_end:\n.byte 0\n.popsection\n"); \
    extern "C" char const muster_page_##name[];                                                                    \
    extern "C" char const muster_page_##name##_end[];                                                              \
    std::string_view muster::tool::page_##name() {                                                                 \
        return {muster_page_##name, static_cast<std::size_t>(muster_page_##name##_end - muster_page_##name)};      \
    }

MUSTER_PAGE_PART(frame, "page.html")
MUSTER_PAGE_PART(style, "page.css")
MUSTER_PAGE_PART(code, "page.js")
MUSTER_PAGE_PART(chart, "chart.umd.min.js")
