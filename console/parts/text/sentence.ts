/**
 * Replaces wire names in a text of the API by labels: the name at its beginning, such as `tags/0`, and, in quotes, later names in
 * camel case, such as `projectId`.
 */
export function nameFields(text: string, nameOf: (field: string) => string): string {
  return text
    .replace(/^(\w+)(?:\/\d+)?(?= )/, (_, name: string) => nameOf(name))
    .replace(/(?<= )[a-z]+[A-Z]\w*/g, (name) => {
      const words = nameOf(name);
      return words === name ? name : `“${words}”`;
    });
}

/** Makes a sentence of a text of the API, which may begin with a wire name: `buyerType` becomes "Buyer type". */
export function toSentence(text: string): string {
  const words = text.replace(/^[a-z]+[A-Z]\w+/, (name) =>
    name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
