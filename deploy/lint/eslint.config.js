// What our scripts must keep to. The packages are in var/lint, where `manage.py lint` installs them.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(`${root}/var/lint/package.json`);
const js = require("@eslint/js");
const globals = require("globals");

export default [
  { ignores: ["**/vendor/**", "**/node_modules/**", "var/**"] },
  {
    files: ["**/*.js"],
    ...js.configs.recommended,
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, htmx: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      eqeqeq: "error",
      "no-console": ["error", { allow: ["warn", "error"] }],
      "no-shadow": "error",
      "no-implicit-globals": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      quotes: ["error", "double", { avoidEscape: true, allowTemplateLiterals: true }],
      semi: "error",
      "no-trailing-spaces": "error",
      "comma-dangle": ["error", "always-multiline"],
      indent: "off",
    },
  },
];
