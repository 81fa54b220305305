-- What Neovim shows in a terminal, as text: this Neovim is the terminal, another one runs in it. CONTRA_SCENES is a file of
-- JSON: [{"name":, "height":, "command": [..], "steps": [{"keys":, "wait":, "gone":}]}]; CONTRA_SCREENS gets {name: [lines of the screen]};
-- CONTRA_QUIET is for how many milliseconds a screen stays as it is before it is taken.
local patience, quiet = 15000, tonumber(vim.env.CONTRA_QUIET)

local function lines(terminal)
  return vim.api.nvim_buf_get_lines(terminal, 0, -1, false)
end

-- Until the words are there (and others are gone), and nothing moved for a while.
local function settle(terminal, step, still)
  local last, since = '', vim.loop.now()
  local is_there = vim.wait(patience, function()
    local now = table.concat(lines(terminal), '\n')
    if now ~= last then
      last, since = now, vim.loop.now()
    end
    local is_gone = not step.gone or not now:find(step.gone, 1, true)
    return now:find(step.wait, 1, true) and is_gone and vim.loop.now() - since >= still
  end, 10)
  if not is_there then
    error(('waited in vain for `%s`:\n%s'):format(step.wait, last), 0)
  end
end

local function play(scene)
  vim.opt.lines = scene.height + 1 -- one is ours
  vim.cmd('enew')
  local terminal = vim.api.nvim_get_current_buf()
  local job = vim.fn.termopen(scene.command)
  for i, step in ipairs(scene.steps) do
    vim.fn.chansend(job, step.keys)
    settle(terminal, step, i == #scene.steps and quiet or 0)
  end
  local screen = lines(terminal)
  vim.fn.jobstop(job)
  return screen
end

vim.opt.laststatus = 0
vim.opt.columns = 100
local ok, why = pcall(function()
  local screens = {}
  for _, scene in ipairs(vim.json.decode(table.concat(vim.fn.readfile(vim.env.CONTRA_SCENES), '\n'))) do
    screens[scene.name] = play(scene)
  end
  vim.fn.writefile({ vim.json.encode(screens) }, vim.env.CONTRA_SCREENS)
end)
if not ok then
  io.stderr:write(tostring(why) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
