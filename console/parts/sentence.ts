/** Begins a text of the API, which may begin with the name of a field such as `buyerType`, as a sentence. */
export function toSentence(text: string): string {
  const words = text.replace(/^[a-z]+[A-Z]\w+/, (name) =>
    name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
