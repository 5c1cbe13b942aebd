-- Prints each message of standard input, a line of hex each, in every style, and then a separator.
local function decimal(data)
  return '"' .. data:gsub('[^%w]', function(char) return ('\\%03d'):format(char:byte()) end) .. '"'
end

local function bytes(data)
  return '{' .. table.concat({data:byte(1, -1)}, ', ') .. '}'
end

local styles = {
  {'%q', function(data) return ('%q'):format(data) end},
  {'decimal escapes', decimal},
  {'string.byte', bytes},
}

for line in io.lines() do
  local data = line:gsub('..', function(pair) return string.char(tonumber(pair, 16)) end)
  for _, style in ipairs(styles) do
    io.write(style[1], '\x1f', style[2](data), '\x1e')
  end
end
