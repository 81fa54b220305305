// Explanations of codes, as documents: contra:/explain/E0107.md.

export const SCHEME = 'contra';

export const isCode = (text) => /^E\d{4}$/.test(text);

export const pathOfCode = (code) => `/explain/${code}.md`;

export const codeOfPath = (path) => /^\/explain\/(E\d{4})\.md$/.exec(path)?.[1];

// What the server says, as Markdown: its first line is the heading, `Group: ..` and the like a list.
export function markdown(text) {
  const lines = text.trim().split('\n');
  return lines
    .map((line, i) => (i === 0 ? `# ${line}` : line.replace(/^(Group|Manual): /, '- **$1:** ')))
    .join('\n')
    .concat('\n');
}
