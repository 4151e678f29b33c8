import { relative, resolve } from 'node:path';
import { LAYERS } from './layers.ts';
import { noWaiting } from './no-waiting.ts';
import { findBannedWords, findPlainWordFaults } from './plain-words.ts';

interface Node {
  source?: { value: unknown };
}
interface Comment {
  type: 'Line' | 'Block' | 'Shebang';
  value: string;
  loc: { start: { line: number }; end: { line: number } };
}
interface Context {
  filename: string;
  sourceCode: { getAllComments: () => Comment[] };
  report: (problem: { node: object; message: string }) => void;
}

const SRC = resolve(import.meta.dirname, '../../src');

/** The room of a file under `src/`: `contacts`, `platform/http` or, for a file directly in `src/`, its own name. */
function findRoom(file: string): string | undefined {
  const [first = '', second = ''] = relative(SRC, file).split('/');
  if (first === '..') return undefined;
  return first === 'platform' ? `platform/${second}` : first.replace(/\.ts$/, '');
}

const levelOf = (room: string): number => LAYERS.findIndex((rooms) => rooms.includes(room));

/** A room imports only rooms of earlier layers in `layers.ts`, and only their `index.ts`. */
const layers = {
  create(context: Context) {
    const from = findRoom(context.filename);
    const isTest = context.filename.endsWith('.test.ts');

    function check(node: Node, isLazy = false): void {
      const target = node.source?.value;
      if (from === undefined || typeof target !== 'string' || !target.startsWith('.')) return;
      const file = resolve(context.filename, '..', target);
      const to = findRoom(file);
      if (to === undefined || to === from) return;
      if (levelOf(from) === -1) context.report({ node, message: `Add ${from} to layers.ts.` });
      else if (levelOf(to) >= levelOf(from))
        context.report({
          node,
          message: `${from} must be in a later layer than ${to} in layers.ts.`,
        });
      else if (!file.endsWith('/index.ts') && !isTest && !isLazy)
        context.report({ node, message: `Import ${to} through its index.ts.` });
    }

    return {
      ImportDeclaration: (node: Node) => check(node),
      ExportNamedDeclaration: (node: Node) => check(node),
      ExportAllDeclaration: (node: Node) => check(node),
      // A lazy import names its file, so that it loads nothing else.
      ImportExpression: (node: Node) => check(node, true),
    };
  },
};

interface Call {
  callee: { type: string; name?: string };
  arguments: { type: string; value?: unknown; quasis?: { value: { cooked: string } }[] }[];
}

const TEST_FUNCTIONS = new Set(['test', 'describe', 'suite', 'it']);

/** Comments and the names of tests keep the rules of CONTRIBUTING.md that a script can check. */
const plainWords = {
  create(context: Context) {
    return {
      CallExpression(node: Call) {
        const [name] = node.arguments;
        if (!TEST_FUNCTIONS.has(node.callee.name ?? '') || name === undefined) return;
        const text = name.quasis?.map(({ value }) => value.cooked).join('…') ?? name.value;
        if (typeof text !== 'string') return;
        for (const message of findBannedWords(text)) context.report({ node: name, message });
      },
      Program() {
        for (const comment of joinLineComments(context.sourceCode.getAllComments()))
          for (const message of findPlainWordFaults(comment.value))
            context.report({ node: comment, message });
      },
    };
  },
};

/** Joins `//` comments on consecutive lines: a sentence often goes over several. */
function joinLineComments(comments: Comment[]): Comment[] {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const continues =
      comment.type === 'Line' &&
      last?.type === 'Line' &&
      last.loc.end.line + 1 === comment.loc.start.line;
    if (continues)
      joined[joined.length - 1] = {
        ...last,
        value: `${last.value}\n${comment.value}`,
        loc: { ...last.loc, end: comment.loc.end },
      };
    else joined.push(comment);
  }
  return joined;
}

/** Only `cli/output.ts` writes to the terminal: it replaces what a terminal would obey. */
const oneOutput = {
  create(context: Context) {
    return {
      MemberExpression(node: { object: { name?: string }; property: { name?: string } }) {
        const { object, property } = node;
        if (object.name !== 'process' || !/^std(out|err)$/.test(property.name ?? '')) return;
        context.report({ node, message: 'Print with the functions of cli/output.ts.' });
      },
    };
  },
};

/** A test outside of `src/` names no file within a room, except the few that lint's settings name. */
const frontDoors = {
  create(context: Context) {
    return {
      ImportDeclaration(node: Node) {
        const target = node.source?.value;
        if (typeof target !== 'string' || !/^(\.\.\/)+src\//.test(target)) return;
        if (/\/(index|schemas)\.ts$/.test(target)) return;
        context.report({
          node,
          message: 'Import it from test/support/internals.ts, or go through the front door.',
        });
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    layers,
    'front-doors': frontDoors,
    'no-waiting': noWaiting,
    'one-output': oneOutput,
    'plain-words': plainWords,
  },
};
