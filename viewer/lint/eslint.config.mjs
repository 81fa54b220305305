// The recommended rules, and those that find what a reader stumbles over. Layout is left to the eye.
import js from '@eslint/js';

const names = words => Object.fromEntries(words.split(' ').map(word => [word, 'readonly']));
const BROWSER = names('document window location history navigator performance fetch matchMedia getComputedStyle requestAnimationFrame ' +
  'cancelAnimationFrame setTimeout clearTimeout structuredClone devicePixelRatio innerWidth innerHeight addEventListener ' +
  'ResizeObserver MutationObserver CustomEvent Event KeyboardEvent Path2D OffscreenCanvas URL URLSearchParams TextDecoder DataTransfer console ' +
  'localStorage File DragEvent WheelEvent');
const NODE = names('process console URL Buffer structuredClone setTimeout clearTimeout');

const rules = {
  ...js.configs.recommended.rules,
  'no-var': 'error',
  'prefer-const': 'error',
  eqeqeq: 'error',
  'no-shadow': 'error',
  'no-implicit-globals': 'error',
  'no-unused-vars': ['error', { args: 'after-used', ignoreRestSiblings: true }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'object-shorthand': 'error',
  'prefer-template': 'error',
  'no-else-return': 'error',
  'no-control-regex': 'off', // tests look for them
};

export default [
  { ignores: ['**/node_modules/', '**/dist/'] },
  { files: ['viewer/src/*.js'], languageOptions: { sourceType: 'module', globals: BROWSER }, rules },
  // What is given to the browser to run has its names, too.
  { files: ['tests/page/*.mjs'], languageOptions: { sourceType: 'module', globals: { ...BROWSER, ...NODE } }, rules },
  { files: ['editors/vscode/**/*.js'], languageOptions: { sourceType: 'module', globals: NODE }, rules },
];
