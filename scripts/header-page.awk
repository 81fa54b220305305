# The manual page libcontra(3) from include/contra.h: its comments are text, its declarations stand as they are.
# usage: awk -v version=V -v date=YYYY-MM-DD -f scripts/header-page.awk include/contra.h > libcontra.3

# Signs that roff would read or change are spelled out, and no line of text begins with a dot.
function spelled(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return (text ~ /^\./ ? "\\&" : "") text
}

# Which kind of lines comes now: "text", "code", or "" between paragraphs.
function become(kind)
{
    if (kind == state)
        return
    if (state == "code")
        print ".EE\n.RE"
    if (kind == "code")
        print (last == "code" ? ".sp\n" : "") ".RS 4\n.EX"
    else if (kind == "text" && !is_first)
        print ".PP"
    is_first = 0
    state = kind
    last = kind ? kind : last
}

function section(name)
{
    become("")
    print ".SH " toupper(name)
    is_first = 1
    last = ""
}

BEGIN {
    print ".TH LIBCONTRA 3 " date " \"contra " version "\" \"Contra\""
    print ".SH NAME"
    print "libcontra \\- the toolchain for the Tensor Contraction Processor, as a C library"
    print ".SH SYNOPSIS\n.nf\n#include <contra.h>\n"
    print "cc example.c $(pkg\\-config \\-\\-cflags \\-\\-libs contra)\n.fi"
    section("description")
}

# What only the compiler needs.
/^#ifndef CONTRA_H/ { is_inside = 1 }
/^#ifdef __cplusplus/ { is_skipped = 1 }
/^#endif/ { is_skipped = 0 }
/^#/ || is_skipped || goes_on { goes_on = /\\$/; next }

# A heading ends with the line, or where a sentence about the section begins.
/^\/\/ ---- / {
    heading = substr($0, 9)
    at = match(heading, /[.:] /)
    section(at ? substr(heading, 1, at - 1) : heading)
    if (at) {
        become("text")
        print spelled(toupper(substr(heading, at + 2, 1)) substr(heading, at + 3))
    }
    next
}
/^\/\/ cc example/ { next }
/^\/\/     / { become("code"); print spelled(substr($0, 8)); next }
/^\/\/$/ { become(state == "code" ? "code" : ""); if (state == "code") print ""; next }
/^\/\/ / { become("text"); print spelled(substr($0, 4)); next }
/^$/ { become(""); next }
# The function that prepares a struct, which a macro defines.
/^CONTRA_SIZED\(/ { become("code"); gsub(/CONTRA_SIZED\(|,|\).*/, ""); print spelled($0 "(void);"); next }
is_inside {
    become("code")
    taken = sub(/^CONTRA_API /, "") ? length("CONTRA_API ") : taken
    if (match($0, /^ +/) && RLENGTH > taken)
        $0 = substr($0, 1 + taken) # the lines of a declaration stay below each other
    print spelled($0)
    taken = /;/ ? 0 : taken
}

END {
    become("")
    print ".SH SEE ALSO\n.BR contra (1),\n.BR pkg\\-config (1);"
    print "c\\-api.md, the guide to the library, and abi.md in share/doc/contra, where it is installed."
}
