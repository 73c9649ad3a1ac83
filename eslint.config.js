import { defineConfig, globalIgnores } from "eslint/config";
import nextVitals from "eslint-config-next/core-web-vitals";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores([".next/**", "dist/**", "data/**", "node_modules/**", "next-env.d.ts", "coverage/**"]),
  ...nextVitals,
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      // Types imported one by one in braces would still load the file: pages would carry what only the server needs.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "no-console": "error",
    },
  },
  // Mongoose literals trip this rule: a schema is built from nested plain objects.
  { files: ["models/**/*.ts"], rules: { "@typescript-eslint/no-unsafe-class-instance-assignment": "off" } },
  // Only the settings module and the starters read the environment.
  {
    files: ["app/**/*.{ts,tsx}", "lib/**/*.ts", "models/**/*.ts", "server/**/*.ts"],
    ignores: ["lib/settings.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Read lib/settings.ts instead." },
      ],
    },
  },
  // The entries of the processes and the bundles of Next hold a copy of every class each: `instanceof` does not know the other's errors.
  {
    files: ["app/**/*.{ts,tsx}", "lib/**/*.ts", "server/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "BinaryExpression[operator='instanceof'][right.name=/(Error|Failed|Failure|Refused|Refusal|Unavailable|TooLong)$/]" +
            // Classes of others; one that only browsers use; and those that one file throws and catches.
            ":not([right.name=/^(Error|ZodError|Mongo\\w+|ApiError|InputError|Refusal)$/])",
          message: "Tell our own errors by errorNamed (lib/errors.ts), e.g. isAppError(error).",
        },
      ],
    },
  },
  // Tools look for the default export of their configuration; it needs no name.
  { files: ["*.config.{js,mjs,ts}"], rules: { "import/no-anonymous-default-export": "off" } },
  {
    files: ["scripts/**", "bench/**", "embedded/**", "example-directory/**", "example-login/**", "test/**"],
    rules: { "no-console": "off" },
  },
  // Tests assert on values whose types are deliberately open (JSON answers).
  {
    files: ["test/**/*.{ts,tsx}", "bench/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-explicit-any": "off",
    },
  },
);
