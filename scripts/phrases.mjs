import ts from "typescript";

/**
 * Phrases to avoid, and what to write instead. `not`: a regular expression, case-insensitive except in names.
 * @type {readonly { not: string, say: string, inNames?: true }[]}
 */
export const phrases = [
  // Sentences that read like a translation.
  {
    not: "\\bwho (sends|has|wants|asks|is) [^.…]{1,60} (means|gets|has|is|does|may|must)\\b[^?]",
    say: "a subject: “a client that…”, “if a request…”",
  },
  { not: "\\bit is looked\\b|\\bis looked at\\b", say: "what happens now: “Checking the effect…”" },
  { not: "\\b(gets?|is given) something else\\b", say: "“changes”" },
  { not: "\\bmeans it\\b", say: "what follows from it" },
  { not: "\\bnone do when\\b|\\bwhen not given\\b|\\bwhere not given\\b", say: "“Default: …”" },
  { not: "\\b(units|cars|vehicles) take the table\\b", say: "“will accept this table”" },
  { not: "\\bwould object to\\b", say: "“problems … would report”" },
  { not: "\\bpublished by themselves\\b", say: "“scheduled”" },
  { not: "\\bmost [\\w ]{1,20} ahead\\b", say: "“too far ahead: at most … in advance”" },
  { not: "\\bthere never was\\b", say: "“… does not exist”" },
  { not: "\\breader stands\\b", say: "“if nothing reads it”" },
  { not: "\\bit replaces no\\b|\\breplaces no\\b", say: "“you still need…”" },
  { not: "\\bis none of (its|their|your|the)\\b", say: "what does not apply" },
  { not: "\\bwhoever\\b", say: "“if you…”, “a client that…”" },
  { not: "\\bwhat is (asked|told|meant|said)\\b", say: "the thing itself: “the request”, “the message”" },

  // One word for one thing.
  { not: "\\bpromot(e(?! routes?\\b)|es|ed|ing|ion|ions)\\b", say: "publish" },
  { not: "\\b(bring|brings|brought|put) (it |them )?into production\\b", say: "publish" },
  {
    not: "\\baccept(s|ed|ing)? (\\w+ ){0,2}for production\\b|\\baccepted apps?\\b|\\baccept (this|an|the) app\\b",
    say: "approve",
  },
  { not: "\\breturn(s|ed|ing)? to (an earlier |a |that |this |the )?(earlier )?release\\b", say: "roll back" },
  { not: "\\brights\\b", say: "permissions" },
  { not: "\\btokens? of (a )?programs?\\b|\\bprograms?' tokens?\\b|\\bprogram tokens?\\b", say: "API token" },
  { not: "\\bprincipals?\\b", say: "user, or API token" },
  {
    not: "\\bquestions? (of|from|by) (a |the )?(car|vehicle|head unit)s?\\b|\\b(car|vehicle|head unit)s?'?s? questions?\\b",
    say: "request",
  },
  { not: "\\bnewest head\\b", say: "latest version" },
  { not: "\\blanes?\\b", say: "vehicle API worker" },
  { not: "\\bmov(e|es|ed|ing) over\\b|\\bmoving from\\b", say: "migrate, migration" },
  { not: "\\bpatience\\b", say: "timeout" },
  { not: "^most[A-Z]\\w*$|[a-z]Most[A-Z]\\w*$", say: "max…", inNames: true },
  { not: "^\\w*[pP]atience\\w*$", say: "timeout", inNames: true },
];

/**
 * Finds the phrases in documents, and in the texts and names of a program.
 * @param {string} file its extension tells its type
 * @param {string} text
 * @returns {{ file: string, say: string, entry: string }[]} `entry`: the phrase in context, without the file, which may move
 */
export function findPhrases(file, text) {
  const { texts, names } = /\.(ts|tsx|mjs)$/.test(file)
    ? readTexts(file, text)
    : { texts: readParagraphs(text), names: [] };
  return phrases.flatMap(({ say, not, inNames = false }) =>
    (inNames ? names : texts.map((one) => one.replaceAll(/\s+/g, " ").trim())).flatMap((one) =>
      [...one.matchAll(new RegExp(not, inNames ? "g" : "gi"))].map(({ index, 0: found }) => ({
        file,
        say,
        entry: `${found} | ${one.slice(Math.max(0, index - 40), index + found.length + 40).trim()}`,
      })),
    ),
  );
}

function readParagraphs(text) {
  const prose = text
    .replaceAll(/^ *(```|~~~)[^]*?^ *\1/gm, "\n\n")
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/`[^`\n]*`/g, "`…`")
    .replaceAll(/\]\([^)]*\)/g, "]");
  return prose.split(/\n[ #]*\n|\|/);
}

/** A program's texts (strings with a space, and page texts) and names. */
function readTexts(file, text) {
  const texts = [];
  const names = new Set();
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || (ts.isJsxAttribute(node) && node.name.getText() === "className")) return;
    if (ts.isJsxText(node)) texts.push(node.text);
    else if (ts.isStringLiteralLike(node) && node.text.includes(" ")) texts.push(node.text);
    else if (ts.isTemplateExpression(node) && node.getText().includes(" ")) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…"));
    } else if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return { texts, names: [...names] };
}
