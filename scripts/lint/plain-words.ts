/** A sentence that begins with one of these words has no clear subject. */
const OPENERS = /^(What|Who|Whoever|Those|Of)\b/;

/** Words that this code base once used as names of its own, each with the word that other engineers use. */
const BANNED: [RegExp, string][] = [
  [/\bnewcomers?\b/i, 'a new contact, a lead whose email is unknown'],
  [/\blanes?\b/i, 'slot, concurrency limit'],
  [/\bpresence\b/i, 'active accounts'],
  [/\blinger(s|ing)?\b/i, 'delayed close, drain'],
  [/\bpieces\b/i, 'chunks, parts'],
  [/\b(is|are|be|was|were) told\b/i, 'name who calls, reports or answers what'],
  [/\bbeside others\b/i, 'while other accounts are active'],
  [/\b(its|their) turn\b/i, 'slot, next in the queue'],
];

/** The private words in a text, each as a message that names a better one. */
export function findBannedWords(text: string): string[] {
  return BANNED.flatMap(([pattern, instead]) => {
    const [word] = pattern.exec(text) ?? [];
    return word === undefined ? [] : [`"${word}" is a private word; write: ${instead}.`];
  });
}

/** The faults of one comment or of one page of prose, each as a message. Code in backticks is not judged. */
export function findPlainWordFaults(text: string): string[] {
  const plain = text.replace(/^\s*\*/gm, '').replace(/`[^`]*`/g, '`…`');
  const sentences = plain.split(/(?<=[.!?:])\s+|\n\s*\n|\n\s*[-*|]\s|\|\s+/);
  const openers = sentences.flatMap((sentence) => OPENERS.exec(sentence.trim())?.[1] ?? []);
  return [
    ...openers.map((word) => `A sentence begins with "${word}": begin with the subject.`),
    ...findBannedWords(plain),
  ];
}
