// What the URL's hash keeps, so that a view can be sent to somebody: window, selection, search, tab, switches.

const number = text => (text !== null && text !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

export function parseHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const [from, to] = (fields.get('view') ?? '').split('-').map(number);
  const chosen = /^(operation|tensor)-(\d+)$/.exec(fields.get('select') ?? '');
  return {
    view: from !== null && to !== null && to > from ? { from, to } : null,
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
  if (state.selection) fields.set('select', `${state.selection.kind}-${state.selection.id}`);
  if (state.query) fields.set('find', state.query);
  if (state.tab && state.tab !== 'summary') fields.set('tab', state.tab);
  if (state.critical) fields.set('critical', '1');
  if (state.idle) fields.set('idle', '1');
  if (state.colour && state.colour !== 'lane') fields.set('colour', state.colour);
  const text = fields.toString();
  return text ? `#${text}` : '';
}
