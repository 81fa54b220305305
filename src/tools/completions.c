// contra completions SHELL: the completion script of a shell, made from the tables of the commands.
#include "options.h"

#include <stdio.h>
#include <string.h>

// Group number `index` of rules, as words are given.
static const char *group_word(int64_t index, const char **what)
{
    *what = "";
    return contra_group(index);
}

// Words with blanks between them, after `before`.
static void put_joined(const char *before, CliWord *word)
{
    const char *text, *what;
    for (int64_t i = 0; (text = word(i, &what)); i++)
        printf("%s%s", i ? " " : before, text);
}

static void put_names(const Option *option)
{
    for (int i = 0; i < option->word_count; i++)
        printf("%s%s", i ? " " : "", option->words[i].name);
}

// A text inside '..', with `quote` in place of each quote and a backslash before each character of
// `special`.
static void put_escaped(const char *text, const char *quote, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(quote, stdout);
            continue;
        }
        if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

// ---- bash: a case for each command lists its options and arguments; the code after them looks up
// what fits

static const char bash_start[] =
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

static const char bash_end[] =
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
    printf("%s='", name);
    put_joined("", word);
    putchar('\'');
}

// "--rules) needs=1 words='all reference' ;;"
static void bash_value(const Option *option)
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
        put_list(" words", group_word);
    if (option->word_count) {
        fputs(" words='", stdout);
        put_names(option);
        putchar('\'');
    }
    puts(" ;;");
}

static void bash_command(const Command *command)
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
        bash_value(&list.items[i]);
    puts("        esac\n        ;;");
}

static void print_bash(void)
{
    const Command *command;
    fputs(bash_start, stdout);
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
        bash_command(command);
    puts("    esac");
    puts(bash_end);
}

// ---- fish: a line for each command, option and kind of argument

static void fish_start(const Command *command)
{
    printf("complete -c contra -n '__fish_seen_subcommand_from %s'", command->name);
}

static void fish_text(const char *text)
{
    if (!*text)
        return;
    fputs(" -d '", stdout);
    put_escaped(text, "\\'", "\\");
    fputs("'", stdout);
}

// -a "all\t'every rule' reference\t'..'"; what is in double quotes fish reads once more.
static void fish_words(const Option *option)
{
    fputs(" -a \"", stdout);
    for (int i = 0; i < option->word_count; i++) {
        printf("%s%s", i ? " " : "", option->words[i].name);
        if (!*option->words[i].text)
            continue;
        fputs("\\t'", stdout);
        put_escaped(option->words[i].text, "\\\\'", "\"$");
        putchar('\'');
    }
    putchar('"');
}

static void fish_option(const Command *command, const Option *option)
{
    static const char *const needs[] = {
        [VALUE_NONE] = "", [VALUE_NEEDED] = " -x", [VALUE_OPTIONAL] = " -f"};
    fish_start(command);
    if (option->spelling.letter)
        printf(" -s %c", option->spelling.letter);
    printf(" -l %s%s", option->spelling.name,
           option->is_file ? " -r -F" : needs[option->spelling.need]);
    if (option->word_count)
        fish_words(option);
    if (option->is_group) {
        fputs(" -a '(__fish_append ,", stdout);
        put_joined(" ", group_word);
        fputs(")'", stdout);
    }
    fish_text(option->text);
    putchar('\n');
}

static void fish_arguments(const Command *command)
{
    const char *word, *what;
    for (int64_t i = 0; command->word && (word = command->word(i, &what)); i++) {
        fish_start(command);
        printf(" -a %s", word);
        fish_text(what);
        putchar('\n');
    }
    if (!command->endings)
        return;
    fish_start(command); // all files, those with the first ending before the others
    printf(" -k -a '(__fish_complete_suffix %.*s)'\n", (int)strcspn(command->endings, " "),
           command->endings);
}

static void print_fish(void)
{
    const Command *command;
    puts("# What fish completes of contra; made by `contra completions fish`.\n"
         "complete -c contra -f");
    for (int64_t i = 0; (command = cli_command(i)); i++) {
        OptionList list;
        options_of(command, &list);
        printf("complete -c contra -n __fish_use_subcommand -a %s", command->name);
        fish_text(command->summary);
        printf("\ncomplete -c contra -n '__fish_seen_subcommand_from help' -a %s\n", command->name);
        for (int k = 0; k < list.count; k++)
            fish_option(command, &list.items[k]);
        fish_arguments(command);
    }
}

// ---- zsh: each command is a call of _arguments, which knows how options are written

static const char zsh_quote[] = "'\\''";

static void zsh_array(const char *name, CliWord *word)
{
    const char *text, *what;
    printf("        local -a %s=(", name);
    for (int64_t i = 0; (text = word(i, &what)); i++) {
        printf("\n            '%s:", text);
        put_escaped(what, zsh_quote, "");
        putchar('\'');
    }
    puts(")");
}

