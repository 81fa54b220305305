"""The programs of a page: its blocks of C, and what they print.

A block with a `main` is a program. The other blocks of a section (from one heading to the next) are pieces of one program: those
that begin with `static` or `#include` stand before its main, the others in it, where a Contra is open as `contra` and `fail`
says what is wrong, as the first program of the page does. A block of `text` directly behind one of C is what that prints.
"""

import re
from dataclasses import dataclass, field

END = "\f"  # stands behind what a piece prints

BLOCK = re.compile(r"^```c\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)

PIECES = """#include <contra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(Contra *contra)
{
    fputs(contra_diagnostics(contra, CONTRA_PLAIN).data, stderr);
    contra_free(contra);
    return 1;
}

%s
int main(void)
{
    Contra *contra = contra_new();
    if (!contra)
        return fail(contra);
%s
    contra_free(contra);
    return 0;
}
"""


@dataclass
class Program:
    name: str  # the heading it stands under
    before: str = ""
    body: str = ""
    whole: str = ""  # instead of these two: it has a main of its own
    printed: list = field(default_factory=list)  # pieces of the page: start, end

    @property
    def source(self):
        return self.whole or PIECES % (self.before, self.body)

    def outputs(self, output):
        """What each of the blocks should hold; None: it printed something that no block is for."""
        if not self.printed:
            return []
        pieces = output.split(f"{END}\n") if not self.whole else [output, ""]
        return pieces[:-1] if len(pieces) == len(self.printed) + 1 and not pieces[-1] else None


def sections(text):
    """Headings with where their text begins and ends."""
    starts = [match for match in re.finditer(r"^## (.*)\n", text, re.MULTILINE)]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    return [(match[1], match.end(), end) for match, end in zip(starts, ends)]


def programs(text):
    found = []
    for heading, start, end in sections(text):
        pieces = Program(heading)
        for block in BLOCK.finditer(text, start, end):
            code = block[1]
            program = Program(heading, whole=code) if "int main(" in code else pieces
            if program is pieces and code.startswith(("static", "#include")):
                pieces.before += code + "\n"
            elif program is pieces:
                pieces.body += code if block[2] is None else f'{code}puts("\\{ord(END):o}");\n'
            else:
                found.append(program)
            if block[2] is not None:
                program.printed.append(block.span(2))
        if pieces.body:
            found.append(pieces)
    return found
