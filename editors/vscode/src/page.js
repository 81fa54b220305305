// The schedule page in a panel of the editor: as it is, but in the editor's theme, and without the
// padding that panels have for prose.
export function pageForPanel(html, isDark) {
  const theme = isDark ? 'dark' : 'light';
  return html
    .replace(/<html\b/i, `$& data-theme="${theme}"`)
    .replace(/<\/head>/i, '<style>body { padding: 0 }</style>\n$&');
}
