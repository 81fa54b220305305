// Requests that take long are worked on in a process of their own, while the server goes on
// answering others. A client that shows progress is told that something runs, and may end it.
#include "lsp/answer/answers.h"

#include <stdlib.h>

typedef struct Job {
    struct Job *next;
    int64_t number;
    json_t *id;    // of the request that waits
    json_t *token; // of its progress; NULL: the client shows none
    json_t *title; // what is done
    int64_t asked; // the request to show it; 0: it need not be asked for
    bool is_shown;
} Job;

// ---- progress

// Takes the value.
static void tell_progress(Server *server, const Job *job, json_t *value)
{
    server_notify(server, "$/progress",
                  json_pack("{s:O, s:o}", "token", job->token, "value", value));
}

static void show(Server *server, Job *job)
{
    job->is_shown = true;
    tell_progress(
        server, job,
        json_pack("{s:s, s:O, s:b}", "kind", "begin", "title", job->title, "cancellable", 1));
}

// With the token of the client, or else with one of ours, which the client agrees to first.
static void ask_to_show(Query *query, Job *job)
{
    Server *server = query->server;
    json_t *given = json_object_get(query->params, "workDoneToken");
    if (json_is_string(given) || json_is_integer(given)) {
        job->token = json_incref(given);
        show(server, job);
    } else if (server->client.shows_progress) {
        Str name = str_format(query->arena, "contra-job-{}", job->number);
        job->token = json_of_str(name);
        job->asked = server_ask(server, "window/workDoneProgress/create",
                                json_pack("{s:O}", "token", job->token));
    }
}

void jobs_hear(Server *server, int64_t asked, bool is_well)
{
    for (Job *job = server->jobs; job; job = job->next)
        if (job->asked == asked && is_well && !job->is_shown)
            show(server, job);
}

// ---- begin

bool job_start(Query *query, const char *title, ServerJob started)
{
    Server *server = query->server;
    Job *job = calloc(1, sizeof *job);
    if (!job)
        longjmp(server->on_oom, 1);
    *job = (Job){
        .number = ++server->job_count, .id = json_incref(query->id), .title = json_string(title)};
    started.number = job->number;
    if (!server->tools.start(server->tools.own, &started)) {
        json_decref(job->id);
        json_decref(job->title);
        free(job);
        return false;
    }
    job->next = server->jobs;
    server->jobs = job;
    query->is_later = true;
    ask_to_show(query, job);
    return true;
}

// ---- end

// The end of what is shown; the caller answers the request.
static void job_close(Server *server, Job **at)
{
    Job *job = *at;
    *at = job->next;
    if (job->is_shown)
        tell_progress(server, job, json_pack("{s:s}", "kind", "end"));
    json_decref(job->id);
    json_decref(job->token);
    json_decref(job->title);
    free(job);
}

static void job_abandon(Server *server, Job **at)
{
    server->tools.stop(server->tools.own, (*at)->number);
    server_refuse(server, (*at)->id, ERROR_CANCELLED, "cancelled");
    job_close(server, at);
}

static void job_finish(Server *server, int64_t number, const char *text)
{
    Job **at = &server->jobs;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at)
        return;
    server_reply(server, (*at)->id, command_result(server, text));
    job_close(server, at);
}

void server_finish(Server *server, int64_t number, const char *text)
{
    if (setjmp(server->on_oom))
        server_give_up(server);
    else if (!costs_finish(server, number, text))
        job_finish(server, number, text);
    arena_clear(&server->arena);
}

static bool abandon_where(Server *server, const json_t *id, const json_t *token)
{
    for (Job **at = &server->jobs; *at; at = &(*at)->next)
        if ((id && json_equal((*at)->id, id)) || (token && json_equal((*at)->token, token))) {
            job_abandon(server, at);
            return true;
        }
    return false;
}

bool job_cancel(Server *server, const json_t *id)
{
    return abandon_where(server, id, NULL);
}

void job_cancel_progress(Server *server, const json_t *params)
{
    abandon_where(server, NULL, json_object_get(params, "token"));
}

void jobs_stop(Server *server)
{
    while (server->jobs)
        job_abandon(server, &server->jobs);
}

json_t *answer_shutdown(Query *query)
{
    jobs_stop(query->server);
    costs_stop(query->server, NULL);
    server_wake_requests(query->server, WAITS_FOR_ROOTS); // nothing is settled any more
    return NULL;
}
