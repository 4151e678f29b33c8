/** The command cannot do what the user asks: exit code 1. The message is one line and says what would be right. */
export class CommandError extends Error {}
