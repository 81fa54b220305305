-- Neovim and `contra lsp`: require('contra').setup() in init.lua, with this folder in 'runtimepath'.
-- From Neovim 0.7 on; docs/editors.md says what there is to see.
local M = {}

M.options = {
  cmd = { 'contra', 'lsp' },
  on_attach = nil, -- function(client, buffer): your own keys
  capabilities = nil, -- those of a completion plugin
  lenses = true, -- run, test, schedule: above kernels
  hints = true, -- types, packets, cycles: beside the text (Neovim 0.10)
}

-- Token types that the protocol does not know, as the groups of everyday themes (Neovim 0.9).
local token_groups = {
  axis = 'Identifier',
  mapping = 'Type',
  kernel = 'Function',
  stage = 'Special',
  constant = 'Constant',
}

local function warn(message)
  vim.notify('contra: ' .. message, vim.log.levels.WARN)
end

-- Messages of the server have several lines, of which Neovim's own handler leaves the last on the screen.
local function show_message(_, params)
  local levels = { vim.log.levels.ERROR, vim.log.levels.WARN }
  vim.notify(params.message, levels[params.type] or vim.log.levels.INFO)
end

-- ---- which files

local function path_of(buffer)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p')
end

local function folder_of(buffer)
  return vim.fn.fnamemodify(path_of(buffer), ':h')
end

local function manifest_of(buffer)
  local found = vim.fn.findfile('Cargo.toml', vim.fn.escape(folder_of(buffer), ' ,;*') .. ';')
  return found ~= '' and vim.fn.fnamemodify(found, ':p') or nil
end

local function names_library(lines)
  for _, line in ipairs(lines) do
    if line:find('furiosa[_-]visa') then
      return true
    end
  end
  return false
end

-- The file that names this one, or the folder that it is in, as its module: beside it, or, with a `#[path]`, the module of a
-- folder beside it. Nil: none does.
local function file_naming(path)
  for _, place in ipairs({ vim.fn.fnamemodify(path, ':r'), vim.fn.fnamemodify(path, ':h') }) do
    local pattern = '^%s*[%a()]*%s*mod%s+' .. vim.pesc(vim.fn.fnamemodify(place, ':t')) .. '%s*;'
    for _, glob in ipairs({ '*.rs', '*/mod.rs' }) do
      for _, other in ipairs(vim.fn.globpath(vim.fn.fnamemodify(place, ':h'), glob, true, true)) do
        for _, line in ipairs(other ~= path and vim.fn.filereadable(other) == 1 and vim.fn.readfile(other) or {}) do
          if line:find(pattern) then
            return other
          end
        end
      end
    end
  end
end

-- The file of the program that a module is of; of a program its own.
local function program_of(path)
  local seen = {}
  while path and not seen[path] do
    seen[path] = true
    local naming = file_naming(path)
    if not naming then
      break
    end
    path = naming
  end
  return path
end

-- A Rust file that names the library of the Virtual ISA, or one of a crate or program that does.
function M.is_ours(buffer)
  if vim.bo[buffer].filetype ~= 'rust' then
    return true
  end
  if names_library(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) then
    return true
  end
  local named = manifest_of(buffer) or program_of(path_of(buffer))
  return vim.fn.filereadable(named) == 1 and names_library(vim.fn.readfile(named))
end

-- ---- the server

local started = {} -- by root: the client (Neovim 0.7, which does not know which it has)

local function start(config, buffer)
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  local id = started[config.root_dir]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(config)
    started[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

local function our_clients()
  return vim.tbl_filter(function(client)
    return client.name == 'contra'
  end, (vim.lsp.get_clients or vim.lsp.get_active_clients)())
end

-- The client of a buffer; a page of ours has none, then any will do.
local function client_of(buffer)
  local other
  for _, client in ipairs(our_clients()) do
    other = client
    if vim.lsp.buf_is_attached(buffer, client.id) then
      return client
    end
  end
  return other
end

-- That of its crate. Without one: of a server that runs for a folder around it, so that programs and what they share have one;
-- else where its program is.
local function root_of(buffer)
  local manifest = manifest_of(buffer)
  if manifest then
    return vim.fn.fnamemodify(manifest, ':h')
  end
  local found = ''
  for _, client in ipairs(our_clients()) do
    local root = client.config.root_dir or ''
    if #root > #found and vim.startswith(folder_of(buffer) .. '/', root .. '/') then
      found = root
    end
  end
  return found ~= '' and found or vim.fn.fnamemodify(program_of(path_of(buffer)), ':h')
end

-- Calls `take` with what the server answers.
local function ask(buffer, method, params, take)
  local client = client_of(buffer)
  if not client then
    return warn('no server is running: open a Rust file that uses the Virtual ISA first')
  end
  local function answered(err, result)
    if err then
      warn(err.message)
    else
      take(result)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answered, buffer)
  else
    client.request(method, params, answered, buffer)
  end
