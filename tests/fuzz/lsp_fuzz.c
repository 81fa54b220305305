// The language server: two texts made of pieces of programs, the one perhaps a module of the other,
// edits, and every request anywhere in them; and messages of arbitrary bytes. The laws:
//
// - every request is answered once, whatever the text;
// - what is said of the texts in the end, told or asked for, is what a server says that never saw
//   others.
#include "lsp/server/server.h"

#include "base/checked.h"
#include "law.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    int64_t answers;
    json_t *diagnostics; // told last, by file
    json_t *results;     // of what was asked, in the order of the answers
} Client;

static void hear(void *own, const json_t *sent, Str text)
{
    (void)sent;
    Client *client = own;
    json_t *message = json_loadb(text.data, (size_t)text.len, 0, NULL);
    law(message, "messages are JSON");
    const json_t *params = json_object_get(message, "params");
    client->answers += json_object_get(message, "id") && !json_object_get(message, "method");
    if (json_object_get(params, "diagnostics"))
        json_object_set(client->diagnostics, json_string_value(json_object_get(params, "uri")),
                        json_object_get(params, "diagnostics"));
    if (json_object_get(message, "result"))
        json_array_append(client->results, json_object_get(message, "result"));
    json_decref(message);
}

static void say(Server *server, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    law(text, "what is typed is UTF-8");
    server_receive(server, str_from(text));
    free(text);
    json_decref(message);
}

static void tell(Server *server, const char *method, json_t *params)
{
    say(server, json_pack("{s:s, s:o}", "method", method, "params", params));
}

static void ask(Server *server, int64_t id, const char *method, json_t *params)
{
    say(server,
        json_pack("{s:I, s:s, s:o}", "id", (json_int_t)id, "method", method, "params", params));
}

// The second is a module of the first where that says `mod part;`.
enum { FILES = 2 };
static const char *const uris[FILES] = {"file:///nowhere/main.rs", "file:///nowhere/part.rs"};

static void open_text(Server *server, const char *uri, const char *text)
{
    tell(server, "textDocument/didOpen",
         json_pack("{s:{s:s, s:s, s:i}}", "textDocument", "uri", uri, "text", text, "version", 1));
}

static Server *start(Client *client)
{
    *client = (Client){0, json_object(), json_array()};
    Server *server = server_new(hear, client);
    law(server, "there is memory");
    ask(server, 1, "initialize", json_object());
    return server;
}

static void finish(Server *server)
{
    while (server_work(server))
        ;
}

static void end(Server *server, Client *client)
{
    server_free(server);
    json_decref(client->diagnostics);
    json_decref(client->results);
}

// ---- texts

static const char head[] =
    "use furiosa_visa_std::prelude::*;\naxes![A = 2048, B = 16, S = 256];\n"
    "type Chip = m![1];\ntype Slice = m![A / 8];\nstruct Pair { one: i32, two: f32 }\n"
    "fn helper(x: i32) -> i32 { x + 1 }\n#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, Chip, m![A]>) -> HbmTensor<i32, Chip, m![A]> "
    "{\n"
    "    let d = a.to_dm::<m![1 # 2], Slice, m![A % 8]>(&mut ctx.tdma, 0);\n";

static const char part[] =
    "use super::*;\npub fn helper(x: Pair) -> i32 { x.one + super::helper(2) }\n";

static const char *const pieces[] = {
    "let x = ",
    "d",
    "x",
    "a",
    ".",
    "::",
    ";\n",
    "}\n",
    "{",
    "(",
    ")",
    "m![",
    "]",
    "A",
    ", ",
    " % 8",
    "ctx.main",
    ".begin(d.view())",
    ".fetch::<i32, m![1], m![A % 8]>()",
    ".fetch()",
    "::<",
    ".collect::<m![1], m![A % 8]>()",
    ".vector_init()",
    ".commit(4096)",
    "helper(",
    "1",
    "Pair { ",
    "one: 1",
    "\n",
    "fn f() { ",
    "mod inner { ",
    "use ",
    "match x { ",
    "=> ",
    "|",
    "&mut ",
    "\"",
    "/*",
    "//",
    ".to_hbm(&mut ctx.tdma, 0)",
    "FxpBinaryOp::",
    "é",
    "𝔸",
    "i![",
    "_",
    "impl Pair { ",
    "self",
    "#[test]\n",
    "async fn t() { ",
    ".await",
    "?",
    "const C: usize = ",
    "mod part;\n",
    "part::helper(",
    "super::",
    "crate::",
    "type T = ",
    ">",
};

