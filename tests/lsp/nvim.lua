-- One scene of nvim_test.py, inside of Neovim: CONTRA_SCENE names it, CONTRA is the tool, CONTRA_SETUP our folder of
-- editors/. What goes wrong is printed, and the editor ends with 1. Buffers are written; the test looks at the files.
local patience = 20000

vim.opt.runtimepath:append(vim.env.CONTRA_SETUP)
vim.cmd('filetype on')
vim.opt.swapfile = false
vim.ui.select = function(items, _, chosen)
  chosen(items[1], 1)
end

local said = {}
vim.notify = function(message)
  table.insert(said, message)
end

require('contra').setup({ cmd = { vim.env.CONTRA, 'lsp' } })

local function must(what, holds)
  if not holds then
    error(('%s\nthe buffer:\n%s\nsaid: %s'):format(
      what, table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), vim.inspect(said)), 0)
  end
end

local function wait(what, holds)
  must('waited in vain: ' .. what, vim.wait(patience, holds, 20))
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

local function has(words)
  return text():find(words, 1, true) ~= nil
end

-- To the first place of `words`, and `steps` characters on.
local function go(words, steps)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(words, 1, true)
    if at then
      return vim.api.nvim_win_set_cursor(0, { number, at - 1 + (steps or 0) })
    end
  end
  error('there is no `' .. words .. '`', 0)
end