// ((all\:"every rule" reference\:"only what ..")): _arguments evaluates what is in it.
static void zsh_words(const Option *option)
{
    fputs("((", stdout);
    for (int i = 0; i < option->word_count; i++) {
        printf("%s%s", i ? " " : "", option->words[i].name);
        if (!*option->words[i].text)
            continue;
        fputs("\\:\"", stdout);
        put_escaped(option->words[i].text, zsh_quote, ":`$\"\\");
        putchar('"');
    }
    fputs("))", stdout);
}

static void zsh_value(const Option *option)
{
    printf("%s:%s:", option->spelling.need == VALUE_OPTIONAL ? ":" : "", option->spelling.name);
    if (option->is_group) {
        fputs("_values -s , group", stdout);
        put_joined(" ", group_word);
    } else if (option->is_file && option->word_count) {
        fputs("{_alternative \"words\\:word\\:(", stdout);
        put_names(option);
        fputs(")\" \"files\\:file\\:_files\"}", stdout);
    } else if (option->is_file) {
        fputs("{compset -P \"*=\"; _files}", stdout); // behind NAME=, where that is
    } else if (option->word_count) {
        zsh_words(option);
    }
}

// '*--rules=[text]:rules:(..)'; a letter has a line of its own.
static void zsh_option(const Option *option)
{
    const Spelling *spelling = &option->spelling;
    static const char *const joints[] = {
        [VALUE_NONE] = "", [VALUE_NEEDED] = "=", [VALUE_OPTIONAL] = "=-"};
    for (int is_letter = 0; is_letter <= (spelling->letter != 0); is_letter++) {
        printf(" \\\n            '*");
        if (is_letter)
            printf("-%c%s", spelling->letter, spelling->need ? "+" : "");
        else
            printf("--%s%s", spelling->name, joints[spelling->need]);
        if (*option->text) {
            putchar('[');
            put_escaped(option->text, zsh_quote, "[]\\");
            putchar(']');
        }
        if (spelling->need)
            zsh_value(option);
        putchar('\'');
    }
}

// '*:file:_files -g "*.(rs|tcp)"'; folders are always among them.
static void zsh_arguments(const Command *command)
{
    if (command->word)
        printf(" \\\n            '*: :{_describe -t arguments argument arguments}'");
    if (!command->endings)
        return;
    fputs(" \\\n            '*:file:_files -g \"*(", stdout);
    for (const char *c = command->endings; *c; c++)
        putchar(*c == ' ' ? '|' : *c);
    fputs(")\"'", stdout);
}

static void zsh_command(const Command *command)
{
    OptionList list;
    options_of(command, &list);
    printf("    %s)\n", command->name);
    if (command->word)
        zsh_array("arguments", command->word);
    fputs("        _arguments -s -S :", stdout);
    for (int i = 0; i < list.count; i++)
        zsh_option(&list.items[i]);
    zsh_arguments(command);
    puts("\n        ;;");
}

static void print_zsh(void)
{
    const Command *command;
    puts("#compdef contra\n"
         "# What zsh completes of contra; made by `contra completions zsh`.\n"
         "_contra()\n"
         "{");
    zsh_array("commands", cli_tool.word);
    puts("    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
         "        _describe -t commands command commands\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    for (int64_t i = 0; (command = cli_command(i)); i++)
        zsh_command(command);
    puts("    esac\n"
         "}\n"
         "_contra \"$@\"");
}

// ---- all three

static const struct {
    const char *name, *where;
    void (*print)(void);
} shells[] = {
    {"bash", "~/.local/share/bash-completion/completions/contra", print_bash},
    {"zsh", "_contra in a folder of $fpath", print_zsh},
    {"fish", "~/.config/fish/completions/contra.fish", print_fish},
};
enum { SHELL_COUNT = sizeof shells / sizeof shells[0] };

static const char *shell_word(int64_t index, const char **where)
{
    *where = index < SHELL_COUNT ? shells[index].where : NULL;
    return index < SHELL_COUNT ? shells[index].name : NULL;
}

static ExitStatus run_completions(int argc, char **argv)
{
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&completions_command, NULL, argc, argv, &common, &status))
        return status;
    if (optind + 1 != argc)
        return cli_usage("completions", "of which shell: bash, zsh or fish?");
    for (int i = 0; i < SHELL_COUNT; i++)
        if (strcmp(argv[optind], shells[i].name) == 0) {
            shells[i].print();
            return cli_finish(EXIT_DONE);
        }
    return cli_usage("completions", "there are those of bash, zsh and fish, not of `%s`",
                     argv[optind]);
}

const Command completions_command = {
    .name = "completions",
    .summary = "what a shell needs to complete commands and options",
    .title = "Prints the script with which a shell completes commands, options and their values.",
    .usage = "contra completions SHELL",
    .about = "`make install` puts all three where the shells look for them.",
    .word_heading = "Shells, and where each looks for its script",
    .word = shell_word,
    .examples = "  contra completions bash > ~/.local/share/bash-completion/completions/contra\n"
                "  source <(contra completions bash)",
    .run = run_completions};
