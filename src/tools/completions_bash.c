// The script for bash: a case for each command, which says what its options and arguments are; one
// piece of code behind them looks up what fits.
#include "completions.h"

#include <stdio.h>

static const char start[] =
    "# What bash completes of contra; made by `contra completions bash`.\n"
    "_contra()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local option=$prev joined= prefix= needs= words= arguments= options= endings= file= "
    "ending\n"
    "    COMPREPLY=()\n"
    "    # Words are broken at `=`, unless COMP_WORDBREAKS was changed: `--emit=js` is three.\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur= joined=1\n"
    "    elif [[ $prev == = ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]} joined=1\n"
    "    elif [[ $cur == -*=* ]]; then\n"
    "        option=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=} joined=1\n"
    "    fi\n";

static const char end[] =
    "    if [[ $needs ]]; then\n"
    "        : # the value of an option\n"
    "    elif [[ $joined ]]; then\n"
    "        file=1 # --in NAME=FILE\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        words=$options\n"
    "    else\n"
    "        words=$arguments file=$endings\n"
    "    fi\n"
    "    if [[ $needs == list && $cur == *,* ]]; then\n"
    "        prefix+=${cur%,*}, cur=${cur##*,}\n"
    "    fi\n"
    "    COMPREPLY=($(compgen -P \"$prefix\" -W \"$words\" -- \"$cur\"))\n"
    "    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then\n"
    "        compopt -o nospace 2>/dev/null\n"
    "    fi\n"
    "    if [[ $file ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        [[ $needs || $joined ]] && endings=.\n"
    "        for ending in $endings; do\n"
    "            local IFS=$'\\n'\n"
    "            COMPREPLY+=($(compgen -P \"$prefix\" -f -X \"!*${ending%.}\" -- \"$cur\"))\n"
    "        done\n"
    "        [[ $needs || $joined ]] || COMPREPLY+=($(compgen -d -- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -F _contra contra";

static void put_list(const char *name, CliWord *word)
{
    const char *text, *what;
    printf("%s='", name);
    for (int64_t i = 0; (text = word(i, &what)); i++)
        printf("%s%s", i ? " " : "", text);
    fputs("'", stdout);
}

// "--rules) needs=1 words='all reference' ;;"
static void put_value(const Option *option)
{
    const Spelling *spelling = &option->spelling;
    if (spelling->need == VALUE_NONE)
        return;
    fputs("        ", stdout);
    if (spelling->letter)
        printf("-%c|", spelling->letter);
    printf("--%s) needs=%s", spelling->name,
           option->is_group                   ? "list"
           : spelling->need == VALUE_OPTIONAL ? "$joined" // otherwise what follows is no value
                                              : "1");
    if (option->is_file)
        fputs(" file=1", stdout);
    if (option->is_group)
        put_list(" words", completions_group);
    for (int i = 0; i < option->word_count; i++)
        printf("%s%s", i ? " " : " words='", option->words[i].name);
    puts(option->word_count ? "' ;;" : " ;;");
}

static void put_command(const Command *command)
{
    OptionList list;
    options_of(command, &list);
    printf("    %s)\n        options='", command->name);
    for (int i = 0; i < list.count; i++) {
        const Spelling *spelling = &list.items[i].spelling;
        bool is_joined = spelling->need == VALUE_NEEDED && spelling->is_joined;
        printf("%s--%s%s", i ? " " : "", spelling->name, is_joined ? "=" : "");
    }
    puts("'");
    if (command->endings)
        printf("        endings='%s'\n", command->endings);
    if (command->word) {
        put_list("        arguments", command->word);
        putchar('\n');
    }
    puts("        case $option in");
    for (int i = 0; i < list.count; i++)
        put_value(&list.items[i]);
    puts("        esac\n        ;;");
}

void completions_bash(void)
{
    const Command *command;
    fputs(start, stdout);
    puts("    local command=${COMP_WORDS[1]}\n"
         "    ((COMP_CWORD > 1)) || command=\n"
         "    case $command in\n"
         "    '')");
    put_list("        arguments", cli_tool.word);
    puts("\n        arguments+=' help version' options='--help --version'\n"
         "        ;;\n"
         "    help)");
    put_list("        arguments", cli_tool.word);
    puts(" options=--man\n        ;;");
    for (int64_t i = 0; (command = cli_command(i)); i++)
        put_command(command);
    puts("    esac");
    puts(end);
}
