/** @type {import("prettier").Config} */
export default {
  printWidth: 120,
  // Lists that programs write: without a mark they are left as they are.
  overrides: [{ files: "*.txt", options: { parser: "markdown", requirePragma: true } }],
};
