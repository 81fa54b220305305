// The commands behind the server's lenses. The server does the work (workspace/executeCommand); this
// says what for, and shows what came of it.

// What the lenses of a file offer a command for: [{uri, name}]. Those of schedules are worked out
// late, and have it as data.
export function targets(lenses, command) {
  const isLate = command === 'contra.schedule';
  const arguments_ = lenses.map((lens) =>
    isLate ? lens.data : lens.command?.command === command ? lens.command.arguments[0] : undefined);
  return arguments_.filter(Boolean);
}

// What the server says as a message as well, in full.
function report(view, result) {
  for (const text of [result.output, result.message, result.summary]) if (text) view.print(text.trimEnd());
}

const shows = {
  'contra.run': (view, target, result) => report(view, result),
  'contra.test': (view, target, result) => {
    report(view, result);
    if (!result.ok) view.reveal();
  },
  'contra.schedule': (view, target, result) => {
    report(view, result);
    if (result.html) view.page(target, result.html);
  },
};

export const commandNames = Object.keys(shows);

// Who ends what runs is told nothing more.
const unlessEnded = (error) => {
  if (error?.name !== 'Canceled') throw error;
};

// Middleware of the client. `view` is the editor: choose, seconds, print, reveal, page. That something
// runs is shown by the server (`window/workDoneProgress`), with a button to end it.
export function commandMiddleware(view) {
  return async (command, given, next) => {
    const target = given[0] ?? (await view.choose(command)); // without a lens: from the palette
    if (!target) return undefined;
    const argument = { seconds: view.seconds(), ...target };
    if (command === 'contra.schedule') argument.form = 'html';
    const result = await Promise.resolve(next(command, [argument])).catch(unlessEnded);
    if (result) shows[command](view, target, result);
    return result;
  };
}
