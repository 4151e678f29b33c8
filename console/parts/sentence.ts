/**
 * Puts words in the place of the names of fields in a text of the API: of the one that it begins with, such as `tags/0`, and
 * in quotes of those further on that are no English words, such as `projectId`.
 */
export function nameFields(text: string, nameOf: (field: string) => string): string {
  return text
    .replace(/^(\w+)(?:\/\d+)?(?= )/, (_, name: string) => nameOf(name))
    .replace(/(?<= )[a-z]+[A-Z]\w*/g, (name) => {
      const words = nameOf(name);
      return words === name ? name : `“${words}”`;
    });
}

/** Begins a text of the API, which may begin with the name of a field such as `buyerType`, as a sentence. */
export function toSentence(text: string): string {
  const words = text.replace(/^[a-z]+[A-Z]\w+/, (name) =>
    name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
