import ts from "typescript";

/** One small change to a source. */
export interface Mutation {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
}

const swaps: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
  [ts.SyntaxKind.MinusToken]: "+",
  [ts.SyntaxKind.AsteriskToken]: "/",
  [ts.SyntaxKind.SlashToken]: "*",
};
const methods: Readonly<Record<string, string>> = { some: "every", every: "some", min: "max", max: "min" };

/**
 * All mutations of a source: swaps comparisons and connectives, negates conditions, increments numbers, flips booleans,
 * drops calls whose value is unused. Leaves types, imports, texts and log calls.
 */
export function listMutations(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, to: string) => {
    const [start, end] = [node.getStart(), node.getEnd()];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, start, end, from: text.slice(start, end), to });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isOfLog(node)) return;
    mutate(node, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function mutate(node: ts.Node, add: (node: ts.Node, to: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const to = swaps[node.operatorToken.kind];
    if (to !== undefined) add(node.operatorToken, to);
  } else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
    if (!ts.isBinaryExpression(node.expression)) add(node.expression, `!(${node.expression.getText()})`);
  } else if (ts.isConditionalExpression(node)) {
    if (!ts.isBinaryExpression(node.condition)) add(node.condition, `!(${node.condition.getText()})`);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    // As a whole condition, it is already negated above.
    if (!ts.isIfStatement(node.parent)) add(node, node.operand.getText());
  } else if (ts.isNumericLiteral(node)) {
    if (!isPart(node)) add(node, String(Number(node.text.replaceAll("_", "")) + 1));
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
    add(node, "false");
  } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
    add(node, "true");
  } else if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    if (ts.isCallExpression(call)) add(node, ";");
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const to = methods[node.expression.name.text];
    if (to !== undefined) add(node.expression.name, to);
  }
}

/** Whether a number is part of a name, as in a numeric property name. */
function isPart(node: ts.NumericLiteral): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

function isOfLog(node: ts.Node): boolean {
  return ts.isExpressionStatement(node) && /^(await )?(\w+\.)*#?log\./.test(node.getText());
}

/** Applies a mutation to a source. */
export function applyMutation(text: string, { start, end, to }: Mutation): string {
  return text.slice(0, start) + to + text.slice(end);
}

/** A sample of a list, determined by the seed. */
export function sample<T>(list: readonly T[], count: number, seed: number): T[] {
  const rest = [...list];
  let state = seed >>> 0;
  const next = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const chosen: T[] = [];
  while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(Math.floor(next() * rest.length), 1));
  return chosen;
}