local function change(old, new)
  go(old)
  local place = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_buf_set_text(0, place[1] - 1, place[2], place[1] - 1, place[2] + #old, { new })
end

local function diagnostics()
  local found = {}
  wait('a diagnostic', function()
    found = vim.diagnostic.get(0)
    return #found > 0
  end)
  return found
end

-- The code of the only diagnostic.
local function only_diagnostic()
  local found = diagnostics()
  must('more than one diagnostic: ' .. vim.inspect(found), #found == 1)
  return found[1].code or found[1].user_data.lsp.code
end

local function only_code(code)
  wait('only ' .. code, function()
    local found = vim.diagnostic.get(0)
    local is = found[1] and (found[1].code or found[1].user_data.lsp.code)
    return #found == 1 and is == code
  end)
  return true
end

local function no_diagnostic()
  wait('no diagnostics', function()
    return #vim.diagnostic.get(0) == 0
  end)
end

local function clients()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()
end

local function open(name)
  vim.cmd('edit ' .. name)
  wait('the server', function()
    local client = clients()[1]
    return client and client.server_capabilities and vim.lsp.buf_is_attached(0, client.id)
  end)
end

-- The text in the only floating window.
local function floating()
  local found
  wait('a floating window', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        found = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        return true
      end
    end
  end)
  return found
end

local function was_said(words)
  wait('the message ' .. words, function()
    return table.concat(said, '\n'):find(words, 1, true)
  end)
end

local scenes = {}

function scenes.diagnostics()
  open('constant_add.rs')
  change('.collect::<m![Values / 8 % 2], m![Values % 8]>()', '.collect::<m![Values / 8 % 2], m![Values % 4]>()')
  local found = diagnostics()
  must(vim.inspect(found), #found == 2 and found[1].message:find('^collect yields flits of 32 bytes'))
  vim.cmd('undo')
  no_diagnostic()
end

function scenes.hover()
  open('constant_add.rs')
  go('.collect::', 2)
  vim.lsp.buf.hover()
  local shown = floating()
  must(shown, shown:find('collect', 1, true) and shown:find('Values', 1, true) and shown:find('cycles', 1, true))
end

function scenes.completion()
  open('constant_add.rs')
  change('.vector_fxp(FxpBinaryOp::AddFxp, 5)', '.vector_fx')
  go('.vector_fx', #'.vector_fx' - 1)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('A<C-x><C-o>', true, false, true), 'n', false)
  local words = {}
  vim.fn.timer_start(50, function(timer)
    if vim.fn.pumvisible() == 1 then
      vim.fn.timer_stop(timer)
      for _, item in ipairs(vim.fn.complete_info({ 'items' }).items) do
        table.insert(words, item.abbr)
      end
      vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<C-y><Esc>', true, false, true), 'n', false)
    end
  end, { ['repeat'] = patience / 50 })
  vim.fn.timer_start(patience, function()
    vim.cmd('stopinsert')
  end)
  vim.api.nvim_feedkeys('', 'x!', false) -- reads keys until insert mode ends
  table.sort(words)
  local wanted = { 'vector_fxp', 'vector_fxp_to_fp', 'vector_fxp_with_mode' }
  must('completed ' .. vim.inspect(words), vim.deep_equal(words, wanted))
  vim.cmd('write')
end

function scenes.quick_fix()
  open('time_missing.rs')
  only_diagnostic()
  go('input.collect()', 6)
  vim.lsp.buf.code_action()
  wait('the correction', function()
    return has('m![A, B / 32], m![B % 32]>')
  end)
  no_diagnostic()
  vim.cmd('write')
end

-- A stage is missing: the correction inserts it, with the mappings that it needs.
function scenes.missing_stage()
  open('constant_add.rs')
  no_diagnostic()
  go('.fetch::')
  vim.cmd('delete')
  must('not E0601', only_code('E0601'))
  go('.collect::', 1)
  vim.lsp.buf.code_action()
  wait('the stage', function()
    return has('.begin(dm.view()).fetch::<i32, m![1], m![Values % 16]>()')
  end)
  no_diagnostic()
  vim.cmd('write')
end

-- What Neovim 0.8 and 0.11 bring, as far as the lines in docs/editors.md use it.
local function stand_in()
  vim.fs = vim.fs or {
    dirname = function(path)
      return vim.fn.fnamemodify(path, ':h')
    end,
    find = function(name, given)
      local found = vim.fn.findfile(name, given.path .. ';')
      return found ~= '' and { found } or {}
    end,
  }
  local started = {} -- a client is used again for the same root
  vim.lsp.start = vim.lsp.start or function(config)
    local key = config.name .. (config.root_dir or '')
    started[key] = started[key] or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, started[key])
    return started[key]
  end
  if vim.fn.has('nvim-0.8') == 0 then -- there, but not asked
    vim.filetype.add = function(given)
      for extension, filetype in pairs(given.extension) do
        vim.api.nvim_create_autocmd('BufRead', {
          pattern = '*.' .. extension,
          command = 'setfiletype ' .. filetype,
        })
      end
    end
  end
  vim.lsp.config = vim.lsp.config or setmetatable({}, {
    __call = function(configs, name, config)
      rawset(configs, name, config)
    end,
  })
  vim.lsp.enable = vim.lsp.enable or function(name)
    local config = vim.lsp.config[name]
    vim.api.nvim_create_autocmd('FileType', {
      pattern = config.filetypes,
      callback = function()
        vim.lsp.start({ name = name, cmd = config.cmd, root_dir = vim.fn.getcwd() })
      end,
    })
  end
end

local function documented(with)
  local page = table.concat(vim.fn.readfile(vim.env.CONTRA_SETUP .. '/../../docs/editors.md'), '\n')
  for block in page:gmatch('```lua\n(.-)```') do
    if block:find(with, 1, true) then
      return (block:gsub("'contra', 'lsp'", ("'%s', 'lsp'"):format(vim.env.CONTRA)))
    end
  end
  error('no lines with ' .. with, 0)
end

-- The lines for newer versions start a server that answers, for Rust and for program texts.
local function play_documented(with)
  vim.api.nvim_clear_autocmds({ group = 'contra' }) -- not by our own set-up
  stand_in()
  assert(loadstring(documented(with)))()
  open('time_missing.rs')
  only_diagnostic()
  open('program.tcp')
  only_diagnostic()
end

function scenes.lines_for_8()
  play_documented('vim.lsp.start(')
end

function scenes.lines_for_11()
  play_documented('vim.lsp.enable(')
end

function scenes.rename()
  open('constant_add.rs')
  go('axes![Values', #'axes![')
  vim.lsp.buf.rename('Number')
  wait('the new name', function()
    return has('axes![Number = 4096]') and not text():find('[^%a]Values[^%a]')
  end)
  no_diagnostic()
  vim.cmd('write')
end

function scenes.formatting()
  open('constant_add.rs')
  change('m![Values / 8 % 2], m![Values % 8]>() // two', 'm![ Values/8%2 ], m![Values   %8]>() // two')
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = patience })
  else
    vim.lsp.buf.formatting_sync(nil, patience)
  end
  vim.cmd('write')
end

function scenes.navigation()
  open('constant_add.rs')
  go('m![Values / 16]', #'m![')
  vim.lsp.buf.definition()
  wait('the definition', function()
    return vim.api.nvim_get_current_line():find('^axes!')
  end)
  vim.lsp.buf.references()
  wait('the references', function()
    return #vim.fn.getqflist() > 10
  end)
end

function scenes.commands()
  open('constant_add.rs')
  go('.vector_final')
  vim.cmd('ContraRun')
  was_said('`add_five` ran with random inputs')
  vim.cmd('ContraTest wraps_around')
  was_said('test `wraps_around` passed')
  vim.cmd('ContraTest no_such')
  was_said('there is no test no_such')
  go('fn main')
  vim.cmd('ContraRun')
  was_said('there is no kernel at the cursor')
  go('#[device')
  vim.cmd('ContraSchedule')
  wait('the schedule', function()
    return vim.api.nvim_buf_get_name(0):find('schedule/add_five') and has('cycles')
  end)
  was_said('contra: the schedule of add_five: 3200 cycles; :ContraSchedule! opens its page')
end

-- What opens pages is a program of the test's, which writes down what it is given.
function scenes.schedule_page()
  local opener = vim.fn.getcwd() .. '/xdg-open'
  vim.ui.open = nil
  vim.env.PATH = vim.fn.getcwd()
  open('constant_add.rs')
  go('#[device')
  vim.cmd('ContraSchedule!')
  was_said('contra: nothing here opens pages: the schedule is in ' .. vim.env.TMPDIR)
  vim.fn.writefile({ '#!/bin/sh', 'echo "$1" > opened' }, opener)
  vim.fn.setfperm(opener, 'rwx------')
  vim.cmd('ContraSchedule!')
  was_said('contra: opened ' .. vim.env.TMPDIR)
  wait('the page', function()
    local path = vim.fn.filereadable('opened') == 1 and vim.fn.readfile('opened')[1] or ''
    return vim.fn.filereadable(path) == 1 and table.concat(vim.fn.readfile(path), '\n'):find('<html', 1, true)
  end)
end

function scenes.lenses()
  open('constant_add.rs')
  wait('the lenses', function()
    vim.lsp.codelens.refresh()
    local titles = {}
    for _, lens in ipairs(vim.lsp.codelens.get(vim.api.nvim_get_current_buf())) do
      table.insert(titles, lens.command and lens.command.title or '')
    end
    titles = table.concat(titles, '\n')
    return titles:find('run with random inputs', 1, true) and titles:find('cycles)', 1, true)
  end)
end

function scenes.explain()
  open('time_missing.rs')
  local code = only_diagnostic()
  go('input.collect()')
  vim.cmd('ContraExplain')
  wait('the explanation', function()
    return vim.api.nvim_buf_get_name(0):find('contra:/explain/' .. code, 1, true) and has(code)
  end)
end

function scenes.explain_nothing()
  open('time_missing.rs')
  vim.cmd('ContraExplain E9999')
  was_said('there is no such code')
  must('a page', #vim.api.nvim_list_wins() == 1)
end

-- A kernel of a module goes by its own name, too.
function scenes.kernel_of_module()
  open('crate/src/kernel.rs')
  vim.cmd('ContraSchedule add_five')
  wait('the schedule', function()
    return vim.api.nvim_buf_get_name(0):find('schedule/kernel::add_five') and has('cycles')
  end)
end

-- It is ours from the first line on that says so.
function scenes.new_file()
  vim.cmd('edit new.rs')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'use furiosa_visa_std::prelude::*;', 'fn f(x: Absent) {}' })
  must('a server runs already', #clients() == 0)
  vim.cmd('write')
  only_diagnostic()
end

function scenes.module_beside()
  open('parts/mod.rs') -- names nothing itself, but the program that it is of does
  must('found ' .. vim.inspect(vim.diagnostic.get(0)), only_code('E0420'))
end

-- Modules and programs that share them have one server, whichever is opened first.
function scenes.one_server()
  local function one(name)
    open(name)
    local root = clients()[1].config.root_dir
    must('the server of ' .. name .. ' is for ' .. root, root == vim.fn.getcwd())
    must(#clients() .. ' servers run after ' .. name, #clients() == 1)
  end
  one('parts/inner/deep.rs') -- of parts/mod.rs, of whole.rs
  one('beside/mod.rs') -- which parts/mod.rs names by its path
  one('parts/mod.rs')
  one('whole.rs')
  one('below/alone.rs')
end

function scenes.program_text()
  open('program.tcp')
  only_diagnostic()
end

-- What is no business of ours gets no server.
function scenes.other_files()
  vim.cmd('edit other.rs')
  must('a server runs for plain Rust', vim.bo.filetype == 'rust' and #clients() == 0)
  open('crate/src/part.rs') -- names nothing itself, but its crate does
end

local ok, why = xpcall(scenes[vim.env.CONTRA_SCENE], function(why)
  return type(why) == 'string' and why or debug.traceback(vim.inspect(why))
end)
if not ok then
  io.stderr:write(why .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