end

-- ---- texts to read

local function fill(page, filetype, text)
  vim.bo[page].modifiable = true
  vim.api.nvim_buf_set_lines(page, 0, -1, false, vim.split(text, '\n'))
  vim.bo[page].buftype = 'nofile'
  vim.bo[page].filetype = filetype
  vim.bo[page].modifiable = false
end

local function show(name, filetype, text)
  local page = vim.fn.bufadd(name)
  local window = vim.fn.bufwinid(page)
  if window < 0 then
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, page)
  else
    vim.api.nvim_set_current_win(window)
  end
  fill(page, filetype, text)
end

local function code_at_cursor()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, each in ipairs(vim.diagnostic.get(0, { lnum = line })) do
    local code = each.code or vim.tbl_get(each, 'user_data', 'lsp', 'code')
    if each.source == 'contra' and code then
      return code
    end
  end
end

-- The rule behind a code, at length; without a code that of the diagnostic at the cursor.
function M.explain(code)
  code = code ~= '' and code or code_at_cursor()
  if not code then
    return warn('there is no diagnostic on this line: name a code')
  end
  ask(vim.api.nvim_get_current_buf(), 'contra/explain', { code = code }, function()
    vim.cmd('botright split contra:/explain/' .. code .. '.md')
  end)
end

-- `contra:/explain/E0107.md`, to which the codes of diagnostics link.
local function read_page(event)
  local code = event.match:match('(%a%d+)%.md$')
  ask(event.buf, 'contra/explain', { code = code or '' }, function(text)
    fill(event.buf, 'markdown', text)
  end)
end

-- ---- commands

-- After what else changes the screen, which would hide it.
local function say(message)
  vim.cmd('redraw')
  vim.notify('contra: ' .. message, vim.log.levels.INFO)
end

local function open_page(path)
  local opener = vim.fn.has('mac') == 1 and 'open' or 'xdg-open'
  local is_open
  if vim.ui.open then
    is_open = vim.ui.open(path) ~= nil
  else
    is_open = vim.fn.executable(opener) == 1 and vim.fn.jobstart({ opener, path }, { detach = true }) > 0
  end
  if is_open then
    say('opened ' .. path)
  else
    warn('nothing here opens pages: the schedule is in ' .. path)
  end
end

local function execute(buffer, command, argument, in_browser)
  local form = not in_browser and 'text' or nil
  local params = { command = command, arguments = { vim.tbl_extend('force', argument, { form = form }) } }
  -- what else there is to say, the server says itself
  ask(buffer, 'workspace/executeCommand', params, function(result)
    if result.uri then
      open_page(vim.uri_to_fname(result.uri))
    elseif result.summary then
      show('contra:/schedule/' .. argument.name, 'text', result.summary)
      say(('the schedule of %s: %d cycles; :ContraSchedule! opens its page'):format(argument.name, result.cycles))
    end
  end)
end

local function lens_fits(lens, command)
  local is_schedule = not lens.command or lens.command.command == 'contra.schedule'
  return is_schedule and command == 'contra.schedule' or not is_schedule and lens.command.command == command
end

