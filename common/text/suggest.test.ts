import { expect, test } from 'vitest';
import { printSuggestion } from './suggest.ts';

const known = ['status', 'limit', 'listPets', 'id'];

test.for<[name: string, hint: string]>([
  ['status', '. Did you mean status?'],
  ['staus', '. Did you mean status?'],
  ['sttatus', '. Did you mean status?'],
  ['stotus', '. Did you mean status?'],
  ['xstatus', '. Did you mean status?'],
  ['tatu', '. Did you mean status?'],
  ['statusxy', '. Did you mean status?'],
  ['limti', '. Did you mean limit?'],
  ['statusxyz', ''],
  ['stxyzs', ''],
  ['list', '. Did you mean limit?'],
  ['', '. Did you mean id?'],
  ['colour', ''],
])('of the known names %s gets the hint %j', ([name, hint]) => {
  expect(printSuggestion(name, known)).toBe(hint);
});

test('the nearest of several names is suggested, and of equally near ones the first', () => {
  expect(printSuggestion('pots', ['parts', 'pets', 'pits'])).toBe('. Did you mean pets?');
});

test('of names that begin with what was written, only a single one is suggested', () => {
  const options = ['--no-admin', '--no-save', '--keep-alive'];
  expect(printSuggestion('--keep', options)).toBe('. Did you mean --keep-alive?');
  expect(printSuggestion('--no', options)).toBe('');
});
