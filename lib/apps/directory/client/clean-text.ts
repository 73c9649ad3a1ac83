const longestText = 300;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const patternCharacters = /[\\^$.*+?()[\]{}|]/g;

/**
 * A text of another server as it may go into a log line or an error (rule H8): without the secrets, in whatever letter
 * case or encoding they were echoed, on one line, cut.
 */
export function cleanText(text: string, secrets: readonly string[]): string {
  // One spelling may be a part of another, so the longest goes first.
  const spellings = secrets.flatMap(spellingsOf).toSorted((a, b) => b.length - a.length);
  const hidden = spellings.reduce((rest, spelling) => {
    return rest.replaceAll(new RegExp(spelling.replaceAll(patternCharacters, "\\$&"), "gi"), "***");
  }, text);
  return hidden.replaceAll(unprintable, " ").trim().slice(0, longestText);
}

function spellingsOf(secret: string): string[] {
  const encoded = new URLSearchParams({ s: secret }).toString().slice(2);
  const bytes = Buffer.from(secret);
  const spellings = [secret, encoded, encoded.replaceAll("+", "%20"), bytes.toString("base64").replace(/=+$/, "")];
  return spellings.filter((spelling) => spelling !== "");
}
