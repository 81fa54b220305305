// What the URL's hash keeps, so that a view can be sent to somebody: window, addresses, brush, selection, search, tab, switches.

const number = text => (text !== null && text !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

// "DM:4096-8192": addresses of a memory.
function parseAddresses(text) {
  const found = /^([^:,]+):(\d+)-(\d+)$/.exec(text);
  const [low, high] = found ? [Number(found[2]), Number(found[3])] : [0, 0];
  return high > low ? { memory: found[1], low, high } : null;
}

const formatAddresses = ({ memory, low, high }) => `${memory}:${low}-${high}`;

// "100-900", or with addresses "100-900,DM:4096-8192".
function parseBrush(text) {
  const [cycles, ...addresses] = text.split(',');
  const found = /^(\d+)-(\d+)$/.exec(cycles);
  if (!found || Number(found[2]) < Number(found[1])) return null;
  return { from: Number(found[1]), to: Number(found[2]), ...parseAddresses(addresses.join()) };
}

const formatBrush = brush => [`${brush.from}-${brush.to}`, ...(brush.memory ? [formatAddresses(brush)] : [])].join();

export function parseHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const [from, to] = (fields.get('view') ?? '').split('-').map(number);
  const chosen = /^(operation|tensor)-(\d+)$/.exec(fields.get('select') ?? '');
  return {
    view: from !== null && to !== null && to > from ? { from, to } : null,
    addresses: (fields.get('addresses') ?? '').split(',').map(parseAddresses).filter(Boolean),
    brush: parseBrush(fields.get('brush') ?? ''),
    selection: chosen ? { kind: chosen[1], id: Number(chosen[2]) } : null,
    query: fields.get('find') ?? '',
    tab: fields.get('tab') ?? '',
    critical: fields.get('critical') === '1',
    idle: fields.get('idle') === '1',
    colour: fields.get('colour') ?? 'lane',
  };
}

export function formatHash(state) {
  const fields = new URLSearchParams();
  if (state.view) fields.set('view', `${Math.max(0, Math.round(state.view.from))}-${Math.round(state.view.to)}`);
  if (state.addresses?.length > 0) fields.set('addresses', state.addresses.map(formatAddresses).join());
  if (state.brush) fields.set('brush', formatBrush(state.brush));
  if (state.selection) fields.set('select', `${state.selection.kind}-${state.selection.id}`);
  if (state.query) fields.set('find', state.query);
  if (state.tab && state.tab !== 'summary') fields.set('tab', state.tab);
  if (state.critical) fields.set('critical', '1');
  if (state.idle) fields.set('idle', '1');
  if (state.colour && state.colour !== 'lane') fields.set('colour', state.colour);
  const text = fields.toString();
  return text ? `#${text}` : '';
}

// The address with another hash; '': with none. A page inside another one, as in a notebook, has no address of its own.
export function keepAddress(hash) {
  if (location.protocol === 'about:') return;
  history.replaceState(null, '', hash || location.pathname + location.search);
}
