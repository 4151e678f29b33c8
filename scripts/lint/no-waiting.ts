interface Argument {
  type: string;
  value?: unknown;
}
interface Call {
  callee: object;
  arguments: Argument[];
}
interface Context {
  sourceCode: { getText: (node: object) => string };
  report: (problem: { node: object; message: string }) => void;
}

const SLEEPS = /^(sleep|setTimeout)$/;
const SLEEP_MAX_MS = 1_000;
const ASSERTS = /^assert(\.\w+)*$/;
const ELAPSED = /\bperformance\.now\(\)|\bDate\.now\(\) - \w+Ms\b|\b(took|elapsed)Ms\b/;

/** A test neither sleeps for a second nor asserts elapsed time: it would be slow, and fail on a slow machine. */
export const noWaiting = {
  create(context: Context) {
    const { sourceCode } = context;
    return {
      CallExpression(node: Call) {
        const callee = sourceCode.getText(node.callee);
        const isLong = ({ value }: Argument) => typeof value === 'number' && value >= SLEEP_MAX_MS;
        if (SLEEPS.test(callee) && node.arguments.some(isLong))
          context.report({ node, message: 'Wait for a state with `until`, or move the clock.' });
        if (ASSERTS.test(callee) && node.arguments.some(isElapsed))
          context.report({ node, message: 'Assert a state or an order instead of elapsed time.' });
      },
    };

    function isElapsed(argument: Argument): boolean {
      return ELAPSED.test(sourceCode.getText(argument));
    }
  },
};
