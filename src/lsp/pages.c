#include "lsp/pages.h"

#include "tools/page.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

// A folder has the number of the server's process in its name, a page letters by chance.
static const char folder_start[] = "contra-lsp-", page_start[] = "schedule-", page_end[] = ".html";

static pid_t server; // jobs have other numbers

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

// False: there is no room.
static bool folder_path(pid_t process, char *path, size_t room)
{
    int written = snprintf(path, room, "%s/%s%ld", temporary_folder(), folder_start, (long)process);
    return written > 0 && (size_t)written < room;
}

// Nobody else can have put a file there.
static bool is_own_folder(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           !(about.st_mode & (S_IWGRP | S_IWOTH));
}

static bool is_page(const char *name)
{
    size_t length = strlen(name), end = sizeof page_end - 1;
    return strncmp(name, page_start, sizeof page_start - 1) == 0 && length > end &&
           strcmp(name + length - end, page_end) == 0;
}

static void remove_folder(pid_t process)
{
    char folder[PATH_ROOM], path[2 * PATH_ROOM];
    if (!folder_path(process, folder, sizeof folder) || !is_own_folder(folder))
        return;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (is_page(entry->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

void pages_open(void)
{
    server = getpid();
    remove_folder(server); // of one that had the same number
    DIR *dir = opendir(temporary_folder());
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, folder_start, sizeof folder_start - 1) != 0)
            continue;
        char *end;
        long process = strtol(entry->d_name + sizeof folder_start - 1, &end, 10);
        if (process > 0 && !*end && kill((pid_t)process, 0) < 0 && errno == ESRCH)
            remove_folder((pid_t)process);
    }
    if (dir)
        closedir(dir);
}

bool pages_keep(const char *page, size_t length, char *path, size_t room)
{
    if (!folder_path(server, path, room) || (mkdir(path, S_IRWXU) < 0 && errno != EEXIST) ||
        !is_own_folder(path))
        return false;
    size_t used = strlen(path);
    int written = snprintf(path + used, room - used, "/%sXXXXXX%s", page_start, page_end);
    int file = written > 0 && (size_t)written < room - used
                   ? mkstemps(path, (int)sizeof page_end - 1)
                   : -1;
    if (file < 0)
        return false;
    close(file);
    return page_write_file("lsp", path, page, length);
}

void pages_close(void)
{
    remove_folder(server);
}
