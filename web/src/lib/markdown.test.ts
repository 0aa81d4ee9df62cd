// @vitest-environment node
import { expect, test } from 'vitest';
import { clauseText, parse } from './markdown';

test('blocks and spans', () => {
  const blocks = parse(
    '# Checkers\n\nTwo **bold** words\nand `code` (O2.1).\n\n- one\n  goes on\n- two (O1.1, O1.2)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. first\n',
  );
  expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'list', 'table', 'list']);
  expect(blocks[1]).toEqual({
    kind: 'paragraph',
    spans: [
      { kind: 'text', text: 'Two ' },
      { kind: 'strong', text: 'bold' },
      { kind: 'text', text: ' words and ' },
      { kind: 'code', text: 'code' },
      { kind: 'clause', text: 'O2.1' },
      { kind: 'text', text: '.' },
    ],
  });
  expect(blocks[2]).toMatchObject({
    ordered: false,
    items: [[{ text: 'one goes on' }], [{ text: 'two' }, { kind: 'clause', text: 'O1.1 O1.2' }]],
  });
  expect(blocks[3]).toMatchObject({ head: [[{ text: 'a' }], [{ text: 'b' }]], rows: [[[{ text: '1' }], [{ text: '2' }]]] });
});

test('markup stays text', () => {
  expect(parse('<b>x</b>')).toEqual([{ kind: 'paragraph', spans: [{ kind: 'text', text: '<b>x</b>' }] }]);
});

test('a clause is found by its number, before or behind its words', () => {
  const rules = 'Lay **two** cards (F2.1). Then draw (F2.2, F2.3).\n\n- **L1.2** Say how many\n  dice there are.\n';
  expect(clauseText(rules, 'F2.1')).toBe('Lay two cards.');
  expect(clauseText(rules, 'F2.3')).toBe('Then draw.');
  expect(clauseText(rules, 'L1.2')).toBe('Say how many dice there are.');
  expect(clauseText(rules, 'L9.9')).toBeNull();
});