static char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(sizeof head + size * 48);
    law(text, "there is memory");
    size_t length = sizeof head - 1;
    memcpy(text, head, length);
    for (size_t i = 0; i < size; i++) {
        const char *piece = pieces[data[i] % COUNT_OF(pieces)];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    text[length] = '\0';
    return text;
}

// ---- edits and requests

static const char *const requests[] = {
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareRename",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
    "textDocument/codeLens",
    "workspace/symbol",
};

static json_t *place(uint8_t line, uint8_t character)
{
    return json_pack("{s:i, s:i}", "line", line % 24, "character", character);
}

static json_t *range(const uint8_t *data)
{
    return json_pack("{s:o, s:o}", "start", place(data[0], data[1]), "end",
                     place((uint8_t)(data[0] % 24 + data[2] % 3), data[3]));
}

static void ask_about(Server *server, int64_t id, const char *uri, const uint8_t *data)
{
    json_t *position = place(data[1], data[2]);
    json_t *params = json_pack("{s:{s:s}, s:O, s:[o], s:o, s:s, s:s, s:{}}", "textDocument", "uri",
                               uri, "position", position, "positions", position, "range",
                               range(data), "newName", "other", "query", "k", "context");
    ask(server, id, requests[data[0] % COUNT_OF(requests)], params);
}

static void edit(Server *server, const char *uri, const uint8_t *data)
{
    json_t *change =
        json_pack("{s:o, s:s}", "range", range(data), "text", pieces[data[4] % COUNT_OF(pieces)]);
    tell(server, "textDocument/didChange",
         json_pack("{s:{s:s, s:i}, s:[o]}", "textDocument", "uri", uri, "version", 2,
                   "contentChanges", change));
}

// Asks what a fresh server is asked, too. So many requests.
static int64_t ask_in_the_end(Server *server, Client *client)
{
    static const char *const asked[] = {"textDocument/documentSymbol", "textDocument/foldingRange",
                                        "textDocument/formatting", "textDocument/codeLens",
                                        "textDocument/inlayHint"};
    finish(server);
    json_array_clear(client->results);
    for (int file = 0; file < FILES; file++)
        for (size_t i = 0; i < COUNT_OF(asked); i++)
            ask(server, 1000000, asked[i],
                json_pack("{s:{s:s}, s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:{}}", "textDocument", "uri",
                          uris[file], "range", "start", "line", 0, "character", 0, "end", "line",
                          1000, "character", 0, "options"));
    finish(server);
    return FILES * (int64_t)COUNT_OF(asked);
}

static void compare_with_fresh(Server *server, const Client *client)
{
    Client other;
    Server *fresh = start(&other);
    for (int i = 0; i < FILES; i++) {
        Str text = server_text(server, str_from(uris[i]));
        char *copy = strndup(text.data, (size_t)text.len);
        law(copy, "there is memory");
        open_text(fresh, uris[i], copy);
        free(copy);
    }
    ask_in_the_end(fresh, &other);
    law(json_equal(client->diagnostics, other.diagnostics), "typed is as opened");
    law(json_equal(client->results, other.results), "what is asked of both is the same");
    end(fresh, &other);
}

static void type_and_ask(const uint8_t *data, size_t size)
{
    enum { STEP = 6 };
    Client client;
    Server *server = start(&client);
    size_t first = size / 2;
    char *text = text_of(data, first);
    int64_t asked = 1;
    open_text(server, uris[0], text);
    open_text(server, uris[1], part);
    for (size_t i = first; i + STEP <= size; i += STEP) {
        const char *uri = uris[data[i] / 32 == 0];
        if (data[i] % 3 == 0)
            edit(server, uri, data + i + 1);
        else
            ask_about(server, ++asked, uri, data + i + 1);
        for (int k = 0; k < data[i] / 3 % 8; k++)
            server_work(server);
    }
    asked += ask_in_the_end(server, &client);
    law(client.answers == asked, "every request is answered once");
    compare_with_fresh(server, &client);
    end(server, &client);
    free(text);
}

static void any_bytes(const uint8_t *data, size_t size)
{
    Client client;
    Server *server = start(&client);
    server_receive(server, (Str){(const char *)data, (int64_t)size});
    finish(server);
    end(server, &client);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    if (data[0] % 8 == 0)
        any_bytes(data + 1, size - 1);
    else
        type_and_ask(data + 1, size - 1);
    return 0;
}
