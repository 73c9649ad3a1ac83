/** Project-specific rules for oxlint. */
import { analyse } from "scslre";

/** Others send texts of any length, and time that grows with the square of it ends the process. */
const linearExpression = {
  create: (context) => ({
    Literal(node) {
      if (!node.regex) return;
      const { pattern: source, flags } = node.regex;
      const [found] = analyse({ source, flags }, { maxReports: 1 }).reports;
      if (found === undefined) return;
      const part = source.slice(found.quant?.start ?? found.startQuant?.start ?? 0);
      const message = `The time of this expression grows faster than the text (${found.type} at ${part}): write plain code.`;
      context.report({ node, message });
    },
  }),
};

export default {
  meta: { name: "project" },
  rules: { "linear-expression": linearExpression },
};