-- `add_five` is also the name of `kernel::add_five`.
local function is_named(argument, name)
  return argument.name == name or argument.name:sub(-#name - 2) == '::' .. name
end

-- Of the kernel or test that has the name; without a name the one that begins on the line.
local function argument_among(lenses, command, name, line)
  local found
  for _, lens in ipairs(lenses) do
    local argument = lens.data or lens_fits(lens, command) and lens.command.arguments[1]
    if argument and lens_fits(lens, command) then
      if name == '' and lens.range.start.line == line or name ~= '' and is_named(argument, name) then
        found = (found and found.name == name) and found or argument
      end
    end
  end
  return found
end

-- The line that names the innermost function around the cursor.
local function function_at(symbols, line)
  local kinds = { [6] = true, [12] = true } -- a method, a function
  local found
  for _, symbol in ipairs(symbols) do
    local range = symbol.range or symbol.location.range
    if range.start.line <= line and line <= range['end'].line then
      found = function_at(symbol.children or {}, line)
        or kinds[symbol.kind] and (symbol.selectionRange or range).start.line
        or found
    end
  end
  return found
end

local function run(command, what)
  return function(given)
    local buffer, line = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1
    local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
    ask(buffer, 'textDocument/documentSymbol', params, function(symbols)
      ask(buffer, 'textDocument/codeLens', params, function(lenses)
        local named = function_at(symbols or {}, line) or line
        local argument = argument_among(lenses or {}, command, given.args, named)
        if argument then
          execute(buffer, command, argument, given.bang)
        else
          warn(('there is no %s %s'):format(what, given.args ~= '' and given.args or 'at the cursor'))
        end
      end)
    end)
  end
end

local function add_commands()
  local add = vim.api.nvim_create_user_command
  add('ContraRun', run('contra.run', 'kernel'), { nargs = '?' })
  add('ContraTest', run('contra.test', 'test'), { nargs = '?' })
  add('ContraSchedule', run('contra.schedule', 'kernel'), { nargs = '?', bang = true })
  add('ContraExplain', function(given)
    M.explain(given.args)
  end, { nargs = '?' })
end

-- ---- what Neovim does not do by itself

local function keep_lenses(group, buffer)
  if vim.lsp.codelens.enable then -- Neovim 0.12
    return vim.lsp.codelens.enable(true, { bufnr = buffer })
  end
  local function refresh()
    vim.lsp.codelens.refresh()
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = group,
    buffer = buffer,
    callback = refresh,
  })
  refresh()
end

local function attached(group)
  return function(client, buffer)
    vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
    if M.options.lenses then
      keep_lenses(group, buffer)
    end
    if M.options.hints and vim.fn.has('nvim-0.10') == 1 then
      vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    end
    if M.options.on_attach then
      M.options.on_attach(client, buffer)
    end
  end
end

local function attach(group, buffer)
  if not M.is_ours(buffer) then
    return
  end
  start({
    name = 'contra',
    cmd = M.options.cmd,
    root_dir = root_of(buffer),
    capabilities = M.options.capabilities or vim.lsp.protocol.make_client_capabilities(),
    on_attach = attached(group),
    handlers = { ['window/showMessage'] = show_message },
    commands = {
      ['contra.schedule'] = function(command, context)
        execute(context.bufnr, 'contra.schedule', command.arguments[1], false)
      end,
    },
  }, buffer)
end

function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
  local group = vim.api.nvim_create_augroup('contra', {})
  local on = function(event, pattern, callback)
    vim.api.nvim_create_autocmd(event, { group = group, pattern = pattern, callback = callback })
  end
  on({ 'BufRead', 'BufNewFile' }, '*.tcp', function(event)
    vim.bo[event.buf].filetype = 'contra'
  end)
  on('FileType', { 'rust', 'contra' }, function(event)
    attach(group, event.buf)
  end)
  -- what is new gets its first lines, or its name, later
  on({ 'InsertLeave', 'BufWritePost' }, { '*.rs' }, function(event)
    local client = client_of(event.buf)
    if vim.bo[event.buf].filetype == 'rust' and not (client and vim.lsp.buf_is_attached(event.buf, client.id)) then
      attach(group, event.buf)
    end
  end)
  on('BufReadCmd', 'contra:/explain/*', read_page)
  add_commands()
  for type, theme_group in pairs(vim.lsp.semantic_tokens and token_groups or {}) do
    vim.api.nvim_set_hl(0, '@lsp.type.' .. type, { link = theme_group, default = true })
  end
end

return M
