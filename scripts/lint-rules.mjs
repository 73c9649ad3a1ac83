/** Project-specific rules for oxlint. */
import { analyse } from "scslre";

/** What a process global throws, or a hook of the database driver. */
const crossing =
  /^(AppError|ApprovalNeeded|DatabaseUnavailable|Directory(Failed|Refused)|SpecificationRefused|WorkerTaskError)$/;

/** Entries and Next's bundles each have a copy of every class, so `instanceof` fails for the other's errors. */
const errorByName = {
  create: (context) => ({
    BinaryExpression(node) {
      const { operator, right } = node;
      if (operator !== "instanceof" || right.type !== "Identifier" || !crossing.test(right.name)) return;
      const message = "This error crosses bundles: use its guard, e.g. isAppError(error).";
      context.report({ node, message });
    },
  }),
};

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
  rules: { "error-by-name": errorByName, "linear-expression": linearExpression },
};
